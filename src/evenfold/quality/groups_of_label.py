"""How the rows of each label lie in groups."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from ..labels.labels import Labels
from .values import Ints


class GroupsOfLabel(NamedTuple):
    """How the rows of each label lie in groups.

    Attributes
    ----------
    most_rows : (n_labels,) array of int
        The most rows of the label in one group.
    n_groups : (n_labels,) array of int
        Groups that hold the label.
    """

    most_rows: Ints
    n_groups: Ints


def find_groups_of_label(labels: Labels, group_of_row: NDArray[np.int64]) -> GroupsOfLabel:
    """Return the rows of the largest group and the number of groups of each label."""
    n_rows, n_labels = labels.n_rows, labels.n_labels
    ones = np.ones(len(labels.indices), np.int64)
    by_row = scipy.sparse.csr_array((ones, labels.indices, labels.indptr), shape=(n_rows, n_labels))
    membership = scipy.sparse.csr_array(
        (np.ones(n_rows, np.int64), (group_of_row, np.arange(n_rows)))
    )
    by_group = scipy.sparse.csr_array(membership @ by_row)
    most = np.zeros(n_labels, np.int64)
    np.maximum.at(most, by_group.indices, by_group.data)
    return GroupsOfLabel(most, np.bincount(by_group.indices, minlength=n_labels))


def count_groups_of_label(
    labels: Labels, group_of_row: NDArray[np.int64], part_of_row: NDArray[np.int32], n_parts: int
) -> Ints:
    """Return (n_parts, n_labels) groups that hold each label with a row in each part."""
    n_groups = int(group_of_row.max()) + 1
    n_labels_of_row = np.diff(labels.indptr)
    piece = group_of_row * n_parts + part_of_row
    cells = np.unique(
        np.repeat(piece, n_labels_of_row) + labels.indices.astype(np.int64) * (n_groups * n_parts)
    )
    label, part = cells // (n_groups * n_parts), cells % n_parts
    n_labels = labels.n_labels
    count = np.bincount(part * n_labels + label, minlength=n_parts * n_labels)
    return np.asarray(count.reshape(n_parts, n_labels))
