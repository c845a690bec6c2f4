"""Iterative stratification: the rarest criterion's units go, one by one, where it is needed most."""

import numpy as np

from .compiler import kernel


@kernel
def place_iteratively(
    indptr,
    indices,
    amounts,
    rows_of_unit,
    level_of_criterion,
    precedence,
    is_amount,
    visiting_order,
    draw,
    step,
    need,
    room,
    part_of_unit,
):
    """Sechidis et al. 2011, Algorithm 1, on units that may hold a criterion several times.

    IN: units × criteria as CSR (`amounts` empty: all 1), levels 0, 1, …, a permutation of the units and a draw for each, `step` = W;
    `precedence` 0, 1, …: of equally rare criteria, those of the lowest are taken first.
    INOUT: `need` (n_criteria + 1, n_parts) is W c_j^i and `room` (n_parts,) is W c_j, whole numbers, so that equal means equal; the last
    row of `need` is 0 and serves units that hold nothing; `part_of_unit`, -1 where free: units that have a part keep it, and `need` and
    `room` are reduced by them. Cost O(nnz + n_units · n_parts). How rare a criterion is counts its rows, or its units if `is_amount`.
    Of equally rare criteria of one precedence, the one that changed last is taken, then the one whose units' draws sum to most: a random order that
    depends on what a criterion is held by, not on where its column stands.
    """
    n_units = indptr.shape[0] - 1
    n_criteria = need.shape[0] - 1
    n_parts = room.shape[0]
    counted = amounts.shape[0] > 0

    # The units of each criterion, in visiting order; what holds no criterion is listed under the one past the last.
    first = np.zeros(n_criteria + 2, np.int64)
    remaining = np.zeros(n_criteria + 1, np.int64)
    sum_of_draws = np.zeros(n_criteria, np.int64)
    for unit in range(n_units):
        part = part_of_unit[unit]
        if part >= 0:
            room[part] -= step * rows_of_unit[unit]
        if indptr[unit] == indptr[unit + 1]:
            first[n_criteria + 1] += 1
        for entry in range(indptr[unit], indptr[unit + 1]):
            criterion = indices[entry]
            amount = amounts[entry] if counted else 1
            rarity = 1 if is_amount[criterion] else amount
            first[criterion + 1] += 1
            sum_of_draws[criterion] += amount * draw[unit]
            if part >= 0:
                need[criterion, part] -= step * amount
            else:
                remaining[criterion] += rarity
    for criterion in range(n_criteria + 1):
        first[criterion + 1] += first[criterion]
    units = np.empty(first[n_criteria + 1], np.int32)
    filled = first[:-1].copy()
    for unit in visiting_order:
        if indptr[unit] == indptr[unit + 1]:
            units[filled[n_criteria]] = unit
            filled[n_criteria] += 1
        for entry in range(indptr[unit], indptr[unit + 1]):
            units[filled[indices[entry]]] = unit
            filled[indices[entry]] += 1

    # A bucket per remaining count and precedence, each a doubly linked list, newest first. -1 ends a list; -2: not in a bucket.
    most = 0
    n_levels = 0
    n_precedences = 1
    for criterion in range(n_criteria):
        most = max(most, remaining[criterion])
        n_levels = max(n_levels, level_of_criterion[criterion] + 1)
        n_precedences = max(n_precedences, precedence[criterion] + 1)
    most = (most + 1) * n_precedences - 1
    head = np.full(most + 1, -1, np.int64)
    after = np.full(n_criteria, -1, np.int64)
    before = np.full(n_criteria, -1, np.int64)
    bucket_of = np.full(n_criteria, -2, np.int64)
    criterion_of_rank = np.argsort(sum_of_draws)
    rank_of_criterion = np.empty(n_criteria, np.int64)
    for rank in range(n_criteria):
        rank_of_criterion[criterion_of_rank[rank]] = rank
    touched = np.empty(n_criteria, np.int64)
    is_touched = np.zeros(n_criteria, np.bool_)

    for level in range(n_levels + 1):
        for criterion in criterion_of_rank:
            if level_of_criterion[criterion] == level and remaining[criterion] > 0:
                bucket = remaining[criterion] * n_precedences + precedence[criterion]
                bucket_of[criterion] = bucket
                before[criterion] = -1
                after[criterion] = head[bucket]
                if head[bucket] >= 0:
                    before[head[bucket]] = criterion
                head[bucket] = criterion
        smallest = n_precedences
        while True:
            if level == n_levels:
                rarest = n_criteria
            else:
                while smallest <= most and head[smallest] < 0:
                    smallest += 1
                if smallest > most:
                    break
                rarest = head[smallest]
            n_touched = 0
            for at in range(first[rarest], first[rarest + 1]):
                unit = units[at]
                if part_of_unit[unit] >= 0:
                    continue
                part = 0
                n_tied = 0
                for j in range(n_parts):
                    if n_tied == 0 or need[rarest, j] > need[rarest, part]:
                        part = j
                        n_tied = 1
                    elif need[rarest, j] == need[rarest, part]:
                        if room[j] > room[part]:
                            part = j
                            n_tied = 1
                        elif room[j] == room[part]:
                            n_tied += 1
                if n_tied > 1:
                    skip = draw[unit] % n_tied
                    for j in range(part + 1, n_parts):
                        if skip == 0:
                            break
                        if need[rarest, j] == need[rarest, part] and room[j] == room[part]:
                            part = j
                            skip -= 1
                part_of_unit[unit] = part
                room[part] -= step * rows_of_unit[unit]
                for entry in range(indptr[unit], indptr[unit + 1]):
                    criterion = indices[entry]
                    amount = amounts[entry] if counted else 1
                    remaining[criterion] -= 1 if is_amount[criterion] else amount
                    need[criterion, part] -= step * amount
                    rank = rank_of_criterion[criterion]
                    if not is_touched[rank] and bucket_of[criterion] >= 0:
                        is_touched[rank] = True
                        touched[n_touched] = rank
                        n_touched += 1
            if level == n_levels:
                break
            # Buckets are looked at between two criteria only, so each moves once per pass, however many units it lost. They move
            # by rank; where many do, finding them in that order is faster than sorting them.
            if n_touched * 8 > n_criteria:
                n_touched = 0
                for rank in range(n_criteria):
                    if is_touched[rank]:
                        touched[n_touched] = rank
                        n_touched += 1
            else:
                touched[:n_touched].sort()
            for at in range(n_touched):
                is_touched[touched[at]] = False
                criterion = criterion_of_rank[touched[at]]
                if before[criterion] >= 0:
                    after[before[criterion]] = after[criterion]
                else:
                    head[bucket_of[criterion]] = after[criterion]
                if after[criterion] >= 0:
                    before[after[criterion]] = before[criterion]
                if remaining[criterion] == 0:
                    bucket_of[criterion] = -2
                    continue
                bucket = remaining[criterion] * n_precedences + precedence[criterion]
                bucket_of[criterion] = bucket
                before[criterion] = -1
                after[criterion] = head[bucket]
                if head[bucket] >= 0:
                    before[head[bucket]] = criterion
                head[bucket] = criterion
                smallest = min(smallest, bucket)
