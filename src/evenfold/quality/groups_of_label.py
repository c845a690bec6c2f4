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
