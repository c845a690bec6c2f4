"""Groups → units: rows of one group are placed as one unit, with their counts summed."""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import NDArray

from ..exceptions import ImpossibleSplit
from .criteria import Block, Criteria, Level, join_blocks, make_one_hot
from .parts import Parts, share_out


def sum_by_group(criteria: Criteria, group_of_row: NDArray[np.int64]) -> Criteria:
    """Add up the rows of each group."""
    n_rows = len(group_of_row)
    amounts = (
        criteria.amounts if len(criteria.amounts) else np.ones(len(criteria.indices), np.int64)
    )
    by_row = scipy.sparse.csr_array(
        (amounts, criteria.indices, criteria.indptr),
        shape=(n_rows, len(criteria.level_of_criterion)),
    )
    membership = scipy.sparse.csr_array(
        (np.ones(n_rows, np.int64), (group_of_row, np.arange(n_rows)))
    )
    by_group = scipy.sparse.csr_array(membership @ by_row)
    by_group.sort_indices()
    return Criteria(
        by_group.indptr.astype(np.int64),
        by_group.indices.astype(np.int32),
        by_group.data,
        criteria.level_of_criterion,
        criteria.is_amount,
    )


def add_group_criteria(criteria: Criteria, rows_of_group: NDArray[np.int64]) -> Criteria:
    """Add what makes the groups of each part alike: their number, sizes and labels.

    The number of groups matters as much as labels. On the level after labels it was 6 % off in the
    small parts of chestxray14. On that level come the groups of 1, 2-3, 4-7, … rows, and for each
    label the groups that hold it, whatever their number of rows with it.
    """
    n_groups = len(rows_of_group)
    is_label = (criteria.level_of_criterion == Level.LABELS) & ~criteria.is_amount
    held = is_label[criteria.indices]
    number_of = np.cumsum(is_label) - 1
    n_held_before = np.concatenate(([0], np.cumsum(held)))
    size_class = np.log2(rows_of_group).astype(np.int64)
    return join_blocks(
        criteria,
        [
            make_one_hot(np.zeros(n_groups, np.int64), Level.GROUPS),
            make_one_hot(size_class, Level.REST),
            Block(
                n_held_before[criteria.indptr],
                number_of[criteria.indices[held]].astype(np.int32),
                int(is_label.sum()),
                Level.REST,
            ),
        ],
    )


def find_fixed_part_of_group(
    fixed: NDArray[np.int32], group_of_row: NDArray[np.int64], parts: Parts
) -> NDArray[np.int32]:
    """Return the part of each group that holds a fixed row, -1 for the other groups."""
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
            f"must keep groups whole, got rows {row} and {other} of one group in "
            f"'{parts.names[fixed[row]]}' and '{parts.names[fixed[other]]}'. "
            "Fix them in one part, or split the group.",
            parameter="fixed",
        )
    return part_of_group


def find_most_common_part(
    start: NDArray[np.int32], group_of_row: NDArray[np.int64], n_parts: int
) -> NDArray[np.int32]:
    """Return the part that holds most rows of each group.

    Therefore a split that divides groups can also be a start.
    """
    n_groups = int(group_of_row.max()) + 1
    votes = np.bincount(group_of_row * n_parts + start, minlength=n_groups * n_parts).reshape(
        n_groups, n_parts
    )
    most: NDArray[np.int32] = votes.argmax(axis=1).astype(np.int32)
    return most


def check_number_of_groups(n_groups: int, n_parts: int) -> None:
    """Check that there are enough groups for the parts."""
    if n_groups < n_parts:
        raise ImpossibleSplit(
            f"must be at most the number of groups ({n_groups:,}), got {n_parts:,}. "
            "Ask for fewer parts, or split the groups.",
            parameter="parts",
        )


def check_groups_fit(
    rows_of_free_group: NDArray[np.int64],
    rows_of_group: NDArray[np.int64],
    sizes: NDArray[np.int64],
) -> None:
    """Check that no group is larger than the largest part."""
    largest, room = int(rows_of_free_group.max(initial=0)), int(sizes.max())
    if largest > room:
        raise ImpossibleSplit(
            f"puts {largest:,} of {rows_of_group.sum():,} rows into one group, more than the "
            f"largest part ({room:,}). Ask for fewer or larger parts, split the group, or pass "
            "size_tolerance: a part then grows to its size.",
            parameter="groups",
        )


def fix_groups_of_one_part(
    rows_of_group: NDArray[np.int64], fixed: NDArray[np.int32], sizes: NDArray[np.int64]
) -> NDArray[np.int32]:
    """Fix each group that fits into one part only there, the largest first, while there is room.

    `sizes` are the largest that the parts may have. Return the part of each fixed group. A search
    that begins with such a group in a smaller part may not find a way out: every single move makes
    the sizes worse.
    """
    largest = int(sizes.argmax())
    forced = np.flatnonzero((fixed < 0) & (rows_of_group > np.sort(sizes)[-2:-1].sum()))
    if len(sizes) < 2 or not len(forced):
        return fixed
    forced = forced[np.argsort(-rows_of_group[forced], kind="stable")]
    room = sizes[largest] - rows_of_group[fixed == largest].sum()
    fixed = fixed.copy()
    fixed[forced[np.cumsum(rows_of_group[forced]) <= room]] = largest
    return fixed


def make_room_for_groups(
    rows_of_group: NDArray[np.int64],
    fixed: NDArray[np.int32],
    start: NDArray[np.int32] | None,
    sizes: NDArray[np.int64],
    parts: Parts,
    rng: np.random.Generator,
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Fix each group that is larger than any part in a part that grows to its size.

    That is the part of the start, or else the largest part that has no such group yet. The other
    parts share the rest of the rows. Return the sizes and (n_groups,) the part of each fixed group.
    """
    fixed = fixed.copy()
    is_fixed = fixed >= 0
    n_held = np.bincount(fixed[is_fixed], rows_of_group[is_fixed], minlength=len(parts)).astype(
        np.int64
    )
    has_grown = np.zeros(len(parts), np.bool_)
    while not has_grown.all():
        free = np.flatnonzero(fixed < 0)
        if not len(free):
            break
        group = free[np.argmax(rows_of_group[free])]
        if rows_of_group[group] <= sizes[~has_grown].max():
            break
        room = np.where(has_grown, np.iinfo(np.int64).min, sizes - n_held)
        part = int(room.argmax()) if start is None else int(start[group])
        fixed[group] = part
        has_grown[part] = True
        n_held[part] += rows_of_group[group]
        sizes = share_out(int(rows_of_group.sum()), parts, rng, n_held, may_outgrow=True)
    return sizes, fixed
