"""Criteria: what must come out even, as columns of one sparse matrix over rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .labels import Labels


@dataclass(frozen=True, eq=False, slots=True)
class Criteria:
    """Rows × criteria as CSR; lower levels come first.

    Attributes
    ----------
    indptr, indices : as in `Labels`; every criterion is held by some row
    amounts : (n_entries,) how much of the criterion the row holds; empty: 1 each
    level_of_criterion : (n_criteria,) 0 for labels, 1 for what is kept even after them
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    amounts: NDArray[np.int64]
    level_of_criterion: NDArray[np.int64]


def make_criteria(labels: Labels) -> Criteria:
    """Take each label that occurs as a criterion and, one level later, the known rows of labels that are partly unknown.

    Labels without rows are dropped, so that they cannot shift what a method draws: a matrix with an empty column and
    label lists, which cannot have one, give the same split.
    """
    count = labels.count_of_label
    held = np.flatnonzero(count)
    indptr, indices = labels.indptr, labels.indices
    if len(held) < len(count):
        number_of = np.cumsum(count > 0) - 1
        indices = number_of[indices].astype(np.int32)
    level = np.zeros(len(held), np.int64)
    if labels.unknown is not None:
        indptr, indices, n_unknown = _with_unknown(labels, indptr, indices, len(held))
        level = np.concatenate((level, np.ones(n_unknown, np.int64)))
    return Criteria(indptr, indices, np.empty(0, np.int64), level)


def _with_unknown(
    labels: Labels, indptr: NDArray[np.int64], indices: NDArray[np.int32], n_before: int
) -> tuple[NDArray[np.int64], NDArray[np.int32], int]:
    """Append one criterion per partly unknown label: its unknown rows. Where those are even, so are the known ones."""
    assert labels.unknown is not None
    own_indptr, own_indices = labels.unknown
    partly = np.bincount(own_indices, minlength=labels.n_labels) > 0
    number_of = n_before + np.cumsum(partly) - 1
    row = np.concatenate([np.repeat(np.arange(labels.n_rows), np.diff(pointer)) for pointer in (indptr, own_indptr)])
    merged = np.concatenate((indices, number_of[own_indices]))
    order = np.argsort(row, kind="stable")
    return indptr + own_indptr, merged[order].astype(np.int32), int(partly.sum())
