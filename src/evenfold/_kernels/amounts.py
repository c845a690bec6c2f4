"""Amounts: pairs of units swap parts while that brings the means of the parts together."""

from .compiler import inlined, kernel

# The partner of a swap is one of this many next units.
NEAR_UNITS = 1 << 15


@kernel
def swap_amounts(
    values,
    rows_of_unit,
    order,
    factor_of_part,
    first_trial,
    n_trials,
    temperatures,
    exponential,
    seed,
    deviation,
    row_deviation,
    part_of_unit,
):
    """Try swaps of each unit in `order`, from `first_trial` on, with one of the next units.

    IN: `values` (n_units, n_columns), whole numbers that sum to 0 over all units, as nearly as
    rounding allows; temperatures divided by 1024, each for the same number of trials; `exponential`
    1024 quantiles times 1024; a 32-bit seed. INOUT: `deviation` (n_parts, n_columns), the sum of
    the values of each part; `row_deviation` (n_parts,), rows minus the target; `part_of_unit`.
    The cost is Σ factor_j · Σ deviation_jc². A swap is made if it adds less than the temperature
    times an exponential draw and does not add to Σ |row_deviation|.
    Cost O(n_trials · n_columns).
    """
    n_columns = values.shape[1]
    n_free = order.shape[0]
    # Partners are near in memory, which saves time if there are very many units.
    n_near = min(n_free, NEAR_UNITS)
    n_temperatures = temperatures.shape[0]
    state = seed
    for trial in range(n_trials):
        temperature = temperatures[trial * n_temperatures // n_trials]
        place = (first_trial + trial) % n_free
        unit = order[place]
        here = part_of_unit[unit]
        state = _draw(state)
        other = order[(place + (state * n_near >> 32)) % n_free]
        there = part_of_unit[other]
        if there == here:
            continue
        net = rows_of_unit[unit] - rows_of_unit[other]
        if net != 0 and abs(row_deviation[here] - net) + abs(row_deviation[there] + net) > abs(
            row_deviation[here]
        ) + abs(row_deviation[there]):
            continue
        along_here = 0
        along_there = 0
        squares = 0
        for column in range(n_columns):
            change = values[other, column] - values[unit, column]
            along_here += deviation[here, column] * change
            along_there += deviation[there, column] * change
            squares += change * change
        gain = factor_of_part[there] * (2 * along_there - squares)
        cost = factor_of_part[here] * (2 * along_here + squares) - gain
        limit = 0
        if temperature > 0:
            state = _draw(state)
            limit = temperature * exponential[state & 1023]
        if cost < limit:
            part_of_unit[unit] = there
            part_of_unit[other] = here
            row_deviation[here] -= net
            row_deviation[there] += net
            for column in range(n_columns):
                change = values[other, column] - values[unit, column]
                deviation[here, column] += change
                deviation[there, column] -= change


@inlined
def _draw(state):
    """Return the next state of xorshift, kept to 32 bits so that plain Python computes the same."""
    state ^= (state << 13) & 0xFFFFFFFF
    state ^= state >> 17
    state ^= (state << 5) & 0xFFFFFFFF
    return state
