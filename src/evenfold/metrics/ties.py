"""Ties: cells of equal score, from the highest score to the lowest, for ranking metrics."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from .arguments import Scores

By = Literal["row", "label", "all"]
# Dense scores are sorted in blocks of this many cells, which limits the memory for the order.
MAX_CELLS_PER_BLOCK = 1 << 22


class RankedCells(NamedTuple):
    """Cells list by list, by decreasing score; a list is a row, a label, or all cells.

    Attributes
    ----------
    of_list : ndarray
        The list of each cell, (n_cells,), increasing.
    score : ndarray
        The score of each cell, (n_cells,).
    n_true : ndarray
        1 for a true cell, otherwise 0, (n_cells,).
    n_false : ndarray
        1 for a false cell, otherwise 0, (n_cells,). Cells of a sparse matrix that are neither
        stored nor true are one cell of their list, and this is their number.
    place : ndarray
        The position of each cell in its list before it was sorted, (n_cells,); -1 for those cells.
    """

    of_list: NDArray[np.int64]
    score: NDArray[np.floating[Any]]
    n_true: NDArray[Any]
    n_false: NDArray[Any]
    place: NDArray[Any]

    def find_first(self) -> NDArray[np.bool_]:
        """Return whether each cell is the first of its list and score, (n_cells,)."""
        is_first = np.ones(len(self.score), bool)
        is_first[1:] = self.of_list[1:] != self.of_list[:-1]
        is_first[1:] |= self.score[1:] != self.score[:-1]
        return is_first


class Ties(NamedTuple):
    """Groups of cells of equal score, list by list; a list is a row, a label, or all cells.

    Attributes
    ----------
    score : ndarray
        The score of each tie, (n_ties,), decreasing within a list.
    n_true : ndarray
        How many cells of each tie are true, (n_ties,); with weights, the sum of their weights.
    n_false : ndarray
        How many cells of each tie are false, (n_ties,), or the sum of their weights.
    starts : ndarray
        The first tie of each list, (n_lists,); no list is empty.
    """

    score: NDArray[np.floating[Any]]
    n_true: NDArray[Any]
    n_false: NDArray[Any]
    starts: NDArray[np.int64]

    def sum_lists(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return the sum of values of ties for each list, (n_lists,)."""
        return np.add.reduceat(values, self.starts)

    def cumulate(self, values: NDArray[Any]) -> NDArray[Any]:
        """Return for each tie the sum of values from the start of its list to it, (n_ties,)."""
        if values.dtype.kind == "f":
            # Differences of sums over all lists would round those of a list of small weights.
            lists = np.split(values, self.starts[1:])
            return np.concatenate([np.cumsum(own) for own in lists])
        sums = np.cumsum(values)
        before = sums[self.starts] - values[self.starts]
        return np.asarray(sums - np.repeat(before, np.diff(self.starts, append=len(values))))


def find_ties(
    truth: sparse.csr_array,
    scores: Scores,
    by: By,
    weights: NDArray[np.float64] | None = None,
) -> Iterator[Ties]:
    """Yield the ties of all lists: block by block, or all at once for a sparse matrix.

    Cells count as much as the weights of their rows, which are above 0; in lists of single rows all
    the same.

    Yields
    ------
    Ties
        The ties of a block of lists.
    """
    for cells in rank_cells(truth, scores, by):
        if weights is not None and by != "row":
            cells = _weigh(cells, weights, truth.shape[1] if by == "all" else 1)
        yield _merge(cells)


def rank_cells(truth: sparse.csr_array, scores: Scores, by: By) -> Iterator[RankedCells]:
    """Yield the cells of all lists by score, in the blocks of `find_ties`.

    A sparse matrix is not made dense: cells that are not stored are one tie of each list.

    Yields
    ------
    RankedCells
        The cells of a block of lists.
    """
    if isinstance(scores, np.ndarray):
        yield from _rank_dense(truth, scores, by)
        return
    if by == "label":
        truth, scores = sparse.csr_array(truth.T), sparse.csr_array(scores.T)
    yield _rank_sparse(truth, scores, single=by == "all")


def _rank_dense(truth: sparse.csr_array, scores: NDArray[Any], by: By) -> Iterator[RankedCells]:
    if by == "label":
        truth, scores = sparse.csr_array(truth.T), scores.T
    if by == "all":
        row = np.repeat(np.arange(truth.shape[0], dtype=np.int64), np.diff(truth.indptr))
        held = np.zeros(scores.size, np.int8)
        held[row * scores.shape[1] + truth.indices] = 1
        yield _sort_lists(scores.reshape(1, -1), held.reshape(1, -1))
        return
    n_lists = max(1, MAX_CELLS_PER_BLOCK // scores.shape[1])
    for start in range(0, scores.shape[0], n_lists):
        block = scores[start : start + n_lists]
        indptr = truth.indptr[start : start + len(block) + 1]
        held = np.zeros(block.shape, np.int8)
        row = np.repeat(np.arange(len(block)), np.diff(indptr))
        held[row, truth.indices[indptr[0] : indptr[-1]]] = 1
        yield _sort_lists(block, held)


def _sort_lists(scores: NDArray[Any], held: NDArray[np.int8]) -> RankedCells:
    order = np.argsort(-scores, axis=1)
    is_true = np.take_along_axis(held, order, axis=1).ravel()
    n_lists, length = scores.shape
    of_list = np.repeat(np.arange(n_lists), length)
    score = np.take_along_axis(scores, order, axis=1).ravel()
    return RankedCells(of_list, score, is_true, 1 - is_true, order.ravel())


def _rank_sparse(truth: sparse.csr_array, scores: sparse.csr_array, single: bool) -> RankedCells:
    """Rank the cells that are stored or true; all others, with score 0, are one cell per list."""
    n_lists, length = truth.shape
    # Both in one matrix: a true cell adds 2, a stored cell 1.
    kinds = sparse.csr_array(2 * truth.astype(np.int8) + _ones_like(scores))
    kinds.sort_indices()
    is_true, is_stored = kinds.data >= 2, kinds.data % 2 == 1
    score = np.zeros(kinds.nnz, scores.dtype)
    score[is_stored] = scores.data
    per_list = np.diff(kinds.indptr).astype(np.int64)
    place = kinds.indices.astype(np.int64)
    if single:
        place += np.repeat(np.arange(n_lists) * length, per_list)
        n_lists, length, per_list = 1, n_lists * length, np.array([kinds.nnz], np.int64)
    of_list = np.concatenate((np.repeat(np.arange(n_lists), per_list), np.arange(n_lists)))
    score = np.concatenate((score, np.zeros(n_lists, scores.dtype)))
    n_true = np.concatenate((is_true, np.zeros(n_lists, bool))).astype(np.int64)
    n_false = np.concatenate((~is_true, length - per_list)).astype(np.int64)
    place = np.concatenate((place, np.full(n_lists, -1)))
    order = np.lexsort((-score, of_list))
    order = order[(n_true + n_false > 0)[order]]
    return RankedCells(of_list[order], score[order], n_true[order], n_false[order], place[order])


def _ones_like(scores: sparse.csr_array) -> sparse.csr_array:
    return sparse.csr_array(
        (np.ones(scores.nnz, np.int8), scores.indices, scores.indptr), shape=scores.shape
    )


def _weigh(cells: RankedCells, weights: NDArray[np.float64], cells_per_row: int) -> RankedCells:
    """Return the cells with the weights of their rows as their numbers."""
    weight = weights[cells.place // cells_per_row]
    rest = np.flatnonzero(cells.place < 0)
    if len(rest):
        listed = np.where(cells.place < 0, 0.0, weight)
        n_lists = int(cells.of_list[-1]) + 1
        left = weights.sum() * cells_per_row - np.bincount(cells.of_list, listed, n_lists)
        # Not below the least that so many cells can weigh: the difference is rounded.
        least = weights.min() * cells.n_false[rest]
        weight[rest] = np.maximum(left[cells.of_list[rest]], least) / cells.n_false[rest]
    return cells._replace(n_true=cells.n_true * weight, n_false=cells.n_false * weight)


def _merge(cells: RankedCells) -> Ties:
    """Merge sorted cells of the same list and score into ties."""
    first = np.flatnonzero(cells.find_first())
    owner = cells.of_list[first]
    starts = np.flatnonzero(np.concatenate(([True], owner[1:] != owner[:-1])))
    dtype = np.float64 if cells.n_true.dtype.kind == "f" else np.int64
    return Ties(
        cells.score[first],
        np.add.reduceat(cells.n_true, first, dtype=dtype),
        np.add.reduceat(cells.n_false, first, dtype=dtype),
        starts,
    )
