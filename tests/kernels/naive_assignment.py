"""Slow, obvious versions of the kernels of `assignment` and of swaps of amounts."""

import numpy as np
from scipy.optimize import linear_sum_assignment

from evenfold._kernels.assignment import TIE_BITS


def check_batches(counts, order, slots, batch_size, is_strict, n_counts, prices, tie, part):
    """Assert that every batch of a placement has the least cost that scipy finds.

    `counts` is dense units × criteria, `prices` (weight, row weight, factor, deviation, row
    deviation), `tie` (n_units, n_parts) the random bits. What the parts hold follows the placement
    that is checked, so that one of several placements of equal cost is as good as another.
    """
    weight, row_weight, factor, deviation, row_deviation = prices
    deviation, row_deviation = deviation.copy(), row_deviation.copy()
    n_parts = len(factor)
    left = np.bincount(slots, minlength=n_parts)
    for start in range(0, len(order), batch_size):
        members = order[start : start + batch_size]
        most = np.bincount(slots[start : start + batch_size], minlength=n_parts)
        shared = [
            weight[own] * a[own] * b[own]
            for at, a in enumerate(counts[members])
            for b in counts[members[:at]]
            for own in range(n_counts)
        ]
        step = 2 * factor * (max(shared, default=0) + row_weight)
        if not is_strict:
            most = np.where(most > 0, np.minimum(left, len(members)), 0)
            if most.sum() < len(members):
                most = np.minimum(left, len(members))
        cost = np.array(
            [
                factor * ((weight * a)[:, None] * (2 * deviation + a[:, None])).sum(axis=0)
                for a in counts[members]
            ]
        )
        cost = (cost << TIE_BITS) + tie[members]
        own = [(j, s) for j in range(n_parts) for s in range(most[j])]
        extra = [
            0 if is_strict else _extra(j, s, factor, row_weight, row_deviation, step)
            for j, s in own
        ]
        slot_cost = cost[:, [j for j, _ in own]] + np.array(extra)
        rows, columns = linear_sum_assignment(slot_cost.astype(np.float64))
        least = slot_cost[rows, columns].sum()
        taken = np.bincount(part[members], minlength=n_parts)
        assert (taken <= most).all()
        found = cost[np.arange(len(members)), part[members]].sum()
        if not is_strict:
            found += sum(
                _extra(j, s, factor, row_weight, row_deviation, step)
                for j in range(n_parts)
                for s in range(taken[j])
            )
        assert found == least
        for unit in members:
            deviation[:, part[unit]] += counts[unit]
            row_deviation[part[unit]] += 1
            left[part[unit]] -= 1


def _extra(j, s, factor, row_weight, row_deviation, step):
    return (2 * row_weight * factor[j] * row_deviation[j] + s * step[j]) << TIE_BITS


def swap(
    values,
    rows_of_unit,
    order,
    factor,
    first,
    n_trials,
    temperatures,
    exponential,
    seed,
    part,
    sizes,
):
    """Try the swaps of the kernel, the whole cost computed anew for each; return the parts."""
    part = part.copy()

    def find_cost(part):
        sums = [values[part == j].sum(axis=0) for j in range(len(factor))]
        return sum(int(factor[j] * (own * own).sum()) for j, own in enumerate(sums))

    def find_surplus(part):
        return np.abs(np.bincount(part, rows_of_unit, minlength=len(factor)) - sizes).sum()

    def draw():
        nonlocal seed
        seed ^= (seed << 13) & 0xFFFFFFFF
        seed ^= seed >> 17
        seed ^= (seed << 5) & 0xFFFFFFFF
        return seed

    for trial in range(n_trials):
        temperature = int(temperatures[trial * len(temperatures) // n_trials])
        place = (first + trial) % len(order)
        unit, other = order[place], order[(place + (draw() * len(order) >> 32)) % len(order)]
        swapped = part.copy()
        swapped[unit], swapped[other] = part[other], part[unit]
        if part[unit] == part[other] or find_surplus(swapped) > find_surplus(part):
            continue
        limit = temperature * int(exponential[draw() & 1023]) if temperature > 0 else 0
        if find_cost(swapped) - find_cost(part) < limit:
            part = swapped
    return part
