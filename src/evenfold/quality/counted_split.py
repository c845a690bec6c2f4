"""CountedSplit: a split of which only the rows of each label in each part are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..problem.parts import Parts
from .groups_of_label import GroupsOfLabel
from .part_counts import GroupCounts
from .values import Floats, Ints


@dataclass(frozen=True, eq=False, slots=True)
class CountedSplit:
    """A split without its rows; every label is known in every row, every group is whole.

    Attributes
    ----------
    label_names : sequence of str or int
        The name of each label.
    count : (n_parts, n_labels) array of int
        Rows of each label in each part.
    sizes : (n_parts,) array of int
        Rows in each part.
    parts : Parts
        Names and wanted shares of the parts.
    groups : GroupsOfLabel or None
        How the rows of each label lie in groups; None without groups.
    n_groups_of_part : (n_parts,) array of int or None
        Groups in each part; None if they are not known.
    """

    label_names: Sequence[Any]
    count: Ints
    sizes: Ints
    parts: Parts
    groups: GroupsOfLabel | None = None
    n_groups_of_part: Ints | None = None

    @property
    def rows(self) -> None:
        """The rows, which are not known."""
        return

    def count_labels(self) -> Ints:
        """Return (n_parts, n_labels) rows of each label in each part."""
        return self.count

    def count_known(self) -> Ints:
        """Return (n_parts, 1) rows of each part."""
        return self.sizes[:, None]

    def sum_amounts(self) -> Floats:
        """Return (n_parts, 0): no amounts are known."""
        return np.zeros((len(self.parts), 0))

    def count_groups(self) -> GroupCounts | None:
        """Return the groups in each part; None if they are not known."""
        if self.n_groups_of_part is None:
            return None
        return GroupCounts(int(self.n_groups_of_part.sum()), 0, self.n_groups_of_part)

    def find_groups_of_label(self) -> GroupsOfLabel | None:
        """Return how the rows of each label lie in groups; None without groups."""
        return self.groups
