"""Refining: units change places while that makes the parts more even."""

import numpy as np

from .compiler import kernel

# Kinds of sweeps: units move; units move unless all sizes are right already; units change places.
MOVE = 0
MEND = 1
SWAP = 2


@kernel
def refine(
    indptr,
    indices,
    amounts,
    rows_of_unit,
    order,
    weight_of_criterion,
    factor_of_part,
    room_of_part,
    temperatures,
    row_weights,
    kind_of_sweep,
    exponential,
    seed,
    unit_step,
    deviation,
    row_deviation,
    part_of_unit,
):
    """Sweeps over the units in `order`; in each, a unit goes to its cheapest other part, or changes places with one drawn at random.

    IN: units × criteria as CSR (`amounts` empty: `unit_step` each), weights; of each part its factor, and 1024 times the logarithm of its share of
    the largest; per sweep a temperature, the weight of the row count and its kind; `exponential` 1024 quantiles times 1024, temperatures divided by
    1024; a 32-bit seed. INOUT: `deviation` (n_criteria, n_parts) of the amounts from their targets, `row_deviation` (n_parts,) in `unit_step`s a
    row, `part_of_unit`. Cost O(nnz · n_parts) a sweep of moves, O(nnz) one of swaps. The cost is
    Σ factor_j · (Σ weight_l · |deviation_lj| + row_weight · |row_deviation_j|); a change that adds less than temperature times an exponential draw
    is made, a move into a smaller part the more seldom, so that heat alone spreads units by the sizes. All whole numbers: the same on every machine,
    in any order of the criteria.
    """
    n_parts = row_deviation.shape[0]
    n_free = order.shape[0]
    n_criteria = deviation.shape[0]
    counted = amounts.shape[0] > 0
    join = np.empty(n_parts, np.int64)
    # Where every entry is one row, what it costs to add or take a row is the same for all units: looked up while units move, which more
    # than halves their time, and kept up to date as they do.
    to_add = np.empty((0 if counted else n_criteria, n_parts), np.int64)
    to_take = np.empty((0 if counted else n_criteria, n_parts), np.int64)
    state = seed
    amount = unit_step
    for sweep in range(temperatures.shape[0]):
        kind = kind_of_sweep[sweep]
        row_weight = row_weights[sweep]
        n_off = 0
        for j in range(n_parts):
            n_off += abs(row_deviation[j])
        if kind == MEND and n_off == 0:
            continue
        if kind != SWAP and not counted:
            for criterion in range(n_criteria):
                weight = weight_of_criterion[criterion]
                for j in range(n_parts):
                    before = deviation[criterion, j]
                    to_add[criterion, j] = weight * (abs(before + unit_step) - abs(before))
                    to_take[criterion, j] = weight * (abs(before - unit_step) - abs(before))
        for at in range(n_free):
            unit = order[at]
            here = part_of_unit[unit]
            rows = rows_of_unit[unit] * unit_step
            other = -1
            if kind == SWAP:
                # xorshift, kept to 32 bits so that plain Python computes the same.
                state ^= (state << 13) & 0xFFFFFFFF
                state ^= state >> 17
                state ^= (state << 5) & 0xFFFFFFFF
                other = order[state * n_free >> 32]
                there = part_of_unit[other]
                if there == here:
                    continue
                net = rows - rows_of_unit[other] * unit_step
                leave = row_weight * (abs(row_deviation[here] - net) - abs(row_deviation[here]))
                enter = row_weight * (abs(row_deviation[there] + net) - abs(row_deviation[there]))
                # Both are moved at once, one after the other, so that what they share cancels; undone below if it does not pay.
                for entry in range(indptr[unit], indptr[unit + 1]):
                    criterion = indices[entry]
                    if counted:
                        amount = amounts[entry]
                    weight = weight_of_criterion[criterion]
                    before = deviation[criterion, here]
                    leave += weight * (abs(before - amount) - abs(before))
                    deviation[criterion, here] = before - amount
                    before = deviation[criterion, there]
                    enter += weight * (abs(before + amount) - abs(before))
                    deviation[criterion, there] = before + amount
                for entry in range(indptr[other], indptr[other + 1]):
                    criterion = indices[entry]
                    if counted:
                        amount = amounts[entry]
                    weight = weight_of_criterion[criterion]
                    before = deviation[criterion, there]
                    enter += weight * (abs(before - amount) - abs(before))
                    deviation[criterion, there] = before - amount
                    before = deviation[criterion, here]
                    leave += weight * (abs(before + amount) - abs(before))
                    deviation[criterion, here] = before + amount
                change = leave * factor_of_part[here] + enter * factor_of_part[there]
            else:
                for j in range(n_parts):
                    join[j] = row_weight * (abs(row_deviation[j] + rows) - abs(row_deviation[j]))
                leave = row_weight * (abs(row_deviation[here] - rows) - abs(row_deviation[here]))
                for entry in range(indptr[unit], indptr[unit + 1]):
                    criterion = indices[entry]
                    if counted:
                        amount = amounts[entry]
                        weight = weight_of_criterion[criterion]
                        leave += weight * (
                            abs(deviation[criterion, here] - amount)
                            - abs(deviation[criterion, here])
                        )
                        for j in range(n_parts):
                            join[j] += weight * (
                                abs(deviation[criterion, j] + amount) - abs(deviation[criterion, j])
                            )
                    else:
                        leave += to_take[criterion, here]
                        for j in range(n_parts):
                            join[j] += to_add[criterion, j]
                there = -1
                for j in range(n_parts):
                    join[j] = join[j] * factor_of_part[j] - temperatures[sweep] * room_of_part[j]
                    if j != here and (there < 0 or join[j] < join[there]):
                        there = j
                change = (
                    leave * factor_of_part[here]
                    + join[there]
                    + temperatures[sweep] * room_of_part[here]
                )

            limit = 0
            if temperatures[sweep] > 0:
                state ^= (state << 13) & 0xFFFFFFFF
                state ^= state >> 17
                state ^= (state << 5) & 0xFFFFFFFF
                limit = temperatures[sweep] * exponential[state & 1023]

            if change < limit:
                part_of_unit[unit] = there
                if kind == SWAP:
                    part_of_unit[other] = here
                    row_deviation[here] -= net
                    row_deviation[there] += net
                    continue
                row_deviation[here] -= rows
                row_deviation[there] += rows
                for entry in range(indptr[unit], indptr[unit + 1]):
                    criterion = indices[entry]
                    if counted:
                        amount = amounts[entry]
                    deviation[criterion, here] -= amount
                    deviation[criterion, there] += amount
                    if not counted:
                        weight = weight_of_criterion[criterion]
                        before = deviation[criterion, here]
                        to_add[criterion, here] = weight * (abs(before + unit_step) - abs(before))
                        to_take[criterion, here] = weight * (abs(before - unit_step) - abs(before))
                        before = deviation[criterion, there]
                        to_add[criterion, there] = weight * (abs(before + unit_step) - abs(before))
                        to_take[criterion, there] = weight * (abs(before - unit_step) - abs(before))
            elif kind == SWAP:
                for entry in range(indptr[unit], indptr[unit + 1]):
                    if counted:
                        amount = amounts[entry]
                    deviation[indices[entry], here] += amount
                    deviation[indices[entry], there] -= amount
                for entry in range(indptr[other], indptr[other + 1]):
                    if counted:
                        amount = amounts[entry]
                    deviation[indices[entry], there] += amount
                    deviation[indices[entry], here] -= amount
