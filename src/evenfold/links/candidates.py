"""Pairs of rows with enough score, block by block, and their values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from .matrices import is_sparse
from .pairs import Pairs
from .scores import Comparison

# Rows of a block. A block of scores takes 16 MB; larger ones are no quicker.
BLOCK_ROWS = 2048
# Candidates whose values are computed together take no more numbers than this for their rows.
_VALUE_NUMBERS = 1 << 22
# Candidates are collected until there are this many: blocks often have only a few.
_COLLECTED = 1 << 18


class Candidates(NamedTuple):
    """Pairs of rows with enough score; some may be below the threshold.

    Attributes
    ----------
    first : NDArray[np.int64]
        (n_pairs,) a row.
    second : NDArray[np.int64]
        (n_pairs,) another row.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]


class BlockScorer:
    """Scores of all pairs of two blocks of rows of a dense matrix."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison
        self._least = np.float32(comparison.scores.least)
        bias = comparison.scores.bias
        self._bias = None if bias is None else bias.astype(np.float32)
        self._buffer = np.empty(BLOCK_ROWS * BLOCK_ROWS, np.float32)

    def find_candidates(
        self,
        rows: slice | NDArray[np.int64],
        block: NDArray[np.float32],
        others: slice | NDArray[np.int64],
        other_block: NDArray[np.float32],
    ) -> Candidates:
        """Return the positions within two blocks of the pairs with enough score.

        Parameters
        ----------
        rows : slice or ndarray of int64
            The rows of the first block.
        block : ndarray of float32
            What `Comparison.take_rows` returns for them.
        others : slice or ndarray of int64
            The rows of the second block; at most `BLOCK_ROWS`² pairs with the first.
        other_block : ndarray of float32
            What `Comparison.take_rows` returns for them.

        Returns
        -------
        Candidates
            Positions in `rows` and in `others`.
        """
        shape = (len(block), len(other_block))
        scores = self._buffer[: shape[0] * shape[1]].reshape(shape)
        np.matmul(block, other_block.T, out=scores)
        least: NDArray[np.float32] | np.float32 = self._least
        if self._bias is not None:
            scores += self._bias[others]
            least = self._least - self._bias[rows]
        # Most rows have no candidates: the maximum is quicker than a comparison of all.
        hit = np.flatnonzero(scores.max(axis=1) >= least)
        if not len(hit):
            return Candidates(hit, hit)
        limit = least if np.ndim(least) == 0 else least[hit, None]  # type: ignore[index]
        at, second = np.nonzero(scores[hit] >= limit)
        return Candidates(hit[at], second)


def search_blocks(comparison: Comparison) -> Iterator[Candidates]:
    """Yield the candidates of all pairs of rows, each once, the first row before the second."""
    starts = range(0, comparison.n_rows, BLOCK_ROWS)
    slices = [slice(start, min(start + BLOCK_ROWS, comparison.n_rows)) for start in starts]
    search = _search_sparse if is_sparse(comparison.matrix) else _search_dense
    for rows, others, found in search(comparison, slices):
        first, second = found.first + rows.start, found.second + others.start
        if rows == others:
            ordered = first < second
            first, second = first[ordered], second[ordered]
        if len(first):
            yield Candidates(first, second)


def _search_dense(
    comparison: Comparison, slices: list[slice]
) -> Iterator[tuple[slice, slice, Candidates]]:
    scorer = BlockScorer(comparison)
    for number, rows in enumerate(slices):
        block = comparison.take_rows(rows)
        for others in slices[number:]:
            other_block = comparison.take_rows(others)
            yield rows, others, scorer.find_candidates(rows, block, others, other_block)


def _search_sparse(
    comparison: Comparison, slices: list[slice]
) -> Iterator[tuple[slice, slice, Candidates]]:
    scores = comparison.scores
    matrix = comparison.matrix
    if scores.scale is not None:
        matrix = scipy.sparse.csr_array(scipy.sparse.diags_array(scores.scale) @ matrix)
    bias = np.zeros(comparison.n_rows) if scores.bias is None else scores.bias
    # Each block is turned once, not for every product.
    turned = [matrix[others].T.tocsr() for others in slices]
    for number, rows in enumerate(slices):
        block = matrix[rows]
        for others, columns in zip(slices[number:], turned[number:], strict=True):
            products = block @ columns
            if scores.zeros_pass:
                table = products.toarray() + bias[rows, None] + bias[others]
                yield rows, others, Candidates(*np.nonzero(table >= scores.least))
            else:
                stored = products.tocoo()
                total = stored.data + bias[rows][stored.row] + bias[others][stored.col]
                enough = total >= scores.least
                first, second = (at[enough].astype(np.int64) for at in (stored.row, stored.col))
                yield rows, others, Candidates(first, second)


def search_rows(comparison: Comparison, rows: NDArray[np.int64]) -> Iterator[Candidates]:
    """Yield the candidates of some rows of a dense matrix with all other rows."""
    scorer = BlockScorer(comparison)
    pieces = [rows[start : start + BLOCK_ROWS] for start in range(0, len(rows), BLOCK_ROWS)]
    blocks = [comparison.take_rows(piece) for piece in pieces]
    for start in range(0, comparison.n_rows, BLOCK_ROWS):
        others = slice(start, min(start + BLOCK_ROWS, comparison.n_rows))
        other_block = comparison.take_rows(others)
        for piece, block in zip(pieces, blocks, strict=True):
            at, second = scorer.find_candidates(piece, block, others, other_block)
            first, second = piece[at], second + start
            differ = first != second
            if differ.any():
                yield Candidates(first[differ], second[differ])


def evaluate(comparison: Comparison, candidates: Iterable[Candidates]) -> Iterator[Pairs]:
    """Yield the candidates that are at the threshold, with their values."""
    step = max(1, _VALUE_NUMBERS // comparison.n_columns)
    for first, second in _collect(candidates):
        for start in range(0, len(first), step):
            piece = slice(start, start + step)
            values = comparison.find_values(first[piece], second[piece])
            found = comparison.is_pair(values)
            if found.any():
                yield Pairs(first[piece][found], second[piece][found], values[found])


def _collect(candidates: Iterable[Candidates]) -> Iterator[Candidates]:
    waiting: list[Candidates] = []
    n_waiting = 0
    for found in candidates:
        waiting.append(found)
        n_waiting += len(found.first)
        if n_waiting >= _COLLECTED:
            yield _join(waiting)
            waiting, n_waiting = [], 0
    if waiting:
        yield _join(waiting)


def _join(candidates: list[Candidates]) -> Candidates:
    first, second = zip(*candidates, strict=True)
    return Candidates(np.concatenate(first), np.concatenate(second))
