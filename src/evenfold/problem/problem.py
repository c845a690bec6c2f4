"""Problem: all that a method receives. It has units × criteria and wanted sizes, no labels."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field, replace

import numpy as np
import scipy
from numpy.typing import NDArray

from .._kernels.entries import count_entries, count_in_parts
from ..exceptions import ImpossibleSplit
from .cover import find_least, find_price_of_lacking
from .criteria import Criteria, Level
from .groups import (
    add_group_criteria,
    check_groups_fit,
    check_number_of_groups,
    find_fixed_part_of_group,
    find_most_common_part,
    fix_groups_of_one_part,
    make_room_for_groups,
    sum_by_group,
)
from .parts import Parts, share_out
from .size_tolerance import find_size_slack

# Units are numbered in 32 bits.
MOST_UNITS = 2**31 - 1


@dataclass(frozen=True, eq=False)
class Problem:
    """Units that are each placed as a whole, and what must be even over the parts.

    Attributes
    ----------
    indptr : NDArray[np.int64]
        (n_units + 1,) where the entries of each unit begin: units × criteria as CSR.
    indices : NDArray[np.int32]
        (n_entries,) the criterion of each entry.
    amounts : NDArray[np.int64]
        (n_entries,) how much of the criterion the unit holds; empty: 1 each.
    level_of_criterion : NDArray[np.int64]
        (n_criteria,) the `Level` of each criterion; lower levels matter more.
    is_amount : NDArray[np.bool_]
        (n_criteria,) True for totals of real numbers, False for numbers of rows.
    rows_of_unit : NDArray[np.int64]
        (n_units,) rows of each unit.
    weights : NDArray[np.int64]
        (n_parts,) wanted shares as whole numbers.
    sizes : NDArray[np.int64]
        (n_parts,) rows that each part should get; they sum to the number of rows.
    fixed : NDArray[np.int32]
        (n_units,) the part of units that may not move, -1 where free.
    start : NDArray[np.int32] | None
        (n_units,) a split to improve, or None.
    least : NDArray[np.int64]
        (n_criteria, n_parts) rows of the criterion that the part must hold; empty: none.
    price_of_lacking : int
        What a row that a part lacks costs, as a multiple of any other row.
    size_slack : NDArray[np.int64]
        (n_parts,) by how many rows each size may be off where that makes labels more even.
    wanted : NDArray[np.float64]
        (n_criteria, n_parts) how much of each criterion these units should add to each part, if
        they are only some of all units; empty: its share by size.
    overall : NDArray[np.int64]
        (n_criteria,) amount of each criterion over all units, if these are only some of them;
        empty: over these units.
    n_overall_rows : int
        Rows of all units, if these are only some of them; 0: those of these units.
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
    least: NDArray[np.int64]
    price_of_lacking: int
    size_slack: NDArray[np.int64]
    wanted: NDArray[np.float64] = field(default_factory=lambda: np.empty((0, 0)))
    overall: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    n_overall_rows: int = 0

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
        """Number of rows in all units."""
        return int(self.sizes.sum())

    @property
    def is_section(self) -> bool:
        """Whether the units are only some of all units, with targets of their own."""
        return self.wanted.size > 0

    @property
    def is_first_level(self) -> NDArray[np.bool_]:
        """(n_criteria,) True for the criteria that matter most: labels, the number of groups."""
        return np.asarray(self.level_of_criterion <= Level.LABELS)

    @property
    def has_equal_parts(self) -> bool:
        """Whether all parts want the same share."""
        return bool((self.weights == self.weights[0]).all())

    @property
    def last_level(self) -> Level:
        """The last level that a criterion has."""
        return Level(int(self.level_of_criterion.max(initial=Level.LABELS)))

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

    def count_held(self, part_of_unit: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return (n_criteria, n_parts) the amount of each criterion in each part."""
        held = np.zeros((self.n_criteria, self.n_parts), np.int64)
        count_in_parts.for_work(len(self.indices))(
            self.indptr, self.indices, self.amounts, part_of_unit, held
        )
        return held

    def to_csr(self) -> scipy.sparse.csr_array:
        """Return units × criteria with the amounts as floats."""
        amounts = self.amounts if len(self.amounts) else np.ones(len(self.indices))
        return scipy.sparse.csr_array(
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
    balance_groups: bool = False,
    cover: int | None = 0,
    size_tolerance: int | float | None = None,
) -> Problem:
    """Put criteria, parts, groups and fixed rows together.

    Parameters
    ----------
    criteria : Criteria
        What must be even, by row.
    parts : Parts
        The wanted shares.
    group_of_row : NDArray[np.int64] | None
        (n_rows,) the group of each row, numbered without gaps; None: every row is a unit.
    rng : np.random.Generator
        Draws which of equal parts get an extra row.
    fixed : NDArray[np.int32] | None, default=None
        (n_rows,) the part of each row that may not move, -1 where free.
    start : NDArray[np.int32] | None, default=None
        (n_rows,) a split to improve.
    may_outgrow : bool, default=False
        Whether a part may keep more fixed rows than its share; the others then share the rest.
    balance_groups : bool, default=False
        Whether the groups of each part should be alike: their number, sizes and labels.
    cover : int | None, default=0
        Rows of each label that every part must hold; None for the rule of `find_least`.
    size_tolerance : int | float | None, default=None
        Rows, or the share of each part, by which sizes may be off. If it is given, a part may also
        grow to the size of a group that is larger than any part.

    Returns
    -------
    Problem
        The problem, whose units are rows or groups.

    Raises
    ------
    ImpossibleSplit
        If fixed rows or groups do not fit into the parts.
    """
    n_rows = len(criteria.indptr) - 1
    rows_of_unit = np.ones(n_rows, np.int64)
    fixed = np.full(n_rows, -1, np.int32) if fixed is None else fixed
    if group_of_row is not None:
        rows_of_unit = np.bincount(group_of_row).astype(np.int64)
        criteria = sum_by_group(criteria, group_of_row)
        if balance_groups:
            criteria = add_group_criteria(criteria, rows_of_unit)
        fixed = find_fixed_part_of_group(fixed, group_of_row, parts)
        start = None if start is None else find_most_common_part(start, group_of_row, len(parts))
    if len(rows_of_unit) > MOST_UNITS:
        raise ImpossibleSplit(
            f"a split in memory has at most {MOST_UNITS:,} rows or groups, got "
            f"{len(rows_of_unit):,}. Use evenfold.scale.split, or a part of the rows."
        )
    is_fixed = fixed >= 0
    n_fixed = np.bincount(fixed[is_fixed], rows_of_unit[is_fixed], minlength=len(parts)).astype(
        np.int64
    )
    sizes = share_out(n_rows, parts, rng, n_fixed, may_outgrow)
    if start is not None:
        # Any of equal parts may get an extra row. If the sizes of the start are as good, they are
        # kept; of unequal parts, sizes within a row of the shares can be further off.
        own = np.bincount(start, rows_of_unit, minlength=len(parts)).astype(np.int64)
        exact = n_rows * parts.shares
        off = np.abs(own - exact)
        is_as_good = off.sum() <= np.abs(sizes - exact).sum() + 1e-9
        if (off < 1 - 1e-9).all() and is_as_good and (own >= n_fixed).all():
            sizes = own
    size_slack = find_size_slack(size_tolerance, sizes)
    if group_of_row is not None:
        check_number_of_groups(len(rows_of_unit), len(parts))
        if size_tolerance is not None:
            wanted = sizes
            sizes, fixed = make_room_for_groups(rows_of_unit, fixed, start, sizes, parts, rng)
            is_fixed = fixed >= 0
            # A part that grew is off by that much already.
            grown = sizes > wanted
            size_slack[grown] = np.maximum(0, size_slack + wanted - sizes)[grown]
        check_groups_fit(rows_of_unit[~is_fixed], rows_of_unit, sizes)
    if start is not None:
        start = np.where(is_fixed, fixed, start).astype(np.int32)
    problem = Problem(
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
        np.empty((0, 0), np.int64),
        0,
        size_slack,
    )
    if group_of_row is not None and not size_slack.any():
        problem = set_size_slack(problem, size_slack)
    return set_cover(problem, cover)


def set_size_slack(problem: Problem, size_slack: NDArray[np.int64]) -> Problem:
    """Return the same problem with another slack; groups of one part are fixed there."""
    fixed = fix_groups_of_one_part(problem.rows_of_unit, problem.fixed, problem.sizes + size_slack)
    start = None if problem.start is None else np.where(fixed >= 0, fixed, problem.start)
    return replace(problem, size_slack=size_slack, fixed=fixed, start=start)


def set_cover(problem: Problem, cover: int | None) -> Problem:
    """Return the same problem with another `cover`, as `make_problem` takes it."""
    if cover == 0:
        return replace(problem, least=np.empty((0, 0), np.int64), price_of_lacking=0)
    turn = np.zeros(problem.n_criteria, np.int64)
    if cover is not None and not problem.has_equal_parts:
        # From the units of a label, not its column, so that the order of columns does not matter.
        unit_of_entry = np.repeat(np.arange(problem.n_units), np.diff(problem.indptr))
        np.add.at(turn, problem.indices, unit_of_entry)
    least = find_least(
        cover,
        problem.weights,
        problem.total_of_criterion,
        count_entries(problem.indices, problem.n_criteria),
        (problem.level_of_criterion == Level.LABELS) & ~problem.is_amount,
        turn,
    )
    return replace(problem, least=least, price_of_lacking=find_price_of_lacking(cover))


def count_lacking(problem: Problem, part_of_unit: NDArray[np.int32]) -> int:
    """Return how many pairs of part and label hold fewer rows than `problem.least`.

    Labels with fewer units than parts do not count: some part must lack them.
    """
    if not problem.least.size:
        return 0
    has_enough = count_entries(problem.indices, problem.n_criteria) >= problem.n_parts
    lacks = problem.count_held(part_of_unit) < problem.least
    return int((lacks & has_enough[:, None]).sum())


def count_beyond_slack(problem: Problem, part_of_unit: NDArray[np.int32]) -> int:
    """Return by how many rows, over all parts, the sizes are further off than their slack."""
    off = np.abs(problem.count_rows(part_of_unit) - problem.sizes)
    return int(np.maximum(0, off - problem.size_slack).sum())


def keep_levels(problem: Problem, last: Level) -> Problem:
    """Return the same problem with only the criteria up to the level `last`."""
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
        least=problem.least[wanted] if problem.least.size else problem.least,
        wanted=problem.wanted[wanted] if problem.wanted.size else problem.wanted,
        overall=problem.overall[wanted] if len(problem.overall) else problem.overall,
    )


def fill_empty_parts(problem: Problem, part_of_unit: NDArray[np.int32]) -> None:
    """Give each part without rows the smallest unit of a part that has more than one, in place.

    Large groups can leave a part empty.
    """
    n_units_in = np.bincount(part_of_unit, minlength=problem.n_parts)
    for part in np.flatnonzero(n_units_in == 0):
        spare = np.flatnonzero((problem.fixed < 0) & (n_units_in[part_of_unit] > 1))
        if len(spare):
            unit = spare[np.argmin(problem.rows_of_unit[spare])]
            n_units_in[part_of_unit[unit]] -= 1
            n_units_in[part] += 1
            part_of_unit[unit] = part
