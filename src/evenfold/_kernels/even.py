"""even: sweeps in which units move or swap parts while that makes the parts more even."""

import numpy as np

from .compiler import inlined, kernel, shared
from .even_records import LookUp, Slots, Step

# Kinds of sweeps: units move; units move unless all sizes are right already; two units swap parts.
MOVE = 0
MEND = 1
SWAP = 2

# Units of the chosen part that a unit may swap with in one sweep. With 2 instead of 1, and two
# thirds of the sweeps, splits of yeast, bibtex and enron were more even in the same time; 4 were no
# better.
_PARTNERS = 2


@kernel
def refine(units, order, prices, sweeps, exponential, seed, unit_step, placement):
    """Make sweeps over the units in `order`: each moves to its cheapest other part, or swaps parts.

    IN: `units`, `prices`, `sweeps`; `exponential` 1024 quantiles times 1024, temperatures divided
    by 1024; a 32-bit seed. INOUT: `placement`. Cost O(nnz · n_parts) for a sweep.
    The cost is Σ factor_j · (Σ weight_l · c(deviation_lj) + row_weight · |row_deviation_j|), where
    c(d) = |d| + price_of_lacking · max(0, least_lj - d). A change is made if it adds less than the
    temperature times an exponential draw. A move into a smaller part is made less often, so that a
    high temperature alone spreads units by the sizes.
    All numbers are whole: the result is the same on every machine and in any order of criteria.
    """
    state = seed
    n_criteria, n_parts = placement.deviation.shape
    counted = units.amounts.shape[0] > 0
    price_to_join = np.empty(n_parts, np.int64)
    # If every entry is one row, the cost of adding or taking a row is the same for all units.
    # Looking it up, and keeping it up to date, more than halves the time.
    n_looked_up = 0 if counted else n_criteria
    look_up = LookUp(
        np.empty((n_looked_up, n_parts), np.int64),
        np.empty((n_looked_up, n_parts), np.int64),
        np.full(n_looked_up, -1, np.int64),
    )
    for criterion in range(n_looked_up):
        for part in range(n_parts):
            store(look_up, criterion, part, unit_step, prices, placement.deviation)
    slots = Slots(
        np.empty(n_parts + 1, np.int64),
        np.empty(order.shape[0], np.int64),
        np.empty(placement.part_of_unit.shape[0], np.int64),
    )
    has_slots = False
    for sweep in range(sweeps.kind.shape[0]):
        kind = sweeps.kind[sweep]
        step = Step(sweeps.temperature[sweep], sweeps.row_weight[sweep], unit_step, exponential)
        if kind == SWAP:
            if not has_slots:
                fill_slots(order, placement.part_of_unit, slots)
                has_slots = True
            state = sweep_swaps(
                units, order, prices, step, state, placement, look_up, slots, price_to_join
            )
        elif kind == MOVE or placement.row_deviation.any():
            has_slots = False
            state = sweep_moves(
                units, order, prices, step, state, placement, look_up, price_to_join
            )


@shared
def fill_slots(order, part_of_unit, slots):
    """Sort the units by part; OUT: `slots`."""
    first_slot, unit_in_slot, slot_of_unit = slots
    first_slot[:] = 0
    for unit in order:
        first_slot[part_of_unit[unit] + 1] += 1
    for part in range(first_slot.shape[0] - 1):
        first_slot[part + 1] += first_slot[part]
    next_slot = first_slot.copy()
    for unit in order:
        slot = next_slot[part_of_unit[unit]]
        next_slot[part_of_unit[unit]] += 1
        unit_in_slot[slot] = unit
        slot_of_unit[unit] = slot


@shared
def sweep_swaps(units, order, prices, step, state, placement, look_up, slots, price_to_join):
    """Let each unit swap parts with a random unit of another part; return the generator's state.

    Above temperature 0 that part is the cheapest one for the unit, with an exponential draw added
    to each price. At temperature 0 it would be the same in every sweep: there it is drawn.
    WORK: `price_to_join` (n_parts,).
    """
    part_of_unit, deviation, row_deviation = placement
    # Fields that inner loops read are taken out of their records here, once for all units.
    indptr, indices, amounts, rows_of_unit = units
    cost_to_add, cost_to_take, holder = look_up
    first_slot, unit_in_slot, slot_of_unit = slots
    factor = prices.factor_of_part
    exponential, temperature = step.exponential, step.temperature
    counted = amounts.shape[0] > 0
    n_parts = price_to_join.shape[0]
    n_partners = _PARTNERS if temperature > 0 else 1
    for at in range(order.shape[0]):
        unit = order[at]
        here = part_of_unit[unit]
        for part in range(n_parts):
            price_to_join[part] = 0
        if counted:
            leave = price_by_amounts(units, unit, here, prices, deviation, price_to_join)
        else:
            leave = price_by_look_up(
                indptr, indices, unit, here, cost_to_add, cost_to_take, price_to_join
            )
            for entry in range(indptr[unit], indptr[unit + 1]):
                holder[indices[entry]] = unit
        there = -1
        lowest = 0
        for part in range(n_parts):
            state = draw_next(state)
            price = state
            if temperature > 0:
                price = price_to_join[part] * factor[part]
                price += temperature * exponential[state & 1023]
            if part != here and (there < 0 or price < lowest):
                there = part
                lowest = price
        n_there = first_slot[there + 1] - first_slot[there]
        if n_there == 0:
            continue
        own_price = leave * factor[here] + price_to_join[there] * factor[there]
        for _ in range(n_partners):
            state = draw_next(state)
            other = unit_in_slot[first_slot[there] + (state * n_there >> 32)]
            rows = (rows_of_unit[unit] - rows_of_unit[other]) * step.unit_step
            change = step.row_weight * (
                factor[here] * cost_of_change(row_deviation[here], -rows)
                + factor[there] * cost_of_change(row_deviation[there], rows)
            )
            if counted:
                change += price_swap_by_amounts(units, unit, other, here, there, prices, deviation)
            else:
                change += own_price + price_partner_by_look_up(
                    indptr, indices, unit, other, here, there, factor, look_up
                )
            limit = 0
            if temperature > 0:
                state = draw_next(state)
                limit = temperature * exponential[state & 1023]
            if change < limit:
                part_of_unit[unit] = there
                part_of_unit[other] = here
                slot, other_slot = slot_of_unit[unit], slot_of_unit[other]
                unit_in_slot[slot], unit_in_slot[other_slot] = other, unit
                slot_of_unit[unit], slot_of_unit[other] = other_slot, slot
                row_deviation[here] -= rows
                row_deviation[there] += rows
                shift(units, unit, here, there, prices, step.unit_step, deviation, look_up)
                shift(units, other, there, here, prices, step.unit_step, deviation, look_up)
                break
    return state


@shared
def sweep_moves(units, order, prices, step, state, placement, look_up, price_to_join):
    """Let each unit move to its cheapest other part; return the state of the generator.

    WORK: `price_to_join` (n_parts,).
    """
    part_of_unit, deviation, row_deviation = placement
    # Fields that inner loops read are taken out of their records here, once for all units.
    indptr, indices = units.indptr, units.indices
    cost_to_add, cost_to_take, _ = look_up
    factor = prices.factor_of_part
    counted = units.amounts.shape[0] > 0
    for at in range(order.shape[0]):
        unit = order[at]
        here = part_of_unit[unit]
        rows = units.rows_of_unit[unit] * step.unit_step
        for part in range(price_to_join.shape[0]):
            price_to_join[part] = step.row_weight * cost_of_change(row_deviation[part], rows)
        leave = step.row_weight * cost_of_change(row_deviation[here], -rows)
        if counted:
            leave += price_by_amounts(units, unit, here, prices, deviation, price_to_join)
        else:
            leave += price_by_look_up(
                indptr, indices, unit, here, cost_to_add, cost_to_take, price_to_join
            )
        there = find_cheapest_other(here, prices, step.temperature, price_to_join)
        change = (
            leave * factor[here]
            + price_to_join[there]
            + step.temperature * prices.log_share_of_part[here]
        )
        limit = 0
        if step.temperature > 0:
            state = draw_next(state)
            limit = step.temperature * step.exponential[state & 1023]
        if change < limit:
            part_of_unit[unit] = there
            row_deviation[here] -= rows
            row_deviation[there] += rows
            shift(units, unit, here, there, prices, step.unit_step, deviation, look_up)
    return state


@inlined
def draw_next(state):
    """Return the next state of xorshift, kept to 32 bits so that plain Python computes the same."""
    state ^= (state << 13) & 0xFFFFFFFF
    state ^= state >> 17
    state ^= (state << 5) & 0xFFFFFFFF
    return state


@inlined
def cost_of_change(deviation, amount):
    """Return by how much an added amount changes an absolute deviation."""
    return abs(deviation + amount) - abs(deviation)


@inlined
def price_of_change(prices, criterion, part, deviation, amount):
    """Return what an added amount of a criterion costs in a part, without the part's factor."""
    change = cost_of_change(deviation[criterion, part], amount)
    if prices.least.shape[0] > 0:
        lacking = prices.least[criterion, part] - deviation[criterion, part]
        change += prices.price_of_lacking * (max(0, lacking - amount) - max(0, lacking))
    return prices.weight_of_criterion[criterion] * change


@inlined
def shift(units, unit, here, there, prices, unit_step, deviation, look_up):
    """Move the entries of a unit from one part to another, and update the costs in `look_up`."""
    indptr, indices, amounts, _ = units
    amount = unit_step
    counted = amounts.shape[0] > 0
    for entry in range(indptr[unit], indptr[unit + 1]):
        criterion = indices[entry]
        if counted:
            amount = amounts[entry]
        deviation[criterion, here] -= amount
        deviation[criterion, there] += amount
        if not counted:
            store(look_up, criterion, here, unit_step, prices, deviation)
            store(look_up, criterion, there, unit_step, prices, deviation)


@inlined
def store(look_up, criterion, part, unit_step, prices, deviation):
    """Store what one row more or less of the criterion costs in the part."""
    look_up.cost_to_add[criterion, part] = price_of_change(
        prices, criterion, part, deviation, unit_step
    )
    look_up.cost_to_take[criterion, part] = price_of_change(
        prices, criterion, part, deviation, -unit_step
    )


@inlined
def price_swap_by_amounts(units, unit, other, here, there, prices, deviation):
    """Return the cost of a swap of two units; entries that both units have cancel out."""
    indptr, indices, amounts, _ = units
    of_here = 0
    of_there = 0
    entry, entry_of_other = indptr[unit], indptr[other]
    end, end_of_other = indptr[unit + 1], indptr[other + 1]
    while entry < end or entry_of_other < end_of_other:
        amount = 0
        criterion = -1
        if entry < end:
            criterion = indices[entry]
        if entry_of_other < end_of_other and (
            criterion < 0 or indices[entry_of_other] <= criterion
        ):
            amount -= amounts[entry_of_other]
            if indices[entry_of_other] == criterion:
                amount += amounts[entry]
                entry += 1
            criterion = indices[entry_of_other]
            entry_of_other += 1
        else:
            amount += amounts[entry]
            entry += 1
        if amount != 0:
            of_here += price_of_change(prices, criterion, here, deviation, -amount)
            of_there += price_of_change(prices, criterion, there, deviation, amount)
    return of_here * prices.factor_of_part[here] + of_there * prices.factor_of_part[there]


@inlined
def price_partner_by_look_up(indptr, indices, unit, other, here, there, factor, look_up):
    """Return what the other unit adds to the cost of a swap with a unit; entries are 1 row each.

    What both units hold stays in both parts: its cost in the price of the unit is taken back.
    """
    cost_to_add, cost_to_take, holder = look_up
    of_here = 0
    of_there = 0
    for entry in range(indptr[other], indptr[other + 1]):
        criterion = indices[entry]
        if holder[criterion] == unit:
            of_here -= cost_to_take[criterion, here]
            of_there -= cost_to_add[criterion, there]
        else:
            of_here += cost_to_add[criterion, here]
            of_there += cost_to_take[criterion, there]
    return of_here * factor[here] + of_there * factor[there]


@inlined
def price_by_amounts(units, unit, here, prices, deviation, price_to_join):
    """Add to `price_to_join` what the unit costs in each part; return the cost of its leaving."""
    indptr, indices, amounts, _ = units
    leave = 0
    for entry in range(indptr[unit], indptr[unit + 1]):
        criterion = indices[entry]
        amount = amounts[entry]
        leave += price_of_change(prices, criterion, here, deviation, -amount)
        for part in range(price_to_join.shape[0]):
            price_to_join[part] += price_of_change(prices, criterion, part, deviation, amount)
    return leave


@inlined
def price_by_look_up(indptr, indices, unit, here, cost_to_add, cost_to_take, price_to_join):
    """Do the same as `price_by_amounts` for a unit whose entries are one row each."""
    leave = 0
    for entry in range(indptr[unit], indptr[unit + 1]):
        criterion = indices[entry]
        leave += cost_to_take[criterion, here]
        for part in range(price_to_join.shape[0]):
            price_to_join[part] += cost_to_add[criterion, part]
    return leave


@inlined
def find_cheapest_other(here, prices, temperature, price_to_join):
    """Return the cheapest part other than `here`.

    INOUT: `price_to_join` is multiplied by the factors and corrected by the shares of the parts.
    """
    there = -1
    for part in range(price_to_join.shape[0]):
        price_to_join[part] = (
            price_to_join[part] * prices.factor_of_part[part]
            - temperature * prices.log_share_of_part[part]
        )
        if part != here and (there < 0 or price_to_join[part] < price_to_join[there]):
            there = part
    return there
