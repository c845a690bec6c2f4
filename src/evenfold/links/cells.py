"""Approximate search for similar rows: rows are compared only within cells and those near them.

Cells are the clusters of k-means. Each row belongs to the nearest cell, and is compared with the
rows of its `n_probes` nearest cells. This is the inverted file of faiss. Its parts that take time
are those of faiss: k-means and the search for the nearest cells. But its scan of the cells
compares one row at a time, while products of blocks of rows take less time and find the pairs of
a whole cell at once.

pynndescent finds a fixed number of neighbours of each row, so it loses the pairs of larger groups.
For 15 neighbours of 100,000 × 64 numbers, it took 2.7 times as long as this search.

Cells are found from rows that were rounded to whole numbers. Products of such rows are exact in
32 bits. So cells, and with them the pairs found, do not depend on the number of threads.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from ..exceptions import InputError
from .candidates import BLOCK_ROWS, BlockScorer, Candidates, evaluate, search_rows
from .pairs import N_CHECKED, Recall
from .scores import Comparison

# There are this many cells for each row of the square root of the number of rows.
_CELLS_PER_ROOT = 4
_MAX_CELLS = 2**16 - 1
# Chosen by measurement: with twice the rows and rounds, recall at 4 probes is .9988, not .9982.
TRAINING_ROWS_PER_CELL = 32
ROUNDS = 4
# Fewer probes save little time, and the rows that are checked may have few pairs.
_MIN_PROBES = 8
# The first number of nearest cells that is tried, and by what it grows.
_PROBES = 16
_PROBES_GROWTH = 4
# If rows are compared with more than this share of the cells, an exact search takes less time.
_MAX_PROBED_SHARE = 1 / 3
# The square of the sum of two rows of this length is below 2^24.
_LENGTH = 1900
# k-means reads at most this many numbers, and rows are rounded in pieces of so many.
_NUMBERS = 1 << 26
_NUMBERS_AT_ONCE = 1 << 21
_ROWS_AT_ONCE = 1 << 14
_SEED = 0


def check_faiss(n_rows: int) -> None:
    """Check that faiss is installed."""
    if importlib.util.find_spec("faiss") is None:
        raise InputError(
            f"must be True for {n_rows:,} rows, because faiss is not installed. "
            "Pass exact=True, or install it: pip install 'evenfold[similar]'",
            parameter="exact",
        )


class Cells(NamedTuple):
    """Cells of rows, and the cells near each row.

    Attributes
    ----------
    comparison : Comparison
        The rows and what is compared.
    n_cells : int
        The number of cells.
    probes : ndarray of uint16
        (n_rows, n_probes) the nearest cells of each row, the nearest first.
    """

    comparison: Comparison
    n_cells: int
    probes: NDArray[np.uint16]

    def search(self) -> Iterator[Candidates]:
        """Yield candidates, each once: rows of which one is in a cell near the other."""
        n_rows, n_probes = self.probes.shape
        own_cell = self.probes[:, 0]
        starts = np.concatenate([[0], np.cumsum(np.bincount(own_cell, minlength=self.n_cells))])
        by_cell = np.argsort(own_cell, kind="stable")
        near = scipy.sparse.csr_array(
            (
                np.ones(self.probes.size, bool),
                self.probes.ravel().astype(np.int32),
                np.arange(0, self.probes.size + 1, n_probes),
            ),
            shape=(n_rows, self.n_cells),
        ).tocsc()
        scorer = BlockScorer(self.comparison)
        for cell in range(self.n_cells):
            members = by_cell[starts[cell] : starts[cell + 1]]
            probing = near.indices[near.indptr[cell] : near.indptr[cell + 1]].astype(np.int64)
            for first, second in self._search_cell(scorer, members, probing):
                # The pair is also found in the first row's own cell if the second probes that.
                keep = first < second
                later = np.flatnonzero(first > second)
                keep[later] = ~self._probes_cell(second[later], own_cell[first[later]])
                first, second = first[keep], second[keep]
                if len(first):
                    yield Candidates(np.minimum(first, second), np.maximum(first, second))

    def _search_cell(
        self, scorer: BlockScorer, members: NDArray[np.int64], probing: NDArray[np.int64]
    ) -> Iterator[Candidates]:
        """Yield candidates of rows that probe a cell, and its members."""
        for start in range(0, len(members), BLOCK_ROWS):
            others = members[start : start + BLOCK_ROWS]
            other_block = self.comparison.take_rows(others)
            step = min(_ROWS_AT_ONCE, BLOCK_ROWS * BLOCK_ROWS // len(others))
            for begin in range(0, len(probing), step):
                rows = probing[begin : begin + step]
                block = self.comparison.take_rows(rows)
                first, second = scorer.find_candidates(rows, block, others, other_block)
                yield Candidates(rows[first], others[second])

    def _probes_cell(self, rows: NDArray[np.int64], cells: NDArray[np.uint16]) -> NDArray[np.bool_]:
        """Tell which rows probe the cell that is given for each."""
        return np.asarray((self.probes[rows] == cells[:, None]).any(axis=1))


def find_cells(comparison: Comparison, goal: float) -> tuple[Cells | None, Recall | None]:
    """Return cells with enough probes to find a share of the pairs, and the share found.

    Parameters
    ----------
    comparison : Comparison
        Rows of a dense matrix.
    goal : float
        The share of the pairs of `N_CHECKED` rows that must be found.

    Returns
    -------
    cells : Cells or None
        The cells; None if an exact search takes less time.
    recall : Recall or None
        The share of pairs found; None for an exact search.
    """
    n_rows = comparison.n_rows
    if n_rows <= N_CHECKED:
        # All of them would be searched exactly.
        return None, None
    rng = np.random.default_rng(_SEED)
    checked = np.sort(rng.choice(n_rows, N_CHECKED, replace=False))
    quantizer = _Quantizer(comparison, rng)
    n_probes = _PROBES
    while n_probes <= quantizer.n_cells * _MAX_PROBED_SHARE:
        probes = quantizer.find_nearest(n_probes)
        pairs_of_rank = _count_ranks(comparison, probes, checked)
        n_pairs = int(pairs_of_rank.sum())
        found = np.cumsum(pairs_of_rank[:-1])
        enough = np.flatnonzero(found >= goal * n_pairs)
        if len(enough):
            most = max(int(enough[0]) + 1, _MIN_PROBES)
            share = float(found[most - 1] / n_pairs) if n_pairs else 1.0
            cells = Cells(comparison, quantizer.n_cells, np.ascontiguousarray(probes[:, :most]))
            return cells, Recall(share, N_CHECKED, n_pairs)
        n_probes *= _PROBES_GROWTH
    return None, None


class _Quantizer:
    """The centres of cells, found by k-means, and the nearest of them for each row.

    Rows are rounded to whole numbers, with lengths of at most about `_LENGTH`.
    """

    def __init__(self, comparison: Comparison, rng: np.random.Generator) -> None:
        import faiss

        n_rows, n_columns = comparison.n_rows, comparison.n_columns
        self.n_cells = min(int(_CELLS_PER_ROOT * n_rows**0.5), _MAX_CELLS)
        n_drawn = min(n_rows, TRAINING_ROWS_PER_CELL * self.n_cells, _NUMBERS // n_columns)
        drawn = np.sort(rng.choice(n_rows, max(n_drawn, self.n_cells), replace=False))
        self._comparison = comparison
        # A few rows that are much longer than the others must not make those equal.
        some = rng.choice(drawn, min(n_drawn, N_CHECKED), replace=False)
        self._usual_length = np.quantile(_find_lengths(comparison.take_rows(some)), 0.99) or 1.0
        rows = np.empty((len(drawn), n_columns), np.float32)
        for piece in _cut(len(drawn), n_columns):
            rows[piece] = self._round_rows(drawn[piece])
        kmeans = faiss.Kmeans(
            n_columns,
            self.n_cells,
            niter=ROUNDS,
            seed=_SEED,
            int_centroids=True,
            min_points_per_centroid=1,
            max_points_per_centroid=TRAINING_ROWS_PER_CELL,
        )
        kmeans.train(rows)
        self._index = faiss.IndexFlatL2(n_columns)
        self._index.add(kmeans.centroids)

    def find_nearest(self, n_probes: int) -> NDArray[np.uint16]:
        """Return the nearest cells of each row, the nearest first."""
        n_rows = self._comparison.n_rows
        probes = np.empty((n_rows, n_probes), np.uint16)
        for piece in _cut(n_rows, self._comparison.n_columns):
            probes[piece] = self._index.search(self._round_rows(piece), n_probes)[1]
        return probes

    def _round_rows(self, rows: slice | NDArray[np.int64]) -> NDArray[np.float32]:
        block = self._comparison.take_rows(rows)
        lengths = _find_lengths(block)
        has_unit_rows = self._comparison.metric in ("cosine", "jaccard")
        whole = lengths if has_unit_rows else np.maximum(lengths, self._usual_length)
        factors = np.divide(_LENGTH, whole, out=np.zeros_like(whole), where=whole > 0)
        return np.rint(block * factors[:, None]).astype(np.float32)


def _cut(n_rows: int, n_columns: int) -> Iterator[slice]:
    """Yield slices of rows that take little memory."""
    step = max(1, _NUMBERS_AT_ONCE // n_columns)
    for start in range(0, n_rows, step):
        yield slice(start, min(start + step, n_rows))


def _find_lengths(block: NDArray[np.float32]) -> NDArray[np.float64]:
    wide = block.astype(np.float64)
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", wide, wide)))


def _count_ranks(
    comparison: Comparison, probes: NDArray[np.uint16], checked: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Count the pairs of the rows checked by the rank of the cell in which they are found.

    Returns
    -------
    ndarray of int64
        (n_probes + 1,) the last one for the pairs that are not found.
    """
    n_probes = probes.shape[1]
    own_cell = probes[:, 0]
    counts = np.zeros(n_probes + 1, np.int64)
    is_checked = np.zeros(comparison.n_rows, bool)
    is_checked[checked] = True
    for first, second, _ in evaluate(comparison, search_rows(comparison, checked)):
        # A pair of two rows checked comes twice.
        once = (first < second) | ~is_checked[second]
        pairs = (first[once], second[once])
        ranks = np.full(int(once.sum()), n_probes)
        for a, b in (pairs, pairs[::-1]):
            same = probes[a] == own_cell[b][:, None]
            ranks = np.minimum(ranks, np.where(same.any(axis=1), same.argmax(axis=1), n_probes))
        counts += np.bincount(ranks, minlength=n_probes + 1)
    return counts
