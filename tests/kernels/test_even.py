"""The sweeps of even against a slow version that computes the whole cost for every change."""

import numpy as np
import pytest

from evenfold._kernels.even import MEND, MOVE, SWAP, Placement, Prices, Sweeps, refine
from evenfold._kernels.units import Units


def draw_next(state):
    """Return the next state of a 32-bit xorshift generator."""
    state ^= (state << 13) % 2**32
    state ^= state >> 17
    state ^= (state << 5) % 2**32
    return state


def whole_cost(held, target, rows, wanted, weight, factor, row_weight):
    """Return Σ factor_j (Σ weight_l |held_lj - target_lj| + row_weight |rows_j - wanted_j|)."""
    of_part = weight @ np.abs(held - target) + row_weight * np.abs(rows - wanted)
    return int(factor @ of_part)


def refine_slowly(amount, rows_of_unit, order, part, target, wanted, prices, sweeps, draws, seed):
    """Make the sweeps; the cost of each change is that of the split after it less that before."""
    weight, factor, log_share = prices
    n_parts = len(factor)
    state = seed

    def cost_of(parts, row_weight):
        held = np.stack([amount[parts == j].sum(axis=0) for j in range(n_parts)], axis=1)
        rows = np.bincount(parts, rows_of_unit, minlength=n_parts).astype(int)
        return whole_cost(held, target, rows, wanted, weight, factor, row_weight)

    for kind, temperature, row_weight in sweeps:
        rows = np.bincount(part, rows_of_unit, minlength=n_parts)
        if kind == MEND and (rows == wanted).all():
            continue
        for unit in order:
            before = cost_of(part, row_weight)
            if kind == SWAP:
                state = draw_next(state)
                other = order[state * len(order) >> 32]
                if part[other] == part[unit]:
                    continue
                trial = part.copy()
                trial[[unit, other]] = part[[other, unit]]
                change = cost_of(trial, row_weight) - before
            else:
                found = []
                for there in range(n_parts):
                    moved = part.copy()
                    moved[unit] = there
                    lead = temperature * int(log_share[part[unit]] - log_share[there])
                    if there != part[unit]:
                        found.append((cost_of(moved, row_weight) - before + lead, there, moved))
                change, _, trial = min(found, key=lambda each: each[:2])
            limit = 0
            if temperature > 0:
                state = draw_next(state)
                limit = temperature * int(draws[state % 1024])
            if change < limit:
                part = trial
    return part


@pytest.mark.parametrize("counted", [False, True])
@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_refine_makes_the_changes_of_the_slow_version(counted, compiled, seed):
    """Moves, mending moves and swaps, with and without amounts, compiled and plain."""
    rng = np.random.default_rng(seed)
    n_units, n_criteria, n_parts = 14, 5, 3
    amount = (rng.random((n_units, n_criteria)) < 0.4).astype(np.int64)
    rows_of_unit = np.ones(n_units, np.int64)
    if counted:
        amount *= rng.integers(1, 4, amount.shape)
        rows_of_unit = rng.integers(1, 4, n_units)
    part = rng.integers(0, n_parts, n_units).astype(np.int32)
    wanted = np.array([rows_of_unit.sum() - 8, 4, 4])
    target = np.round(amount.sum(axis=0)[:, None] * wanted / wanted.sum()).astype(np.int64)
    weight, factor = rng.integers(1, 9, n_criteria), np.array([1, 2, 2])
    log_share = np.round(1024 * np.log(wanted / wanted.max())).astype(np.int64)
    draws = rng.integers(0, 40, 1024)
    sweeps = [(MOVE, 2, 1), (MEND, 0, 3), (MOVE, 0, 1), (SWAP, 3, 5), (SWAP, 0, 50), (MEND, 0, 99)]
    order = rng.permutation(n_units)
    expected = refine_slowly(
        amount, rows_of_unit, order, part, target, wanted, (weight, factor, log_share), sweeps,
        draws, seed + 1,
    )  # fmt: skip
    held = np.stack([amount[part == j].sum(axis=0) for j in range(n_parts)], axis=1)
    rows = np.bincount(part, rows_of_unit, minlength=n_parts).astype(np.int64)
    indptr = np.concatenate(([0], np.cumsum((amount > 0).sum(axis=1))))
    kinds, temperatures, row_weights = (np.array(column) for column in zip(*sweeps, strict=True))
    (refine.compiled if compiled else refine)(
        Units(
            indptr,
            np.nonzero(amount)[1].astype(np.int32),
            amount[amount > 0] if counted else np.empty(0, np.int64),
            rows_of_unit,
        ),
        order,
        Prices(weight, factor, log_share),
        Sweeps(kinds, temperatures, row_weights),
        draws,
        seed + 1,
        1,
        Placement(part, held - target, rows - wanted),
    )
    assert part.tolist() == expected.tolist()
