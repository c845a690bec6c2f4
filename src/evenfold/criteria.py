"""Criteria: what must come out even, as columns of one sparse matrix over rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ._input import Balance
from .combinations import make_pairs
from .labels import Labels
from .labelsets import number_labelsets

# Real amounts are kept as whole numbers, so that sums do not depend on their order: the mean of a column becomes 2 to this power.
AMOUNT_BITS = 10


@dataclass(frozen=True, eq=False, slots=True)
class Criteria:
    """Rows × criteria as CSR; lower levels come first.

    Attributes
    ----------
    indptr, indices : as in `Labels`; every criterion is held by some row
    amounts : (n_entries,) how much of the criterion the row holds; empty: 1 each
    level_of_criterion : (n_criteria,) 0 for labels, 1 for what is kept even after them, 2 for label pairs
    is_amount : (n_criteria,) True for totals of real numbers, False for numbers of rows
    left_out : what was not made a criterion to stay within memory, in words
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    amounts: NDArray[np.int64]
    level_of_criterion: NDArray[np.int64]
    is_amount: NDArray[np.bool_]
    left_out: str = ""


def make_criteria(labels: Labels, balance: Sequence[Balance] = (), families: bool = False, pairs: bool = False) -> Criteria:
    """Take each label as a criterion and, one level later, what else is to be even: unknown rows, categories, bins, totals.

    `families`: also what single labels leave open: labelsets, the number of labels of a row, how rare its rarest label is; `pairs`: also
    label pairs, at a level of their own. Criteria that no row holds are dropped, so that they cannot shift what a method draws: a
    matrix with an empty column and label lists, which cannot have one, give the same split.
    """
    count = labels.count_of_label
    if labels.unknown is None and not balance and not families and not pairs:
        indices = labels.indices if count.all() else (np.cumsum(count > 0) - 1)[labels.indices].astype(np.int32)
        n_held = int(np.count_nonzero(count))
        return Criteria(labels.indptr, indices, np.empty(0, np.int64), np.zeros(n_held, np.int64), np.zeros(n_held, bool))
    counts = [_rows_of(labels.indptr, labels.indices, labels.n_labels)]
    if labels.unknown is not None:
        # Where the unknown rows of a label are even, so are the known ones.
        counts.append(_rows_of(*labels.unknown, labels.n_labels))
    counts += [_one_hot(column.code) for column in balance if column.code is not None]
    counts += _families(labels) if families and len(labels.indices) else []
    paired, left_out = [], ""
    if pairs:
        pair, left_out = make_pairs(labels)
        paired = [_rows_of(pair.indptr, pair.indices, pair.n_labels)]
    totals = [_whole_amounts(column.amount) for column in balance if column.amount is not None]
    joined = sparse.csr_array(sparse.hstack([*counts, *paired, *totals], format="csr"))
    widths = [labels.n_labels, *(sum(block.shape[1] for block in blocks) for blocks in (counts[1:], paired, totals))]
    # Without labels, the rest comes first.
    level = np.repeat([0, 1, 2, 1] if len(labels.indices) else [0, 0, 0, 0], widths).astype(np.int64)
    is_amount = np.repeat([False, False, False, True], widths)
    held = np.bincount(joined.indices, minlength=joined.shape[1]) > 0
    number_of = np.cumsum(held) - 1
    amounts = joined.data.astype(np.int64) if totals else np.empty(0, np.int64)
    return Criteria(joined.indptr.astype(np.int64), number_of[joined.indices].astype(np.int32), amounts, level[held], is_amount[held], left_out)


def _families(labels: Labels) -> list[sparse.csr_array]:
    """Return what lowers the variance of estimates beyond even labels, each a block of criteria.

    Very rare labels clump (a single row costs the same in any part), rows without labels drift, and labelsets are ignored, unless
    they are criteria of their own.
    """
    n_labels_of_row = np.diff(labels.indptr)
    labelset = number_labelsets(labels.indptr, labels.indices, np.empty(0, np.int64))
    labelset = np.where(np.bincount(labelset)[labelset] > 1, labelset, -1)
    held = np.flatnonzero(n_labels_of_row)
    rarest = np.minimum.reduceat(labels.count_of_label[labels.indices], labels.indptr[held])
    rung = np.full(labels.n_rows, -1)
    rung[held] = np.log2(rarest).astype(np.int64)
    return [_one_hot(labelset), _one_hot(n_labels_of_row), _one_hot(rung)]


def _rows_of(indptr: NDArray[np.int64], indices: NDArray[np.int32], n_columns: int) -> sparse.csr_array:
    return sparse.csr_array((np.ones(len(indices), np.int64), indices, indptr), shape=(len(indptr) - 1, n_columns))


def _one_hot(code: NDArray[np.int64]) -> sparse.csr_array:
    """Return one column per code; rows of code -1 hold none."""
    held = code >= 0
    indptr = np.concatenate(([0], np.cumsum(held)))
    return sparse.csr_array((np.ones(int(held.sum()), np.int64), code[held], indptr), shape=(len(code), int(code.max(initial=-1)) + 1))


def _whole_amounts(amount: NDArray[np.float64]) -> sparse.csr_array:
    positive = amount[amount > 0]
    scale = 2.0**AMOUNT_BITS / positive.mean() if len(positive) else 1.0
    return sparse.csr_array(np.round(amount * scale).astype(np.int64).reshape(-1, 1))
