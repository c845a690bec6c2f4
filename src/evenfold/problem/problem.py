"""Problem: all a method sees. Units × criteria, the sizes wanted, nothing about labels, patients or frames."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from .._kernels.entries import count_entries, sum_draws
from ..exceptions import ImpossibleSplit
from .criteria import AMOUNT_BITS, Criteria
from .parts import Parts, share_out


@dataclass(frozen=True, eq=False)
class Problem:
    """Units to be placed whole, and what must come out even over the parts.

    Attributes
    ----------
    indptr, indices, amounts : units × criteria as CSR; `amounts` empty: 1 each
    level_of_criterion : (n_criteria,) lower levels first
    is_amount : (n_criteria,) True for totals of real numbers, False for numbers of rows
    rows_of_unit : (n_units,) rows each unit stands for
    weights : (n_parts,) wanted shares as whole numbers
    sizes : (n_parts,) rows each part should get; sums to the rows
    fixed : (n_units,) the part of units that may not move, -1 where free
    start : (n_units,) a split to improve, or None
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    amounts: NDArray[np.int64]
    level_of_criterion: NDArray[np.int64]
    is_amount: NDArray[np.bool_]
    rows_of_unit: NDArray[np.int64]
    weights: NDArray[np.int64]
    sizes: NDArray[np.int64]
    fixed: NDArray[np.int32]
    start: NDArray[np.int32] | None

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

    @functools.cached_property
    def total_of_criterion(self) -> NDArray[np.int64]:
        """(n_criteria,) amount of each criterion over all units."""
        if not len(self.amounts):
            return count_entries(self.indices, self.n_criteria)
        return np.bincount(self.indices, self.amounts, minlength=self.n_criteria).astype(np.int64)

    def count_rows(self, part_of_unit: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return (n_parts,) the rows in each part."""
        if self.n_units == self.n_rows:
            return count_entries(part_of_unit, self.n_parts)
        return np.bincount(part_of_unit, self.rows_of_unit, minlength=self.n_parts).astype(np.int64)

    def to_csr(self) -> sparse.csr_array:
        """Return units × criteria with the amounts as floats."""
        amounts = self.amounts if len(self.amounts) else np.ones(len(self.indices))
        return sparse.csr_array(
            (amounts.astype(np.float64), self.indices, self.indptr),
            shape=(self.n_units, self.n_criteria),
        )


def make_problem(
    criteria: Criteria,
    parts: Parts,
    group_of_row: NDArray[np.int64] | None,
    rng: np.random.Generator,
    fixed: NDArray[np.int32] | None = None,
    start: NDArray[np.int32] | None = None,
    may_outgrow: bool = False,
) -> Problem:
    """Put criteria, parts, groups and fixed rows together; refuse what cannot be had.

    `may_outgrow`: a part may keep more fixed rows than its share; the others then share what is left.
    """
    n_rows = len(criteria.indptr) - 1
    rows_of_unit = np.ones(n_rows, np.int64)
    fixed = np.full(n_rows, -1, np.int32) if fixed is None else fixed
    if group_of_row is not None:
        rows_of_unit = np.bincount(group_of_row).astype(np.int64)
        criteria = sum_by_group(criteria, group_of_row)
        fixed = _part_of_group(fixed, group_of_row, parts)
        start = None if start is None else _most_common_part(start, group_of_row, len(parts))
    is_fixed = fixed >= 0
    n_fixed = np.bincount(fixed[is_fixed], rows_of_unit[is_fixed], minlength=len(parts)).astype(
        np.int64
    )
    sizes = share_out(n_rows, parts, rng, n_fixed, may_outgrow)
    if start is not None:
        # Which parts get a row more is open; a start that has sizes as good keeps them.
        own = np.bincount(start, rows_of_unit, minlength=len(parts)).astype(np.int64)
        if (np.abs(own - n_rows * parts.shares) < 1 - 1e-9).all() and (own >= n_fixed).all():
            sizes = own
    if group_of_row is not None:
        _check_groups_fit(rows_of_unit[~is_fixed], rows_of_unit, sizes)
    if start is not None:
        start = np.where(is_fixed, fixed, start).astype(np.int32)
    return Problem(
        criteria.indptr,
        criteria.indices,
        criteria.amounts,
        criteria.level_of_criterion,
        criteria.is_amount,
        rows_of_unit,
        parts.weights,
        sizes,
        fixed,
        start,
    )


def keep_levels(problem: Problem, last: int) -> Problem:
    """Return the same problem with the criteria of level 0 to `last` alone."""
    wanted = problem.level_of_criterion <= last
    if wanted.all():
        return problem
    kept = wanted[problem.indices]
    running = np.concatenate(([0], np.cumsum(kept)))
    number_of = np.cumsum(wanted) - 1
    return replace(
        problem,
        indptr=running[problem.indptr],
        indices=number_of[problem.indices[kept]].astype(np.int32),
        amounts=problem.amounts[kept] if len(problem.amounts) else problem.amounts,
        level_of_criterion=problem.level_of_criterion[wanted],
        is_amount=problem.is_amount[wanted],
    )


def draw_for_units(problem: Problem, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return a random number for each unit, of as many bits as leave their sum over all rows within 63, amounts of AMOUNT_BITS on average."""
    return rng.integers(0, 1 << (62 - AMOUNT_BITS - problem.n_rows.bit_length()), problem.n_units)


def rank_criteria(problem: Problem, draw: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the criteria sorted by the sum of their units' draws.

    That is a random order which depends on the units that hold a criterion, not on its column.
    """
    sum_of_draws = np.zeros(problem.n_criteria, np.int64)
    sum_draws.for_work(len(problem.indices))(
        problem.indptr, problem.indices, problem.amounts, draw, sum_of_draws
    )
    return np.argsort(sum_of_draws, kind="stable")


def order_criteria(problem: Problem, rng: np.random.Generator) -> Problem:
    """Return the same problem with its criteria in a random order that depends on what holds them, not on where their columns stand.

    For methods that add up fractions: sums then have the same terms in the same order, however the labels came.
    """
    order = rank_criteria(problem, draw_for_units(problem, rng))
    place_of = np.empty(problem.n_criteria, np.int32)
    place_of[order] = np.arange(problem.n_criteria, dtype=np.int32)
    by_unit = sparse.csr_array(
        (
            problem.amounts if len(problem.amounts) else np.ones(len(problem.indices), np.int64),
            place_of[problem.indices],
            problem.indptr,
        ),
        shape=(problem.n_units, problem.n_criteria),
    )
    by_unit.sort_indices()
    return replace(
        problem,
        indices=by_unit.indices.astype(np.int32),
        amounts=by_unit.data if len(problem.amounts) else problem.amounts,
        level_of_criterion=problem.level_of_criterion[order],
        is_amount=problem.is_amount[order],
    )


def fill_empty_parts(problem: Problem, part_of_unit: NDArray[np.int32]) -> None:
    """Give each part without rows the smallest unit that another part can spare, in place: large groups can leave a part none."""
    n_units_in = np.bincount(part_of_unit, minlength=problem.n_parts)
    for part in np.flatnonzero(n_units_in == 0):
        spare = np.flatnonzero((problem.fixed < 0) & (n_units_in[part_of_unit] > 1))
        if len(spare):
            unit = spare[np.argmin(problem.rows_of_unit[spare])]
            n_units_in[part_of_unit[unit]] -= 1
            n_units_in[part] += 1
            part_of_unit[unit] = part


def sum_by_group(criteria: Criteria, group_of_row: NDArray[np.int64]) -> Criteria:
    """Add up the rows of each group."""
    n_rows = len(group_of_row)
    amounts = (
        criteria.amounts if len(criteria.amounts) else np.ones(len(criteria.indices), np.int64)
    )
    by_row = sparse.csr_array(
        (amounts, criteria.indices, criteria.indptr),
        shape=(n_rows, len(criteria.level_of_criterion)),
    )
    membership = sparse.csr_array((np.ones(n_rows, np.int64), (group_of_row, np.arange(n_rows))))
    by_group = sparse.csr_array(membership @ by_row)
    by_group.sort_indices()
    return Criteria(
        by_group.indptr.astype(np.int64),
        by_group.indices.astype(np.int32),
        by_group.data,
        criteria.level_of_criterion,
        criteria.is_amount,
    )


def _part_of_group(
    fixed: NDArray[np.int32], group_of_row: NDArray[np.int64], parts: Parts
) -> NDArray[np.int32]:
    """Return the part of each group that holds a fixed row; all of its rows go there."""
    part_of_group = np.full(int(group_of_row.max()) + 1, -1, np.int32)
    held = np.flatnonzero(fixed >= 0)
    part_of_group[group_of_row[held]] = fixed[held]
    torn = held[part_of_group[group_of_row[held]] != fixed[held]]
    if len(torn):
        row = int(torn[0])
        other = int(
            held[(group_of_row[held] == group_of_row[row]) & (fixed[held] != fixed[row])][0]
        )
        raise ImpossibleSplit(
            f"must keep groups whole, got rows {row} and {other} of one group in '{parts.names[fixed[row]]}' and "
            f"'{parts.names[fixed[other]]}'. Fix them in one part, or split the group.",
            parameter="fixed",
        )
    return part_of_group


def _most_common_part(
    start: NDArray[np.int32], group_of_row: NDArray[np.int64], n_parts: int
) -> NDArray[np.int32]:
    """Return the part that holds most rows of each group, so that a split which cuts groups can be a start too."""
    n_groups = int(group_of_row.max()) + 1
    votes = np.bincount(group_of_row * n_parts + start, minlength=n_groups * n_parts).reshape(
        n_groups, n_parts
    )
    most: NDArray[np.int32] = votes.argmax(axis=1).astype(np.int32)
    return most


def _check_groups_fit(
    rows_of_free_group: NDArray[np.int64],
    rows_of_group: NDArray[np.int64],
    sizes: NDArray[np.int64],
) -> None:
    if len(rows_of_group) < len(sizes):
        raise ImpossibleSplit(
            f"must be at most the number of groups, got {len(sizes):,} parts for {len(rows_of_group):,} groups. "
            "Ask for fewer parts, or split the groups.",
            parameter="parts",
        )
    largest, room = int(rows_of_free_group.max(initial=0)), int(sizes.max())
    if largest > room:
        raise ImpossibleSplit(
            f"puts {largest:,} of {rows_of_group.sum():,} rows into one group, more than the largest part ({room:,}). "
            "Ask for fewer or larger parts, or split the group.",
            parameter="groups",
        )
