"""iterative: the units of the rarest criterion go, one by one, where it is needed most."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .compiler import inlined, kernel, shared


class Criteria(NamedTuple):
    """For each criterion its level, its precedence and whether it is a total of amounts.

    Lower levels are placed first. Of equally rare criteria, those of the lowest precedence are
    taken first. `by_rank` lists the criteria in a random order, the last to be taken first.
    """

    level: NDArray[np.int64]
    precedence: NDArray[np.int64]
    is_amount: NDArray[np.bool_]
    by_rank: NDArray[np.int64]


class Wanted(NamedTuple):
    """What each part still wants, times `step`, the sum of the weights of the parts.

    `need` (n_criteria + 1, n_parts) is W c_j^i and `room` (n_parts,) is W c_j in the paper's
    symbols: whole numbers, so that comparisons are exact. The last row of `need` is 0, for units
    that hold no criterion.
    """

    step: int
    need: NDArray[np.int64]
    room: NDArray[np.int64]


@kernel
def place_iteratively(units, criteria, visiting_order, draw, wanted, part_of_unit):
    """Sechidis et al. 2011, Algorithm 1, on units that may hold a criterion several times.

    IN: `units`, `criteria`; a permutation of the units and a draw for each.
    INOUT: `wanted`; `part_of_unit`, -1 where free: other units keep their part, and `wanted` is
    reduced by them. Cost O(nnz + n_units · n_parts).
    The rarest criterion is that with the fewest rows left, or units if it is a total of amounts. Of
    equally rare criteria of one precedence, the one that changed last is taken, then the one of
    the highest rank.
    """
    need, room = wanted.need, wanted.room
    n_criteria = need.shape[0] - 1
    level_of, precedence, is_amount, by_rank = criteria
    remaining, first = count_entries(units, is_amount, wanted, part_of_unit)
    members = list_members(units, first, visiting_order, part_of_unit)
    n_levels, n_precedences, n_buckets = 0, 1, 1
    for criterion in range(n_criteria):
        n_levels = max(n_levels, level_of[criterion] + 1)
        n_precedences = max(n_precedences, precedence[criterion] + 1)
        n_buckets = max(n_buckets, remaining[criterion] + 1)
    n_buckets *= n_precedences
    # A bucket for each number of remaining rows and each precedence: a doubly linked list of
    # criteria, the newest first; -1 ends a list, and marks a criterion in no bucket.
    head = np.full(n_buckets, -1, np.int64)
    before = np.full(n_criteria, -1, np.int64)
    after = np.full(n_criteria, -1, np.int64)
    bucket_of = np.full(n_criteria, -1, np.int64)
    rank_of_criterion = np.empty(n_criteria, np.int64)
    for rank in range(n_criteria):
        rank_of_criterion[by_rank[rank]] = rank
    touched = np.empty(n_criteria, np.int64)
    is_touched = np.zeros(n_criteria, np.bool_)
    for level in range(n_levels):
        for criterion in by_rank:
            if level_of[criterion] == level and remaining[criterion] > 0:
                bucket = remaining[criterion] * n_precedences + precedence[criterion]
                put_into_bucket(head, before, after, bucket_of, criterion, bucket)
        smallest = n_precedences
        while True:
            while smallest < n_buckets and head[smallest] < 0:
                smallest += 1
            if smallest == n_buckets:
                break
            rarest = head[smallest]
            n_touched = place_members(
                members[first[rarest] : first[rarest + 1]],
                units,
                is_amount,
                draw,
                need[rarest],
                wanted,
                part_of_unit,
                remaining,
                rank_of_criterion,
                bucket_of,
                touched,
                is_touched,
            )
            # Buckets are read between two criteria only, so each criterion changes its bucket once
            # per pass, however many units it lost.
            sort_touched(touched, n_touched, is_touched)
            for at in range(n_touched):
                is_touched[touched[at]] = False
                criterion = by_rank[touched[at]]
                # Removed from its list here, not in a function: a call took a tenth of the time.
                if before[criterion] >= 0:
                    after[before[criterion]] = after[criterion]
                else:
                    head[bucket_of[criterion]] = after[criterion]
                if after[criterion] >= 0:
                    before[after[criterion]] = before[criterion]
                if remaining[criterion] == 0:
                    bucket_of[criterion] = -1
                else:
                    bucket = remaining[criterion] * n_precedences + precedence[criterion]
                    put_into_bucket(head, before, after, bucket_of, criterion, bucket)
                    smallest = min(smallest, bucket)
    # Units that hold no criterion are listed under index n_criteria.
    for unit in members[first[n_criteria] :]:
        if part_of_unit[unit] < 0:
            part_of_unit[unit] = choose_part(need[n_criteria], room, draw[unit])
            room[part_of_unit[unit]] -= wanted.step * units.rows_of_unit[unit]


@shared
def place_members(
    members,
    units,
    is_amount,
    draw,
    need_of_rarest,
    wanted,
    part_of_unit,
    remaining,
    rank_of_criterion,
    bucket_of,
    touched,
    is_touched,
):
    """Place those of the units that are free; return the number of criteria they touch.

    INOUT: `wanted`, `part_of_unit`, `remaining`. OUT: `touched`, the ranks of the criteria in a
    bucket whose `remaining` changed; `is_touched`, the same by rank.
    """
    indptr, indices, amounts, rows_of_unit = units
    step, need, room = wanted
    counted = amounts.shape[0] > 0
    n_touched = 0
    for unit in members:
        if part_of_unit[unit] >= 0:
            continue
        part = choose_part(need_of_rarest, room, draw[unit])
        part_of_unit[unit] = part
        room[part] -= step * rows_of_unit[unit]
        for entry in range(indptr[unit], indptr[unit + 1]):
            criterion = indices[entry]
            amount = amounts[entry] if counted else 1
            need[criterion, part] -= step * amount
            remaining[criterion] -= 1 if is_amount[criterion] else amount
            rank = rank_of_criterion[criterion]
            if not is_touched[rank] and bucket_of[criterion] >= 0:
                is_touched[rank] = True
                touched[n_touched] = rank
                n_touched += 1
    return n_touched


@shared
def count_entries(units, is_amount, wanted, part_of_unit):
    """Return what is left to place of each criterion, and where the list of its free units begins.

    Units that hold no criterion are listed under index n_criteria. INOUT: `wanted` is reduced
    by units that have a part. Both counts are made in one pass, which is a tenth of the time.
    """
    indptr, indices, amounts, rows_of_unit = units
    step, need, room = wanted
    counted = amounts.shape[0] > 0
    n_criteria = need.shape[0] - 1
    remaining = np.zeros(n_criteria, np.int64)
    first = np.zeros(n_criteria + 2, np.int64)
    for unit in range(part_of_unit.shape[0]):
        part = part_of_unit[unit]
        if part >= 0:
            room[part] -= step * rows_of_unit[unit]
        elif indptr[unit] == indptr[unit + 1]:
            first[n_criteria + 1] += 1
        for entry in range(indptr[unit], indptr[unit + 1]):
            criterion = indices[entry]
            amount = amounts[entry] if counted else 1
            if part >= 0:
                need[criterion, part] -= step * amount
            else:
                first[criterion + 1] += 1
                remaining[criterion] += 1 if is_amount[criterion] else amount
    for criterion in range(n_criteria + 1):
        first[criterion + 1] += first[criterion]
    return remaining, first


@shared
def list_members(units, first, visiting_order, part_of_unit):
    """Return the free units of each criterion, in visiting order; each list begins at `first`."""
    indptr, indices = units.indptr, units.indices
    n_criteria = first.shape[0] - 2
    members = np.empty(first[n_criteria + 1], np.int32)
    filled = first[:-1].copy()
    for unit in visiting_order:
        if part_of_unit[unit] >= 0:
            continue
        if indptr[unit] == indptr[unit + 1]:
            members[filled[n_criteria]] = unit
            filled[n_criteria] += 1
        for entry in range(indptr[unit], indptr[unit + 1]):
            criterion = indices[entry]
            members[filled[criterion]] = unit
            filled[criterion] += 1
    return members


@inlined
def choose_part(need, room, draw):
    """Return the part with the most need; ties go to the most room, then are drawn by `draw`."""
    best = 0
    n_tied = 1
    for part in range(1, room.shape[0]):
        if need[part] > need[best] or (need[part] == need[best] and room[part] > room[best]):
            best = part
            n_tied = 1
        elif need[part] == need[best] and room[part] == room[best]:
            n_tied += 1
    if n_tied == 1:
        return best
    # `best` is the first of the tied parts; skip as many of them as the draw says.
    skip = draw % n_tied
    part = best
    while skip > 0:
        part += 1
        if need[part] == need[best] and room[part] == room[best]:
            skip -= 1
    return part


@inlined
def put_into_bucket(head, before, after, bucket_of, criterion, bucket):
    """Put a criterion in front of a bucket's list."""
    bucket_of[criterion] = bucket
    before[criterion] = -1
    after[criterion] = head[bucket]
    if head[bucket] >= 0:
        before[head[bucket]] = criterion
    head[bucket] = criterion


@shared
def sort_touched(touched, n_touched, is_touched):
    """Sort the first `n_touched` ranks; if there are many, list them again from `is_touched`."""
    n_criteria = is_touched.shape[0]
    if n_touched * 8 > n_criteria:
        at = 0
        for rank in range(n_criteria):
            if is_touched[rank]:
                touched[at] = rank
                at += 1
        return
    # Shell's sort: Numba takes a second to compile a call of NumPy's.
    gap = 1
    while gap < n_touched // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for at in range(gap, n_touched):
            rank = touched[at]
            place = at
            while place >= gap and touched[place - gap] > rank:
                touched[place] = touched[place - gap]
                place -= gap
            touched[place] = rank
        gap //= 3
