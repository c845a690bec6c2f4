"""Optisplit: the worst label's surplus rows go where it lacks them, if that makes all labels together more even."""

import numpy as np

from .compiler import kernel

# What is lowered, label by label; OTHER is scored by the caller.
RLD, DCP, LD, OTHER = 0, 1, 2, 3
# Places in `position`: labels tried, whether a change waits to be judged, units moved by it, labels touched by it, changes kept.
N_TRIED, PENDING, N_MOVED, N_TOUCHED, N_KEPT = 0, 1, 2, 3, 4


@kernel
def balance_labels(
    indptr,
    indices,
    amounts,
    first,
    units,
    amount_in_unit,
    rows_of_unit,
    total,
    weights,
    sizes,
    measure,
    least_gain,
    weight,
    label_order,
    rank_of_part,
    position,
    score,
    trial,
    count,
    n_in_part,
    moved,
    moved_from,
    touched,
    is_touched,
    part_of_unit,
):
    """One epoch of optisplit: each label once, in `label_order`.

    IN: units × labels as CSR, each label held by at most half of the rows, but for the last, which is the number of rows; the same by label,
    `units[first[i]:first[i + 1]]` those that may move, the ones to move first in front; `sizes` the rows wanted; `weight` (n_labels,) of their
    scores; a gain up to `least_gain` is none; `rank_of_part` breaks ties.
    INOUT: `position` (see above), zeros at the start of an epoch; `score` (n_labels,); `count` (n_labels, n_parts), `n_in_part`, `part_of_unit`.
    WORK: `trial` and `touched` (n_labels,), `moved` and `moved_from` (n_units,), `is_touched` (n_labels,) False.
    With the measure OTHER it returns after each change that is to be judged, PENDING set: the caller fills `trial` and calls again.
    Labels are judged against parts of the sizes wanted, so that only those of rows that moved must be scored anew.
    Cost O(nnz + n_labels · n_parts), and n_parts times the entries of what is moved.
    """
    n_labels = first.shape[0] - 1
    n_parts = sizes.shape[0]
    n_rows = sizes.sum()
    whole_weight = weights.sum()
    counted = amounts.shape[0] > 0
    surplus = np.empty(n_parts, np.int64)
    remainder = np.empty(n_parts, np.int64)
    is_up = np.empty(n_parts, np.bool_)
    while True:
        if position[PENDING] == 1:
            position[PENDING] = 0
            if measure != OTHER:
                for at in range(position[N_TOUCHED]):
                    i = touched[at]
                    value = -1.0 if measure == DCP else 0.0
                    for j in range(n_parts):
                        if measure == DCP:
                            value = max(value, count[i, j] / total[i] - weights[j] / whole_weight)
                        elif measure == RLD or total[i] == n_rows:
                            value += (
                                abs(count[i, j] * whole_weight / (total[i] * weights[j]) - 1.0)
                                / n_parts
                            )
                        else:
                            lacking = sizes[j] - count[i, j]
                            odds = count[i, j] / lacking if lacking > 0 else sizes[j] - 1.0
                            value += abs(odds - total[i] / (n_rows - total[i])) / n_parts
                    trial[i] = weight[i] * value
            gain = 0.0
            for at in range(position[N_TOUCHED]):
                gain += score[touched[at]] - trial[touched[at]]
            if gain > least_gain:
                position[N_KEPT] += 1
                for at in range(position[N_TOUCHED]):
                    score[touched[at]] = trial[touched[at]]
            else:
                for at in range(position[N_MOVED]):
                    unit = moved[at]
                    part = part_of_unit[unit]
                    back = moved_from[at]
                    part_of_unit[unit] = back
                    n_in_part[part] -= rows_of_unit[unit]
                    n_in_part[back] += rows_of_unit[unit]
                    for entry in range(indptr[unit], indptr[unit + 1]):
                        amount = amounts[entry] if counted else 1
                        count[indices[entry], part] -= amount
                        count[indices[entry], back] += amount
            for at in range(position[N_TOUCHED]):
                is_touched[touched[at]] = False
        position[N_MOVED] = 0
        position[N_TOUCHED] = 0
        if position[N_TRIED] == n_labels:
            return
        worst = label_order[position[N_TRIED]]
        position[N_TRIED] += 1

        # The whole numbers wanted: floors, and what is left over where the largest fractions are, else where most rows are missing.
        left = total[worst]
        for j in range(n_parts):
            exact = total[worst] * weights[j]
            surplus[j] = count[worst, j] - exact // whole_weight
            remainder[j] = exact % whole_weight
            is_up[j] = False
            left -= exact // whole_weight
        for _ in range(left):
            best = -1
            for j in range(n_parts):
                if is_up[j]:
                    continue
                if best < 0 or remainder[j] > remainder[best]:
                    best = j
                elif remainder[j] == remainder[best]:
                    lead = (sizes[j] - n_in_part[j]) - (sizes[best] - n_in_part[best])
                    if lead > 0 or (lead == 0 and rank_of_part[j] < rank_of_part[best]):
                        best = j
            is_up[best] = True
        for j in range(n_parts):
            surplus[j] -= 1 if is_up[j] else 0

        for at in range(first[worst], first[worst + 1]):
            unit = units[at]
            part = part_of_unit[unit]
            amount = amount_in_unit[at]
            if surplus[part] < amount:
                continue
            to = -1
            for j in range(n_parts):
                if surplus[j] < 0 and (
                    to < 0
                    or surplus[j] < surplus[to]
                    or (
                        surplus[j] == surplus[to]
                        and sizes[j] - n_in_part[j] > sizes[to] - n_in_part[to]
                    )
                ):
                    to = j
            if to < 0:
                break
            surplus[part] -= amount
            surplus[to] += amount
            moved[position[N_MOVED]] = unit
            moved_from[position[N_MOVED]] = part
            position[N_MOVED] += 1
            part_of_unit[unit] = to
            n_in_part[part] -= rows_of_unit[unit]
            n_in_part[to] += rows_of_unit[unit]
            for entry in range(indptr[unit], indptr[unit + 1]):
                label = indices[entry]
                amount = amounts[entry] if counted else 1
                count[label, part] -= amount
                count[label, to] += amount
                if not is_touched[label]:
                    is_touched[label] = True
                    touched[position[N_TOUCHED]] = label
                    position[N_TOUCHED] += 1
        if position[N_MOVED] > 0:
            position[PENDING] = 1
            if measure == OTHER:
                return
