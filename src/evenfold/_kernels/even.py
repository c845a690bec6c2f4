"""even: sweeps in which units move or swap parts while that makes the parts more even."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .compiler import inlined, kernel, shared

# Kinds of sweeps: units move; units move unless all sizes are right already; two units swap parts.
MOVE = 0
MEND = 1
SWAP = 2


class Units(NamedTuple):
    """Units × criteria as CSR, and the rows of each unit; `amounts` empty: `unit_step` each."""

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    amounts: NDArray[np.int64]
    rows_of_unit: NDArray[np.int64]


class Prices(NamedTuple):
    """What deviations cost: a weight per criterion, a factor per part.

    `log_share_of_part` is 1024 times the logarithm of the part's share of the largest part.
    """

    weight_of_criterion: NDArray[np.int64]
    factor_of_part: NDArray[np.int64]
    log_share_of_part: NDArray[np.int64]


class Sweeps(NamedTuple):
    """For each sweep its kind, its temperature and the weight of the row count."""

    kind: NDArray[np.int64]
    temperature: NDArray[np.int64]
    row_weight: NDArray[np.int64]


class Placement(NamedTuple):
    """The part of each unit, and by how much each part deviates from its targets.

    `deviation` (n_criteria, n_parts) is in amounts, `row_deviation` (n_parts,) in `unit_step`s a
    row.
    """

    part_of_unit: NDArray[np.int32]
    deviation: NDArray[np.int64]
    row_deviation: NDArray[np.int64]


@kernel
def refine(units, order, prices, sweeps, exponential, seed, unit_step, placement):
    """Make sweeps over the units in `order`: each moves to its cheapest other part, or swaps parts.

    IN: `units`, `prices`, `sweeps`; `exponential` 1024 quantiles times 1024, temperatures divided
    by 1024; a 32-bit seed. INOUT: `placement`. Cost O(nnz · n_parts) for a sweep of moves, O(nnz)
    for one of swaps.
    The cost is Σ factor_j · (Σ weight_l · |deviation_lj| + row_weight · |row_deviation_j|). A
    change is made if it adds less than the temperature times an exponential draw. A move into a
    smaller part is made less often, so that a high temperature alone spreads units by the sizes.
    All numbers are whole: the result is the same on every machine and in any order of criteria.
    """
    state = seed
    n_criteria, n_parts = placement.deviation.shape
    counted = units.amounts.shape[0] > 0
    price_to_join = np.empty(n_parts, np.int64)
    # Where every entry is one row, the cost of adding or taking a row is the same for all units.
    # Looking it up, and keeping it up to date, more than halves the time of moves.
    cost_to_add = np.empty((0 if counted else n_criteria, n_parts), np.int64)
    cost_to_take = np.empty((0 if counted else n_criteria, n_parts), np.int64)
    for sweep in range(sweeps.kind.shape[0]):
        kind = sweeps.kind[sweep]
        temperature = sweeps.temperature[sweep]
        row_weight = sweeps.row_weight[sweep]
        if kind == SWAP:
            state = sweep_swaps(
                units,
                order,
                prices,
                temperature,
                row_weight,
                exponential,
                state,
                unit_step,
                placement,
            )
        elif kind == MOVE or placement.row_deviation.any():
            state = sweep_moves(
                units,
                order,
                prices,
                temperature,
                row_weight,
                exponential,
                state,
                unit_step,
                placement,
                price_to_join,
                cost_to_add,
                cost_to_take,
            )


@shared
def sweep_swaps(
    units, order, prices, temperature, row_weight, exponential, state, unit_step, placement
):
    """Let each unit swap parts with one drawn at random; return the state of the generator."""
    part_of_unit, deviation, row_deviation = placement
    rows_of_unit = units.rows_of_unit
    factor = prices.factor_of_part
    n_free = order.shape[0]
    for at in range(n_free):
        unit = order[at]
        here = part_of_unit[unit]
        state = draw_next(state)
        other = order[state * n_free >> 32]
        there = part_of_unit[other]
        if there == here:
            continue
        rows = (rows_of_unit[unit] - rows_of_unit[other]) * unit_step
        change = row_weight * (
            factor[here] * cost_of_change(row_deviation[here], -rows)
            + factor[there] * cost_of_change(row_deviation[there], rows)
        )
        # Both move at once, one after the other, so that what they share cancels; undone below if
        # the swap is not accepted.
        change += shift_and_price(units, unit, here, there, unit_step, prices, deviation)
        change += shift_and_price(units, other, there, here, unit_step, prices, deviation)
        limit = 0
        if temperature > 0:
            state = draw_next(state)
            limit = temperature * exponential[state & 1023]
        if change < limit:
            part_of_unit[unit] = there
            part_of_unit[other] = here
            row_deviation[here] -= rows
            row_deviation[there] += rows
        else:
            shift(units, unit, there, here, unit_step, deviation)
            shift(units, other, here, there, unit_step, deviation)
    return state


@shared
def sweep_moves(
    units,
    order,
    prices,
    temperature,
    row_weight,
    exponential,
    state,
    unit_step,
    placement,
    price_to_join,
    cost_to_add,
    cost_to_take,
):
    """Let each unit move to its cheapest other part; return the state of the generator.

    WORK: `price_to_join` (n_parts,); `cost_to_add`, `cost_to_take` (n_criteria, n_parts), without
    rows if units have amounts.
    """
    indptr, indices, amounts, rows_of_unit = units
    part_of_unit, deviation, row_deviation = placement
    factor, log_share = prices.factor_of_part, prices.log_share_of_part
    counted = amounts.shape[0] > 0
    if not counted:
        for criterion in range(deviation.shape[0]):
            for part in range(deviation.shape[1]):
                look_up(criterion, part, unit_step, prices, deviation, cost_to_add, cost_to_take)
    for at in range(order.shape[0]):
        unit = order[at]
        here = part_of_unit[unit]
        rows = rows_of_unit[unit] * unit_step
        for part in range(price_to_join.shape[0]):
            price_to_join[part] = row_weight * cost_of_change(row_deviation[part], rows)
        leave = row_weight * cost_of_change(row_deviation[here], -rows)
        if counted:
            leave += price_by_amounts(units, unit, here, prices, deviation, price_to_join)
        else:
            leave += price_by_lookup(units, unit, here, cost_to_add, cost_to_take, price_to_join)
        there = find_cheapest_other(here, prices, temperature, price_to_join)
        change = leave * factor[here] + price_to_join[there] + temperature * log_share[here]
        limit = 0
        if temperature > 0:
            state = draw_next(state)
            limit = temperature * exponential[state & 1023]
        if change < limit:
            part_of_unit[unit] = there
            row_deviation[here] -= rows
            row_deviation[there] += rows
            shift(units, unit, here, there, unit_step, deviation)
            if not counted:
                for entry in range(indptr[unit], indptr[unit + 1]):
                    criterion = indices[entry]
                    look_up(
                        criterion, here, unit_step, prices, deviation, cost_to_add, cost_to_take
                    )
                    look_up(
                        criterion, there, unit_step, prices, deviation, cost_to_add, cost_to_take
                    )
    return state


@inlined
def draw_next(state):
    """Return the next state of a xorshift generator, of 32 bits as plain Python computes too."""
    state ^= (state << 13) & 0xFFFFFFFF
    state ^= state >> 17
    state ^= (state << 5) & 0xFFFFFFFF
    return state


@inlined
def cost_of_change(deviation, amount):
    """Return by how much an amount more changes an absolute deviation."""
    return abs(deviation + amount) - abs(deviation)


@inlined
def shift(units, unit, here, there, unit_step, deviation):
    """Move the entries of a unit from one part to another in `deviation`."""
    indptr, indices, amounts, _ = units
    amount = unit_step
    counted = amounts.shape[0] > 0
    for entry in range(indptr[unit], indptr[unit + 1]):
        criterion = indices[entry]
        if counted:
            amount = amounts[entry]
        deviation[criterion, here] -= amount
        deviation[criterion, there] += amount


@inlined
def shift_and_price(units, unit, here, there, unit_step, prices, deviation):
    """Move the entries of a unit from one part to another in `deviation`; return what it costs."""
    indptr, indices, amounts, _ = units
    amount = unit_step
    counted = amounts.shape[0] > 0
    leave = 0
    enter = 0
    for entry in range(indptr[unit], indptr[unit + 1]):
        criterion = indices[entry]
        if counted:
            amount = amounts[entry]
        weight = prices.weight_of_criterion[criterion]
        before = deviation[criterion, here]
        leave += weight * (abs(before - amount) - abs(before))
        deviation[criterion, here] = before - amount
        before = deviation[criterion, there]
        enter += weight * (abs(before + amount) - abs(before))
        deviation[criterion, there] = before + amount
    return leave * prices.factor_of_part[here] + enter * prices.factor_of_part[there]


@inlined
def look_up(criterion, part, unit_step, prices, deviation, cost_to_add, cost_to_take):
    """Store what one row more or less of the criterion costs in the part."""
    weight = prices.weight_of_criterion[criterion]
    before = deviation[criterion, part]
    cost_to_add[criterion, part] = weight * (abs(before + unit_step) - abs(before))
    cost_to_take[criterion, part] = weight * (abs(before - unit_step) - abs(before))


@inlined
def price_by_amounts(units, unit, here, prices, deviation, price_to_join):
    """Add to `price_to_join` what the unit costs in each part; return the cost of its leaving."""
    indptr, indices, amounts, _ = units
    leave = 0
    for entry in range(indptr[unit], indptr[unit + 1]):
        criterion = indices[entry]
        amount = amounts[entry]
        weight = prices.weight_of_criterion[criterion]
        before = deviation[criterion, here]
        leave += weight * (abs(before - amount) - abs(before))
        for part in range(price_to_join.shape[0]):
            before = deviation[criterion, part]
            price_to_join[part] += weight * (abs(before + amount) - abs(before))
    return leave


@inlined
def price_by_lookup(units, unit, here, cost_to_add, cost_to_take, price_to_join):
    """Do the same as `price_by_amounts` for a unit whose entries are one row each."""
    indptr, indices = units.indptr, units.indices
    leave = 0
    for entry in range(indptr[unit], indptr[unit + 1]):
        criterion = indices[entry]
        leave += cost_to_take[criterion, here]
        for part in range(price_to_join.shape[0]):
            price_to_join[part] += cost_to_add[criterion, part]
    return leave


@inlined
def find_cheapest_other(here, prices, temperature, price_to_join):
    """Return the cheapest part but `here`; `price_to_join` is then in factors and by the shares."""
    there = -1
    for part in range(price_to_join.shape[0]):
        price_to_join[part] = (
            price_to_join[part] * prices.factor_of_part[part]
            - temperature * prices.log_share_of_part[part]
        )
        if part != here and (there < 0 or price_to_join[part] < price_to_join[there]):
            there = part
    return there
