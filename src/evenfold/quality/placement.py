"""Placement: rows with their labels, and the part that each is in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..labels.balances import Balance
from ..labels.labels import Labels
from ..problem.parts import Parts
from .groups_of_label import GroupsOfLabel, find_groups_of_label
from .part_counts import GroupCounts
from .pieces import find_pieces

# Entries counted at once, 12 bytes each. After each block the parts × labels totals are added; with
# blocks of this size that takes little time in comparison.
_ENTRIES_AT_ONCE = 1 << 22


@dataclass(frozen=True, eq=False, slots=True)
class Placement:
    """Rows and the part of each.

    Attributes
    ----------
    labels : Labels
        The labels of the rows.
    part_of_row : (n_rows,) array of int
        The number of each row's part.
    parts : Parts
        Names and wanted shares of the parts.
    group_of_row : (n_rows,) array of int or None
        The groups that were to stay whole.
    balance : sequence of Balance
        What was to be even besides labels.
    """

    labels: Labels
    part_of_row: NDArray[np.int32]
    parts: Parts
    group_of_row: NDArray[np.int64] | None = None
    balance: Sequence[Balance] = ()

    @property
    def label_names(self) -> Sequence[Any]:
        """The name of each label."""
        return self.labels.names

    @property
    def rows(self) -> Placement:
        """The rows and the part of each: itself."""
        return self

    @property
    def sizes(self) -> NDArray[np.int64]:
        """(n_parts,) rows in each part."""
        return np.bincount(self.part_of_row, minlength=len(self.parts))

    def count_labels(self) -> NDArray[np.int64]:
        """Return (n_parts, n_labels) rows of each label in each part."""
        return self._count(self.labels.indptr, self.labels.indices)

    def count_known(self) -> NDArray[np.int64]:
        """Return (n_parts, n_labels) rows of each part in which each label is known.

        (n_parts, 1) where every label is known in every row.
        """
        size = self.sizes[:, None]
        return size if self.labels.unknown is None else size - self._count(*self.labels.unknown)

    def count_values(
        self, code_of_row: NDArray[np.int64], n_values: int | None = None
    ) -> NDArray[np.int64]:
        """Return (n_parts, n_values) rows of each part that have each value, given as codes."""
        n_values = int(code_of_row.max()) + 1 if n_values is None else n_values
        cell = self.part_of_row.astype(np.int64) * n_values + code_of_row
        return np.bincount(cell, minlength=len(self.parts) * n_values).reshape(-1, n_values)

    def sum_amounts(self) -> NDArray[np.float64]:
        """Return (n_parts, n_amounts) the total of each balanced amount in each part."""
        amounts = [column.amount for column in self.balance if column.amount is not None]
        n_parts = len(self.parts)
        totals = [np.bincount(self.part_of_row, own, minlength=n_parts) for own in amounts]
        return np.array(totals, dtype=np.float64).reshape(len(amounts), n_parts).T

    def count_groups(self) -> GroupCounts | None:
        """Return the groups in each part; None without groups."""
        if self.group_of_row is None:
            return None
        n_parts = len(self.parts)
        pieces = find_pieces(self.group_of_row, self.part_of_row, n_parts)
        n_parts_of_group = pieces.count_parts()
        return GroupCounts(
            int((n_parts_of_group > 0).sum()),
            int((n_parts_of_group > 1).sum()),
            np.bincount(pieces.part, minlength=n_parts),
        )

    def find_groups_of_label(self) -> GroupsOfLabel | None:
        """Return how the rows of each label lie in groups; None without groups."""
        if self.group_of_row is None:
            return None
        return find_groups_of_label(self.labels, self.group_of_row)

    def _count(self, indptr: NDArray[np.int64], indices: NDArray[np.int32]) -> NDArray[np.int64]:
        """Count without a dense rows × labels array."""
        n_labels = self.labels.n_labels
        total = np.zeros(len(self.parts) * n_labels, np.int64)
        start = 0
        while start < len(self.part_of_row):
            stop = int(np.searchsorted(indptr, indptr[start] + _ENTRIES_AT_ONCE, side="right")) - 1
            stop = max(start + 1, stop)
            part = np.repeat(
                self.part_of_row[start:stop].astype(np.int64), np.diff(indptr[start : stop + 1])
            )
            total += np.bincount(
                part * n_labels + indices[indptr[start] : indptr[stop]], minlength=len(total)
            )
            start = stop
        return total.reshape(len(self.parts), n_labels)
