"""Placement: rows with their labels, and the part each is in; what a quality is the quality of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ..labels.balances import Balance
from ..labels.labels import Labels
from ..problem.parts import Parts

# Entries counted at once: enough to make the sums over parts × labels cheap, few enough to need little memory.
_AT_ONCE = 1 << 22


@dataclass(frozen=True, eq=False, slots=True)
class Placement:
    """Rows as they are cut.

    Attributes
    ----------
    labels : of the rows
    part_of_row : (n_rows,) the number of each row's part
    parts : what the parts are called, and the shares they were to have
    group_of_row : (n_rows,) the groups that were to stay whole, or None
    balance : what was to be even besides labels
    """

    labels: Labels
    part_of_row: NDArray[np.int32]
    parts: Parts
    group_of_row: NDArray[np.int64] | None = None
    balance: Sequence[Balance] = ()

    @property
    def sizes(self) -> NDArray[np.int64]:
        """(n_parts,) rows in each part."""
        return np.bincount(self.part_of_row, minlength=len(self.parts))

    def count_labels(self) -> NDArray[np.int64]:
        """Return (n_parts, n_labels) rows of each label in each part."""
        return self._count(self.labels.indptr, self.labels.indices)

    def count_known(self) -> NDArray[np.int64]:
        """Return (n_parts, n_labels) rows of each part in which each label is known, or (n_parts, 1) where all are."""
        size = self.sizes[:, None]
        return size if self.labels.unknown is None else size - self._count(*self.labels.unknown)

    def _count(self, indptr: NDArray[np.int64], indices: NDArray[np.int32]) -> NDArray[np.int64]:
        """Count without a dense rows × labels array."""
        n_labels = self.labels.n_labels
        total = np.zeros(len(self.parts) * n_labels, np.int64)
        start = 0
        while start < len(self.part_of_row):
            stop = max(
                start + 1, int(np.searchsorted(indptr, indptr[start] + _AT_ONCE, side="right")) - 1
            )
            part = np.repeat(
                self.part_of_row[start:stop].astype(np.int64), np.diff(indptr[start : stop + 1])
            )
            total += np.bincount(
                part * n_labels + indices[indptr[start] : indptr[stop]], minlength=len(total)
            )
            start = stop
        return total.reshape(len(self.parts), n_labels)


class Measured(Protocol):
    """A `Quality`, as figures and reports read it: they come before it on the way, so that it can offer them."""

    @property
    def placement(self) -> Placement:
        """The rows it measures."""
        ...

    @property
    def bound(self) -> Any:
        """The least each measure could be."""
        ...

    @property
    def per_label(self) -> np.recarray[Any, Any]:
        """One record per label."""
        ...

    @property
    def per_part(self) -> np.recarray[Any, Any]:
        """One record per part."""
        ...

    @property
    def per_balance(self) -> np.recarray[Any, Any]:
        """One record per balanced criterion."""
        ...

    @property
    def n_cut_groups(self) -> int:
        """Groups that are in more than one part."""
        ...

    def measure_other(self, part_of_row: NDArray[np.int32]) -> Measured:
        """Measure another split of the same rows into the same parts."""
        ...
