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
    """Sweeps over the units in `order`; in each, a unit goes to its cheapest other part, or changes places with one that waits there.

    IN: units × criteria as CSR (`amounts` empty: `unit_step` each), weights, per sweep a temperature, the weight of the row count and its
    kind; `exponential` 1024 quantiles times 1024, temperatures divided by 1024; a 32-bit seed. INOUT: `deviation` (n_criteria, n_parts) of
    the amounts from their targets, `row_deviation` (n_parts,) in `unit_step`s a row, `part_of_unit`. Cost O(nnz · n_parts) a sweep.
    The cost is Σ factor_j · (Σ weight_l · |deviation_lj| + row_weight · |row_deviation_j|); a change that adds less than temperature times an
    exponential draw is made.
    """
    n_parts = row_deviation.shape[0]
    counted = amounts.shape[0] > 0
    join = np.empty(n_parts, np.int64)
    state = seed
    n_waiting = 4
    n_held = 0
    for sweep in range(temperatures.shape[0]):
        if kind_of_sweep[sweep] == SWAP:
            n_held = n_parts
    waiting = np.full((n_held, n_held, n_waiting), -1, np.int64)
    price = np.zeros((n_held, n_held, n_waiting), np.int64)
    for sweep in range(temperatures.shape[0]):
        row_weight = row_weights[sweep]
        swaps = kind_of_sweep[sweep] == SWAP
        waiting[:] = -1
        if kind_of_sweep[sweep] == MEND:
            n_off = 0
            for j in range(n_parts):
                n_off += abs(row_deviation[j])
            if n_off == 0:
                continue
        for at in range(order.shape[0]):
            unit = order[at]
            here = part_of_unit[unit]
            rows = rows_of_unit[unit] * unit_step
            # Who changes places leaves the sizes as they are, but for a difference in rows, which is added below.
            move_weight = 0 if swaps else row_weight
            for j in range(n_parts):
                join[j] = move_weight * (abs(row_deviation[j] + rows) - abs(row_deviation[j]))
            leave = move_weight * (abs(row_deviation[here] - rows) - abs(row_deviation[here]))
            amount = unit_step
            for entry in range(indptr[unit], indptr[unit + 1]):
                criterion = indices[entry]
                if counted:
                    amount = amounts[entry]
                weight = weight_of_criterion[criterion]
                leave += weight * (abs(deviation[criterion, here] - amount) - abs(deviation[criterion, here]))
                for j in range(n_parts):
                    join[j] += weight * (abs(deviation[criterion, j] + amount) - abs(deviation[criterion, j]))
            leave *= factor_of_part[here]
            best = -1
            for j in range(n_parts):
                join[j] *= factor_of_part[j]
                if j != here and (best < 0 or join[j] < join[best]):
                    best = j
            limit = 0
            if temperatures[sweep] > 0:
                # xorshift, kept to 32 bits so that plain Python computes the same.
                state ^= (state << 13) & 0xFFFFFFFF
                state ^= state >> 17
                state ^= (state << 5) & 0xFFFFFFFF
                limit = temperatures[sweep] * exponential[state & 1023]

            partner = -1
            there = best
            if not swaps:
                if leave + join[best] >= limit:
                    continue
            else:
                for j in range(n_parts):
                    for slot in range(n_waiting):
                        other = waiting[j, here, slot]
                        if other < 0 or j == here:
                            continue
                        if part_of_unit[other] != j:
                            waiting[j, here, slot] = -1
                            continue
                        # What both hold cancels, so the sum of the two prices is only a first guess.
                        if leave + join[j] + price[j, here, slot] >= limit:
                            continue
                        for entry in range(indptr[unit], indptr[unit + 1]):
                            if counted:
                                amount = amounts[entry]
                            deviation[indices[entry], here] -= amount
                            deviation[indices[entry], j] += amount
                        net = rows - rows_of_unit[other] * unit_step
                        back = row_weight * (abs(row_deviation[here] - net) - abs(row_deviation[here]))
                        away = row_weight * (abs(row_deviation[j] + net) - abs(row_deviation[j]))
                        for entry in range(indptr[other], indptr[other + 1]):
                            criterion = indices[entry]
                            if counted:
                                amount = amounts[entry]
                            weight = weight_of_criterion[criterion]
                            away += weight * (abs(deviation[criterion, j] - amount) - abs(deviation[criterion, j]))
                            back += weight * (abs(deviation[criterion, here] + amount) - abs(deviation[criterion, here]))
                        for entry in range(indptr[unit], indptr[unit + 1]):
                            if counted:
                                amount = amounts[entry]
                            deviation[indices[entry], here] += amount
                            deviation[indices[entry], j] -= amount
                        if leave + join[j] + away * factor_of_part[j] + back * factor_of_part[here] < limit:
                            partner = other
                            there = j
                            waiting[j, here, slot] = -1
                            break
                    if partner >= 0:
                        break
                if partner < 0:
                    for j in range(n_parts):
                        slot = 0
                        for candidate in range(n_waiting):
                            if waiting[here, j, candidate] < 0:
                                slot = candidate
                                break
                            if price[here, j, candidate] > price[here, j, slot]:
                                slot = candidate
                        if j != here and (waiting[here, j, slot] < 0 or leave + join[j] <= price[here, j, slot]):
                            waiting[here, j, slot] = unit
                            price[here, j, slot] = leave + join[j]
                    # Prices go stale as others move.
                    if at % 256 == 255:
                        waiting[:] = -1
                    continue

            for mover in range(2 if partner >= 0 else 1):
                one = unit if mover == 0 else partner
                source = here if mover == 0 else there
                target = there if mover == 0 else here
                part_of_unit[one] = target
                row_deviation[source] -= rows_of_unit[one] * unit_step
                row_deviation[target] += rows_of_unit[one] * unit_step
                for entry in range(indptr[one], indptr[one + 1]):
                    if counted:
                        amount = amounts[entry]
                    deviation[indices[entry], source] -= amount
                    deviation[indices[entry], target] += amount
