"""Label pairs and labelsets as labels, so that every measure of labels can measure them too."""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..labels.labels import Labels
from .labelsets import number_labelsets

# Limit of the (row, pair) entries that are made, 16 bytes each.
MOST_PAIR_ENTRIES = 20_000_000


class Pairs(NamedTuple):
    """Label pairs as labels.

    Attributes
    ----------
    labels : Labels
        Each pair as a label, numbered.
    left_out : str
        A sentence on rows that were left out to stay within memory; empty if there are none.
    """

    labels: Labels
    left_out: str


class Combinations:
    """Label pairs and labelsets of the same rows, each made when first read."""

    def __init__(self, labels: Labels) -> None:
        self._labels = labels

    @functools.cached_property
    def pairs(self) -> Pairs:
        """Every pair of labels that some row holds."""
        return make_pairs(self._labels)

    @functools.cached_property
    def labelsets(self) -> Labels:
        """Every distinct labelset."""
        return make_labelsets(self._labels)


def make_pairs(labels: Labels) -> Pairs:
    """Make a label of every pair of labels that some row holds, without a labels × labels matrix.

    The pairs of a row grow with the square of its labels. Past the limit, the rows with the most
    labels are left out, and `left_out` says so.
    """
    n_labels_of_row = np.diff(labels.indptr)
    n_pairs_of_row = n_labels_of_row * (n_labels_of_row - 1) // 2
    left_out = ""
    if n_pairs_of_row.sum() > MOST_PAIR_ENTRIES:
        pairs_up_to = np.cumsum(np.bincount(n_labels_of_row, n_pairs_of_row))
        most = int(np.searchsorted(pairs_up_to, MOST_PAIR_ENTRIES, side="right")) - 1
        skipped = n_labels_of_row > most
        n_pairs_of_row = np.where(skipped, 0, n_pairs_of_row)
        left_out = (
            f"{skipped.sum():,} of {labels.n_rows:,} rows, those with more than {most:,} labels, "
            "are left out of the pairs."
        )
    first, second = _pair_up(labels, n_pairs_of_row)
    key = first * labels.n_labels + second
    found, pair = np.unique(key, return_inverse=True)
    indptr = np.concatenate(([0], np.cumsum(n_pairs_of_row))).astype(np.int64)
    return Pairs(Labels(indptr, pair.astype(np.int32), range(len(found))), left_out)


def _pair_up(
    labels: Labels, n_pairs_of_row: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the two labels of each pair: every entry with each one after it in its row."""
    row = np.repeat(np.arange(labels.n_rows), np.diff(labels.indptr))
    n_after = np.where(n_pairs_of_row[row] > 0, labels.indptr[row + 1] - 1 - np.arange(len(row)), 0)
    entry = np.repeat(np.arange(len(row)), n_after)
    rank = np.arange(len(entry)) - np.repeat(np.cumsum(n_after) - n_after, n_after)
    return labels.indices[entry].astype(np.int64), labels.indices[entry + 1 + rank].astype(np.int64)


def make_labelsets(labels: Labels) -> Labels:
    """Make a label of each distinct labelset, including the empty one; each row holds one."""
    number = number_labelsets(labels.indptr, labels.indices, np.empty(0, np.int64))
    return Labels(
        np.arange(labels.n_rows + 1, dtype=np.int64),
        number.astype(np.int32),
        range(int(number.max()) + 1),
    )
