"""even where sizes may be off: sweeps in which the targets of labels follow the sizes."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .compiler import inlined, kernel, shared
from .even_records import Step

# The kinds of sweeps of `even.py`. Not imported: Numba compiles a cached kernel again only if its
# own file changes.
MEND = 1
SWAP = 2


class SizePrices(NamedTuple):
    """By how much sizes may be off, and the targets that follow them.

    A size may deviate by `row_slack` (n_parts,) at no cost. The target of criterion `sized[i]` in a
    part changes by `share_of_row[i]` for each row that the part gets or loses.
    """

    row_slack: NDArray[np.int64]
    sized: NDArray[np.int64]
    share_of_row: NDArray[np.int64]


class Scratch(NamedTuple):
    """Arrays that the sweeps work with.

    `tilt` (n_parts,) is what one row more costs because targets rise, if no deviation changes its
    sign. `net` (n_criteria,) is 0 but while a change is priced: then what leaves the part. `holder`
    (n_criteria,) is the last visited unit that holds the criterion.
    """

    price_to_join: NDArray[np.int64]
    tilt: NDArray[np.int64]
    net: NDArray[np.int64]
    holder: NDArray[np.int64]


@kernel
def refine_sizes(units, order, prices, sizes, sweeps, exponential, seed, unit_step, placement):
    """Make the sweeps of `refine` where sizes may be off; every entry has an amount.

    The cost is that of `refine`, with two differences: only what a size deviates beyond its slack
    costs, and the deviation of label l is c_lj - m_l n_j / n for the actual size n_j of the part.
    Arguments are as for `refine`; `prices.least` is INOUT, because it follows the targets.
    A change is first priced with `tilt`, without reading the labels that the units do not hold. If
    it would be accepted, it is priced exactly. A unit swaps with any unit of another part, drawn.
    Cost O(nnz · n_parts) for a sweep, and O(n_sized) for each change that is priced exactly.
    """
    n_criteria, n_parts = placement.deviation.shape
    scratch = Scratch(
        np.empty(n_parts, np.int64),
        np.empty(n_parts, np.int64),
        np.zeros(n_criteria, np.int64),
        np.full(n_criteria, -1, np.int64),
    )
    weight = prices.weight_of_criterion
    for part in range(n_parts):
        scratch.tilt[part] = find_tilt(part, weight, sizes, placement.deviation)
    state = seed
    for sweep in range(sweeps.kind.shape[0]):
        kind = sweeps.kind[sweep]
        step = Step(sweeps.temperature[sweep], sweeps.row_weight[sweep], unit_step, exponential)
        if kind == SWAP:
            state = sweep_swaps(units, order, prices, sizes, step, state, placement, scratch)
        elif kind != MEND or (np.abs(placement.row_deviation) > sizes.row_slack).any():
            state = sweep_moves(units, order, prices, sizes, step, state, placement, scratch)


@shared
def sweep_moves(units, order, prices, sizes, step, state, placement, scratch):
    """Let each unit move to its cheapest other part; return the state of the generator."""
    part_of_unit, deviation, row_deviation = placement
    indptr, indices, amounts, rows_of_unit = units
    weight, factor, log_share, least, price_of_lacking = prices
    temperature, row_weight, unit_step, exponential = step
    price_to_join, tilt, net, _ = scratch
    slack = sizes.row_slack
    n_parts = price_to_join.shape[0]
    for at in range(order.shape[0]):
        unit = order[at]
        here = part_of_unit[unit]
        n_rows = rows_of_unit[unit]
        rows = n_rows * unit_step
        for part in range(n_parts):
            price_to_join[part] = tilt[part] * n_rows + row_weight * cost_of_rows(
                row_deviation[part], rows, slack[part]
            )
        leave = row_weight * cost_of_rows(row_deviation[here], -rows, slack[here])
        leave -= tilt[here] * n_rows
        for entry in range(indptr[unit], indptr[unit + 1]):
            criterion = indices[entry]
            amount = amounts[entry]
            leave += price_of_change(
                criterion, here, -amount, weight, least, price_of_lacking, deviation
            )
            for part in range(n_parts):
                price_to_join[part] += price_of_change(
                    criterion, part, amount, weight, least, price_of_lacking, deviation
                )
        there = -1
        for part in range(n_parts):
            price_to_join[part] = price_to_join[part] * factor[part] - temperature * log_share[part]
            if part != here and (there < 0 or price_to_join[part] < price_to_join[there]):
                there = part
        change = leave * factor[here] + price_to_join[there] + temperature * log_share[here]
        limit = 0
        if temperature > 0:
            state = draw_next(state)
            limit = temperature * exponential[state & 1023]
        if change >= limit:
            continue
        for entry in range(indptr[unit], indptr[unit + 1]):
            net[indices[entry]] = amounts[entry]
        change += n_rows * (tilt[here] * factor[here] - tilt[there] * factor[there])
        change += price_targets(n_rows, here, there, net, weight, factor, sizes, deviation)
        if change < limit:
            part_of_unit[unit] = there
            row_deviation[here] -= rows
            row_deviation[there] += rows
            for entry in range(indptr[unit], indptr[unit + 1]):
                deviation[indices[entry], here] -= amounts[entry]
                deviation[indices[entry], there] += amounts[entry]
            shift_targets(n_rows, here, there, sizes, least, deviation)
            tilt[here] = find_tilt(here, weight, sizes, deviation)
            tilt[there] = find_tilt(there, weight, sizes, deviation)
        for entry in range(indptr[unit], indptr[unit + 1]):
            net[indices[entry]] = 0
    return state


@shared
def sweep_swaps(units, order, prices, sizes, step, state, placement, scratch):
    """Let each unit swap parts with a random unit; return the state of the generator."""
    part_of_unit, deviation, row_deviation = placement
    indptr, indices, amounts, rows_of_unit = units
    weight, factor, _, least, price_of_lacking = prices
    temperature, row_weight, unit_step, exponential = step
    _, tilt, net, holder = scratch
    slack = sizes.row_slack
    for at in range(order.shape[0]):
        unit = order[at]
        here = part_of_unit[unit]
        state = draw_next(state)
        other = order[state * order.shape[0] >> 32]
        there = part_of_unit[other]
        if there == here:
            continue
        n_rows = rows_of_unit[unit] - rows_of_unit[other]
        rows = n_rows * unit_step
        for entry in range(indptr[unit], indptr[unit + 1]):
            net[indices[entry]] = amounts[entry]
            holder[indices[entry]] = unit
        for entry in range(indptr[other], indptr[other + 1]):
            net[indices[entry]] -= amounts[entry]
        of_here = row_weight * cost_of_rows(row_deviation[here], -rows, slack[here])
        of_there = row_weight * cost_of_rows(row_deviation[there], rows, slack[there])
        for one in (unit, other):
            for entry in range(indptr[one], indptr[one + 1]):
                criterion = indices[entry]
                # What both units hold is priced with the first.
                if one == unit or holder[criterion] != unit:
                    amount = net[criterion]
                    of_here += price_of_change(
                        criterion, here, -amount, weight, least, price_of_lacking, deviation
                    )
                    of_there += price_of_change(
                        criterion, there, amount, weight, least, price_of_lacking, deviation
                    )
        change = of_here * factor[here] + of_there * factor[there]
        limit = 0
        if temperature > 0:
            state = draw_next(state)
            limit = temperature * exponential[state & 1023]
        tilted = n_rows * (tilt[there] * factor[there] - tilt[here] * factor[here])
        if change + tilted < limit:
            change += price_targets(n_rows, here, there, net, weight, factor, sizes, deviation)
            if change < limit:
                part_of_unit[unit] = there
                part_of_unit[other] = here
                row_deviation[here] -= rows
                row_deviation[there] += rows
                for entry in range(indptr[unit], indptr[unit + 1]):
                    deviation[indices[entry], here] -= amounts[entry]
                    deviation[indices[entry], there] += amounts[entry]
                for entry in range(indptr[other], indptr[other + 1]):
                    deviation[indices[entry], here] += amounts[entry]
                    deviation[indices[entry], there] -= amounts[entry]
                shift_targets(n_rows, here, there, sizes, least, deviation)
                tilt[here] = find_tilt(here, weight, sizes, deviation)
                tilt[there] = find_tilt(there, weight, sizes, deviation)
        for one in (unit, other):
            for entry in range(indptr[one], indptr[one + 1]):
                net[indices[entry]] = 0
    return state


@inlined
def draw_next(state):
    """Return the next state of xorshift, kept to 32 bits so that plain Python computes the same."""
    state ^= (state << 13) & 0xFFFFFFFF
    state ^= state >> 17
    state ^= (state << 5) & 0xFFFFFFFF
    return state


@inlined
def cost_of_rows(deviation, rows, slack):
    """Return by how much added rows change what a size deviates beyond its slack."""
    return max(0, abs(deviation + rows) - slack) - max(0, abs(deviation) - slack)


@inlined
def price_of_change(criterion, part, amount, weight, least, price_of_lacking, deviation):
    """Return what an added amount of a criterion costs in a part, without the part's factor."""
    before = deviation[criterion, part]
    change = abs(before + amount) - abs(before)
    if least.shape[0] > 0:
        lacking = least[criterion, part] - before
        change += price_of_lacking * (max(0, lacking - amount) - max(0, lacking))
    return weight[criterion] * change


@inlined
def find_tilt(part, weight, sizes, deviation):
    """Return what one row more costs in the part because its targets rise."""
    tilt = 0
    for at in range(sizes.sized.shape[0]):
        criterion = sizes.sized[at]
        price = weight[criterion] * sizes.share_of_row[at]
        tilt += price if deviation[criterion, part] <= 0 else -price
    return tilt


@inlined
def price_targets(n_rows, here, there, net, weight, factor, sizes, deviation):
    """Return what the change of targets costs after `net` and these rows went to another part."""
    of_here = 0
    of_there = 0
    for at in range(sizes.sized.shape[0]):
        criterion = sizes.sized[at]
        change = sizes.share_of_row[at] * n_rows
        left = deviation[criterion, here] - net[criterion]
        joined = deviation[criterion, there] + net[criterion]
        of_here += weight[criterion] * (abs(left + change) - abs(left))
        of_there += weight[criterion] * (abs(joined - change) - abs(joined))
    return of_here * factor[here] + of_there * factor[there]


@inlined
def shift_targets(n_rows, here, there, sizes, least, deviation):
    """Let the targets follow the sizes after rows went from one part to another."""
    for at in range(sizes.sized.shape[0]):
        criterion = sizes.sized[at]
        change = sizes.share_of_row[at] * n_rows
        deviation[criterion, here] += change
        deviation[criterion, there] -= change
        if least.shape[0] > 0:
            least[criterion, here] += change
            least[criterion, there] -= change
