"""Problem: all a method sees. Units × criteria, the sizes wanted, nothing about labels, patients or frames."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from .criteria import Criteria
from .exceptions import ImpossibleSplit
from .parts import Parts, share_out


@dataclass(frozen=True, eq=False, slots=True)
class Problem:
    """Units to be placed whole, and what must come out even over the parts.

    Attributes
    ----------
    indptr, indices, amounts : units × criteria as CSR; `amounts` empty: 1 each
    level_of_criterion : (n_criteria,) lower levels first
    rows_of_unit : (n_units,) rows each unit stands for
    weights : (n_parts,) wanted shares as whole numbers
    sizes : (n_parts,) rows each part should get; sums to the rows
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    amounts: NDArray[np.int64]
    level_of_criterion: NDArray[np.int64]
    rows_of_unit: NDArray[np.int64]
    weights: NDArray[np.int64]
    sizes: NDArray[np.int64]

    @property
    def n_units(self) -> int:
        """Number of units."""
        return len(self.rows_of_unit)

    @property
    def n_criteria(self) -> int:
        """Number of criteria."""
        return len(self.level_of_criterion)

    @property
    def n_parts(self) -> int:
        """Number of parts."""
        return len(self.sizes)

    @property
    def n_rows(self) -> int:
        """Number of rows, which the units stand for together."""
        return int(self.sizes.sum())


def make_problem(criteria: Criteria, parts: Parts, group_of_row: NDArray[np.int64] | None, rng: np.random.Generator) -> Problem:
    """Put criteria, parts and groups together; refuse what cannot be had."""
    n_rows = len(criteria.indptr) - 1
    sizes = share_out(n_rows, parts, rng)
    rows_of_unit = np.ones(n_rows, np.int64)
    if group_of_row is not None:
        rows_of_unit = np.bincount(group_of_row)
        _check_groups_fit(rows_of_unit, sizes)
        criteria = sum_by_group(criteria, group_of_row)
    return Problem(
        criteria.indptr, criteria.indices, criteria.amounts, criteria.level_of_criterion, rows_of_unit.astype(np.int64), parts.weights, sizes
    )


def sum_by_group(criteria: Criteria, group_of_row: NDArray[np.int64]) -> Criteria:
    """Add up the rows of each group."""
    n_rows = len(group_of_row)
    amounts = criteria.amounts if len(criteria.amounts) else np.ones(len(criteria.indices), np.int64)
    by_row = sparse.csr_array((amounts, criteria.indices, criteria.indptr), shape=(n_rows, len(criteria.level_of_criterion)))
    membership = sparse.csr_array((np.ones(n_rows, np.int64), (group_of_row, np.arange(n_rows))))
    by_group = sparse.csr_array(membership @ by_row)
    by_group.sort_indices()
    return Criteria(by_group.indptr.astype(np.int64), by_group.indices.astype(np.int32), by_group.data, criteria.level_of_criterion)


def _check_groups_fit(rows_of_group: NDArray[np.int64], sizes: NDArray[np.int64]) -> None:
    if len(rows_of_group) < len(sizes):
        raise ImpossibleSplit(
            f"'parts' must be at most the number of groups, got {len(sizes):,} parts for {len(rows_of_group):,} groups. "
            "Ask for fewer parts, or split the groups."
        )
    largest, room = int(rows_of_group.max()), int(sizes.max())
    if largest > room:
        raise ImpossibleSplit(
            f"'groups' puts {largest:,} of {rows_of_group.sum():,} rows into one group, more than the largest part ({room:,}). "
            "Ask for fewer or larger parts, or split the group."
        )
