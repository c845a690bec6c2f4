"""Units: the rows or groups of a partition, with their criteria."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._kernels.entries import count_in_parts


class Units(NamedTuple):
    """Units × criteria as CSR, by the numbers that criteria have in all partitions.

    Attributes
    ----------
    indptr : NDArray[np.int64]
        (n_units + 1,) where the entries of each unit begin.
    indices : NDArray[np.int32]
        (n_entries,) the criterion of each entry, sorted in each unit.
    amounts : NDArray[np.int64]
        (n_entries,) how much of the criterion the unit has; empty: 1 each.
    rows : NDArray[np.int64]
        (n_units,) rows of each unit.
    fixed : NDArray[np.int32]
        (n_units,) the part of units that may not move, -1 where free; empty: all are free.
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    amounts: NDArray[np.int64]
    rows: NDArray[np.int64]
    fixed: NDArray[np.int32]

    @property
    def n_units(self) -> int:
        """Number of units."""
        return len(self.indptr) - 1

    @property
    def lengths(self) -> NDArray[np.int64]:
        """(n_units,) entries of each unit."""
        return np.diff(self.indptr)

    @property
    def is_free(self) -> NDArray[np.bool_]:
        """(n_units,) whether each unit may move."""
        return self.fixed < 0 if len(self.fixed) else np.ones(self.n_units, bool)

    def take(self, chosen: NDArray[np.bool_]) -> Units:
        """Return some of the units, in their order."""
        if chosen.all():
            return self
        lengths = self.lengths
        kept = np.repeat(chosen, lengths)
        return Units(
            np.concatenate(([0], np.cumsum(lengths[chosen]))),
            self.indices[kept],
            self.amounts[kept] if len(self.amounts) else self.amounts,
            self.rows[chosen],
            self.fixed[chosen] if len(self.fixed) else self.fixed,
        )

    def add_up(self, n_criteria: int) -> NDArray[np.int64]:
        """Return (n_criteria,) the amount of each criterion."""
        if not len(self.amounts):
            return np.bincount(self.indices, minlength=n_criteria)
        return np.bincount(self.indices, self.amounts, n_criteria).astype(np.int64)

    def count_in_parts(
        self, part_of_unit: NDArray[np.int32], n_criteria: int, n_parts: int
    ) -> NDArray[np.int64]:
        """Return (n_criteria, n_parts) the amount of each criterion in each part."""
        held = np.zeros((n_criteria, n_parts), np.int64)
        count_in_parts.for_work(len(self.indices))(
            self.indptr, self.indices, self.amounts, part_of_unit, held
        )
        return held

    def count_rows(self, part_of_unit: NDArray[np.int32], n_parts: int) -> NDArray[np.int64]:
        """Return (n_parts,) the rows in each part."""
        return np.bincount(part_of_unit, self.rows, n_parts).astype(np.int64)


def to_record(units: Units) -> dict[str, NDArray[np.integer[Any]]]:
    """Return units as fields of a record; `from_record` reads them."""
    return {
        "lengths": units.lengths,
        "indices": units.indices,
        "amounts": units.amounts,
        "rows_of_unit": units.rows,
    }


UNIT_FIELDS = ("lengths", "indices", "amounts", "rows_of_unit")


def from_record(record: Mapping[str, Any]) -> Units:
    """Return the units that `to_record` wrote; all of them are free."""
    return Units(
        np.concatenate(([0], np.cumsum(record["lengths"]))).astype(np.int64),
        record["indices"],
        record["amounts"],
        record["rows_of_unit"],
        np.empty(0, np.int32),
    )


def stack_units(pieces: list[Units]) -> Units:
    """Return the units of all pieces, one piece after the other."""
    if len(pieces) == 1:
        return pieces[0]
    lengths = np.concatenate([np.empty(0, np.int64), *(piece.lengths for piece in pieces)])
    counted = any(len(piece.amounts) for piece in pieces)
    return Units(
        np.concatenate(([0], np.cumsum(lengths))),
        np.concatenate([np.empty(0, np.int32), *(piece.indices for piece in pieces)]),
        np.concatenate([np.empty(0, np.int64), *(_list_amounts(piece) for piece in pieces)])
        if counted
        else np.empty(0, np.int64),
        np.concatenate([np.empty(0, np.int64), *(piece.rows for piece in pieces)]),
        np.concatenate([np.empty(0, np.int32), *(piece.fixed for piece in pieces)]),
    )


def _list_amounts(units: Units) -> NDArray[np.int64]:
    return units.amounts if len(units.amounts) else np.ones(len(units.indices), np.int64)
