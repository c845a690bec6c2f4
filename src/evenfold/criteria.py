"""Criteria: what must come out even, as columns of one sparse matrix over rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ._input import Balance
from .labels import Labels

# Real amounts are kept as whole numbers, so that sums do not depend on their order: the mean of a column becomes 2 to this power.
AMOUNT_BITS = 10


@dataclass(frozen=True, eq=False, slots=True)
class Criteria:
    """Rows × criteria as CSR; lower levels come first.

    Attributes
    ----------
    indptr, indices : as in `Labels`; every criterion is held by some row
    amounts : (n_entries,) how much of the criterion the row holds; empty: 1 each
    level_of_criterion : (n_criteria,) 0 for labels, 1 for what is kept even after them
    is_amount : (n_criteria,) True for totals of real numbers, False for numbers of rows
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    amounts: NDArray[np.int64]
    level_of_criterion: NDArray[np.int64]
    is_amount: NDArray[np.bool_]


def make_criteria(labels: Labels, balance: Sequence[Balance] = ()) -> Criteria:
    """Take each label as a criterion and, one level later, what else is to be even: unknown rows, categories, bins, totals.

    Without labels, the rest is the first level. Criteria that no row holds are dropped, so that they cannot shift what a method
    draws: a matrix with an empty column and label lists, which cannot have one, give the same split.
    """
    count = labels.count_of_label
    if labels.unknown is None and not balance:
        indices = labels.indices if count.all() else (np.cumsum(count > 0) - 1)[labels.indices].astype(np.int32)
        return Criteria(labels.indptr, indices, np.empty(0, np.int64), *_kinds(int(np.count_nonzero(count)), 0, 0))
    counts = [_rows_of(labels.indptr, labels.indices, labels.n_labels)]
    if labels.unknown is not None:
        # Where the unknown rows of a label are even, so are the known ones.
        counts.append(_rows_of(*labels.unknown, labels.n_labels))
    counts += [_one_hot(column.code) for column in balance if column.code is not None]
    totals = [_whole_amounts(column.amount) for column in balance if column.amount is not None]
    joined = sparse.csr_array(sparse.hstack([*counts, *totals], format="csr"))
    held = np.bincount(joined.indices, minlength=joined.shape[1]) > 0
    number_of = np.cumsum(held) - 1
    n_held = [int(held[:stop].sum()) for stop in (labels.n_labels, sum(block.shape[1] for block in counts), len(held))]
    return Criteria(
        joined.indptr.astype(np.int64),
        number_of[joined.indices].astype(np.int32),
        joined.data.astype(np.int64) if totals else np.empty(0, np.int64),
        *_kinds(n_held[0], n_held[1] - n_held[0], n_held[2] - n_held[1]),
    )


def _kinds(n_labels: int, n_counts: int, n_totals: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    level = np.repeat([0, 1 if n_labels else 0], [n_labels, n_counts + n_totals])
    return level.astype(np.int64), np.repeat([False, True], [n_labels + n_counts, n_totals])


def _rows_of(indptr: NDArray[np.int64], indices: NDArray[np.int32], n_columns: int) -> sparse.csr_array:
    return sparse.csr_array((np.ones(len(indices), np.int64), indices, indptr), shape=(len(indptr) - 1, n_columns))


def _one_hot(code: NDArray[np.int64]) -> sparse.csr_array:
    return sparse.csr_array((np.ones(len(code), np.int64), (np.arange(len(code)), code)))


def _whole_amounts(amount: NDArray[np.float64]) -> sparse.csr_array:
    positive = amount[amount > 0]
    scale = 2.0**AMOUNT_BITS / positive.mean() if len(positive) else 1.0
    return sparse.csr_array(np.round(amount * scale).astype(np.int64).reshape(-1, 1))
