"""optisplit: the surplus of the worst label moves, if that makes all labels together more even."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .compiler import inlined, kernel

# What is lowered, label by label; OTHER is scored by the caller.
RLD, DCP, LD, OTHER = 0, 1, 2, 3
# Places in `Change.position`: labels tried, whether a change waits to be judged, units moved by it,
# labels touched by it, changes kept.
N_TRIED, PENDING, N_MOVED, N_TOUCHED, N_KEPT = 0, 1, 2, 3, 4


class Members(NamedTuple):
    """The units of each label that may move, in the order in which they move.

    Those of label i are `units[first[i]:first[i + 1]]`.
    """

    first: NDArray[np.int64]
    units: NDArray[np.int32]
    amounts: NDArray[np.int64]


class Targets(NamedTuple):
    """The total of each label, the shares of the parts as whole numbers, their wanted rows."""

    total: NDArray[np.int64]
    weights: NDArray[np.int64]
    sizes: NDArray[np.int64]


class Objective(NamedTuple):
    """What is lowered: a measure and a weight per label; a gain must be above `least_gain`."""

    measure: int
    least_gain: float
    weight: NDArray[np.float64]


class Placement(NamedTuple):
    """Rows of each label in each part (n_labels, n_parts), rows in each part, part of each unit."""

    held: NDArray[np.int64]
    n_in_part: NDArray[np.int64]
    part_of_unit: NDArray[np.int32]


class Change(NamedTuple):
    """A change that is tried, and the scores of the labels before it and with it.

    `position` is zeros at the start of an epoch, `is_touched` False.
    """

    position: NDArray[np.int64]
    score: NDArray[np.float64]
    trial: NDArray[np.float64]
    moved: NDArray[np.int32]
    moved_from: NDArray[np.int32]
    touched: NDArray[np.int64]
    is_touched: NDArray[np.bool_]


@kernel
def run_epoch(units, members, targets, objective, label_order, rank_of_part, placement, change):
    """Make one epoch of optisplit: try each label once, in `label_order`.

    At most half of the rows hold each label, except the last one, the number of rows.
    IN: all except the last two; `rank_of_part` breaks ties. INOUT: `placement`, `change`.
    With the measure OTHER it returns after each change that is to be judged, PENDING set: the
    caller fills `trial` and calls again.
    Labels are judged against parts of the sizes wanted, so that only labels of units that moved
    must be scored again. Cost O(nnz + n_labels · n_parts), and n_parts times the entries of the
    units that move.
    """
    position = change.position
    surplus = np.empty(targets.sizes.shape[0], np.int64)
    remainder = np.empty(targets.sizes.shape[0], np.int64)
    while True:
        if position[PENDING] == 1:
            position[PENDING] = 0
            if objective.measure != OTHER:
                score_touched(targets, objective, placement.held, change)
            judge(units, objective, placement, change)
        position[N_MOVED] = 0
        position[N_TOUCHED] = 0
        if position[N_TRIED] == label_order.shape[0]:
            return
        worst = label_order[position[N_TRIED]]
        position[N_TRIED] += 1
        find_surplus(
            placement.held[worst],
            targets.total[worst],
            targets,
            placement.n_in_part,
            rank_of_part,
            remainder,
            surplus,
        )
        move_surplus(worst, units, members, targets.sizes, surplus, placement, change)
        if position[N_MOVED] > 0:
            position[PENDING] = 1
            if objective.measure == OTHER:
                return


@kernel
def run_published_epoch(
    units, members, targets, objective, label_order, rank_of_part, placement, change
):
    """Make one epoch as the published code does: as many tries as there are labels to order.

    It returns after each change that is kept. The caller sorts `label_order` again and calls again:
    the next label is the one at the same place. It has all labels except the last one.
    Arguments and OTHER as in `run_epoch`. Labels are judged against the parts as they are, so that
    all of them are scored after each change, except for DCP. Cost O(n_labels² · n_parts).
    """
    position = change.position
    n_parts = targets.sizes.shape[0]
    surplus = np.empty(n_parts, np.int64)
    remainder = np.empty(n_parts, np.int64)
    parts_as_they_are = Targets(targets.total, targets.weights, placement.n_in_part)
    while True:
        if position[PENDING] == 1:
            position[PENDING] = 0
            if objective.measure == RLD:
                score_all_by_rld(targets.total, placement, change)
            elif objective.measure != OTHER:
                score_touched(parts_as_they_are, objective, placement.held, change)
            if judge(units, objective, placement, change):
                return
        position[N_MOVED] = 0
        position[N_TOUCHED] = 0
        if position[N_TRIED] == label_order.shape[0]:
            return
        label = label_order[position[N_TRIED] - position[N_KEPT]]
        position[N_TRIED] += 1
        # The published code does not consider which parts lack rows: all have their sizes.
        n_in_part = targets.sizes
        find_surplus(
            placement.held[label],
            targets.total[label],
            targets,
            n_in_part,
            rank_of_part,
            remainder,
            surplus,
        )
        move_in_part_order(label, units, members, surplus, placement, change)
        if position[N_MOVED] > 0:
            position[PENDING] = 1
            if objective.measure != DCP:
                touch_all(change)
            if objective.measure == OTHER:
                return


@inlined
def score_touched(targets, objective, count, change):
    """Score the labels that the change touches. OUT: `change.trial`."""
    total, weights, sizes = targets
    position, _, trial, _, _, touched, _ = change
    measure, weight = objective.measure, objective.weight
    n_parts = sizes.shape[0]
    n_rows = sizes.sum()
    whole_weight = weights.sum()
    for at in range(position[N_TOUCHED]):
        label = touched[at]
        m = total[label]
        value = -1.0 if measure == DCP else 0.0
        for part in range(n_parts):
            held = count[label, part]
            if measure == DCP:
                value = max(value, held / m - weights[part] / whole_weight)
            elif measure == RLD or m == n_rows:
                value += abs(held * whole_weight / (m * weights[part]) - 1.0) / n_parts
            else:
                lacking = sizes[part] - held
                odds = held / lacking if lacking > 0 else max(sizes[part] - 1.0, 0.0)
                value += abs(odds - m / (n_rows - m)) / n_parts
        trial[label] = weight[label] * value


@inlined
def score_all_by_rld(total, placement, change):
    """Score all labels except the last one by rLD, for the sizes that parts have. OUT: `trial`."""
    held, n_in_part, _ = placement
    n_labels, n_parts = held.shape
    # Computed once, so that the loop takes a third of the time. A part may be empty.
    scale = n_in_part.sum() / (n_parts * np.maximum(n_in_part, 1))
    for label in range(n_labels - 1):
        value = 0.0
        for part in range(n_parts):
            value += abs(held[label, part] * scale[part] / total[label] - 1.0 / n_parts)
        change.trial[label] = value


@inlined
def judge(units, objective, placement, change):
    """Keep the change if it lowers the sum of the scores; else move all its units back.

    Return whether it is kept.
    """
    position, score, trial, moved, moved_from, touched, is_touched = change
    gain = 0.0
    for at in range(position[N_TOUCHED]):
        gain += score[touched[at]] - trial[touched[at]]
        is_touched[touched[at]] = False
    if gain > objective.least_gain:
        position[N_KEPT] += 1
        for at in range(position[N_TOUCHED]):
            score[touched[at]] = trial[touched[at]]
        return True
    indptr, indices, amounts, rows_of_unit = units
    count, n_in_part, part_of_unit = placement
    for at in range(position[N_MOVED]):
        unit, back = moved[at], moved_from[at]
        part = part_of_unit[unit]
        part_of_unit[unit] = back
        n_in_part[part] -= rows_of_unit[unit]
        n_in_part[back] += rows_of_unit[unit]
        shift(indptr, indices, amounts, unit, part, back, count)
    return False


@inlined
def shift(indptr, indices, amounts, unit, part, to, count):
    """Move the entries of a unit from one part to another in `count`."""
    for entry in range(indptr[unit], indptr[unit + 1]):
        count[indices[entry], part] -= amounts[entry]
        count[indices[entry], to] += amounts[entry]


@inlined
def find_surplus(held, total, targets, n_in_part, rank_of_part, remainder, surplus):
    """Find how many rows of a label each part holds beyond the whole number it should hold.

    That is the floor of its share. The rows left over go to the parts with the largest fractions,
    then to those that lack most rows. OUT: `surplus` (n_parts,). WORK: `remainder` (n_parts,).
    """
    weights, sizes = targets.weights, targets.sizes
    n_parts = sizes.shape[0]
    whole_weight = weights.sum()
    left = total
    for part in range(n_parts):
        exact = total * weights[part]
        surplus[part] = held[part] - exact // whole_weight
        remainder[part] = exact % whole_weight
        left -= exact // whole_weight
    for _ in range(left):
        best = 0
        for part in range(1, n_parts):
            lead = remainder[part] - remainder[best]
            if lead == 0:
                lead = (sizes[part] - n_in_part[part]) - (sizes[best] - n_in_part[best])
            if lead == 0:
                lead = rank_of_part[best] - rank_of_part[part]
            if lead > 0:
                best = part
        surplus[best] -= 1
        # Each part is rounded up once at most.
        remainder[best] = -1


@inlined
def move_surplus(label, units, members, sizes, surplus, placement, change):
    """Move units of a label from parts with a surplus to the parts that lack most."""
    n_in_part, part_of_unit = placement.n_in_part, placement.part_of_unit
    first, units_of_label, amount_of_label = members
    for at in range(first[label], first[label + 1]):
        unit = units_of_label[at]
        part = part_of_unit[unit]
        amount = amount_of_label[at]
        if surplus[part] < amount:
            continue
        to = 0
        for other in range(1, surplus.shape[0]):
            lack = surplus[to] - surplus[other]
            if lack > 0 or (
                lack == 0 and sizes[other] - n_in_part[other] > sizes[to] - n_in_part[to]
            ):
                to = other
        if surplus[to] >= 0:
            break
        surplus[part] -= amount
        surplus[to] += amount
        change.moved[change.position[N_MOVED]] = unit
        move_next(to, units, placement, change)


@inlined
def move_in_part_order(label, units, members, surplus, placement, change):
    """Move units of a label as the published code does.

    Parts give their surplus in the order of their numbers, then parts take in that order. The first
    one that lacks units takes those that were given first; the others take those with the lowest
    numbers.
    """
    first, units_of_label, amount_of_label = members
    held, _, part_of_unit = placement
    position, moved = change.position, change.moved
    n_given = 0
    for part in range(surplus.shape[0]):
        for at in range(first[label], first[label + 1]):
            unit, amount = units_of_label[at], amount_of_label[at]
            if part_of_unit[unit] == part and amount <= surplus[part]:
                surplus[part] -= amount
                moved[n_given] = unit
                n_given += 1
    for part in range(surplus.shape[0]):
        while surplus[part] < 0 and position[N_MOVED] < n_given:
            before = held[label, part]
            move_next(part, units, placement, change)
            surplus[part] += held[label, part] - before
        if position[N_MOVED] > 0:
            moved[position[N_MOVED] : n_given].sort()


@inlined
def move_next(to, units, placement, change):
    """Move the next unit of `change.moved` to a part."""
    position, _, _, moved, moved_from, touched, is_touched = change
    count, n_in_part, part_of_unit = placement
    indptr, indices, amounts, rows_of_unit = units
    unit = moved[position[N_MOVED]]
    part = part_of_unit[unit]
    moved_from[position[N_MOVED]] = part
    position[N_MOVED] += 1
    part_of_unit[unit] = to
    n_in_part[part] -= rows_of_unit[unit]
    n_in_part[to] += rows_of_unit[unit]
    shift(indptr, indices, amounts, unit, part, to, count)
    for entry in range(indptr[unit], indptr[unit + 1]):
        other_label = indices[entry]
        if not is_touched[other_label]:
            is_touched[other_label] = True
            touched[position[N_TOUCHED]] = other_label
            position[N_TOUCHED] += 1


@inlined
def touch_all(change):
    """Mark all labels as touched."""
    n_labels = change.touched.shape[0]
    for label in range(n_labels):
        change.touched[label] = label
    change.position[N_TOUCHED] = n_labels
