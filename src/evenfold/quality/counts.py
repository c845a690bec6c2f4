"""What measures and their bounds are computed from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..problem.parts import Parts
from .groups_of_label import GroupsOfLabel
from .part_counts import PartCounts
from .values import Floats, Ints


@dataclass(frozen=True, eq=False, slots=True)
class Counts:
    """Rows of a split, counted.

    Attributes
    ----------
    count : (n_parts, n_labels) array of int
        Rows of each label in each part.
    size : (n_parts, n_labels) or (n_parts, 1) array of int
        Rows of each part in which the label is known.
    n_in_part : (n_parts,) array of int
        Rows of each part.
    amount : (n_parts, n_amounts) array of float
        Total of each balanced amount in each part.
    parts : Parts
        The wanted shares.
    """

    count: Ints
    size: Ints
    n_in_part: Ints
    amount: Floats
    parts: Parts

    @property
    def rows(self) -> Ints:
        """(n_labels,) rows of each label."""
        return np.asarray(self.count.sum(axis=0))

    @property
    def lacks(self) -> NDArray[np.bool_]:
        """(n_parts, n_labels) whether a part lacks a label that some row holds."""
        return np.asarray((self.count == 0) & (self.rows > 0))

    @property
    def shared_out(self) -> NDArray[np.int64] | Floats:
        """(n_parts, n_items) counts of the labels that have rows; without any, the amounts."""
        held = self.rows > 0
        if held.any() or not self.amount.shape[1]:
            return self.count[:, held]
        return self.amount[:, self.amount.sum(axis=0) > 0]

    def if_held(self, own: Floats) -> Floats:
        """Return values of the labels, NaN for labels without rows."""
        return np.where(self.rows > 0, own, np.nan)


@dataclass(frozen=True, eq=False, slots=True)
class Limits:
    """What limits how even any split can be.

    Attributes
    ----------
    rows : (n_labels,) array of int
        Rows of each label.
    size : (n_parts, n_labels) or (n_parts, 1) array of int
        Rows of each part in which the label is known.
    parts : Parts
        The wanted shares.
    n_rows : int
        Rows of the data.
    groups : GroupsOfLabel or None
        How the labels lie in groups that stay whole; None without groups.
    """

    rows: Ints
    size: Ints
    parts: Parts
    n_rows: int
    groups: GroupsOfLabel | None = None

    def if_held(self, own: Floats) -> Floats:
        """Return values of the labels, NaN for labels without rows."""
        return np.where(self.rows > 0, own, np.nan)

    def bound_once(self, bound: Callable[[Ints, Ints], Floats]) -> Floats:
        """Compute a bound, a function of `rows` and `size`, once for each number of rows.

        Labels of equally many rows have the same bound, unless the sizes differ by label.
        """
        if self.size.shape[1] > 1:
            return bound(self.rows, self.size)
        occurs = np.bincount(self.rows) > 0
        number_of_label = (np.cumsum(occurs) - 1)[self.rows]
        return np.asarray(bound(np.flatnonzero(occurs), self.size)[number_of_label])


def make_counts(part_counts: PartCounts) -> Counts:
    """Count the rows of a split."""
    return Counts(
        part_counts.count_labels(),
        part_counts.count_known(),
        part_counts.sizes,
        part_counts.sum_amounts(),
        part_counts.parts,
    )
