"""The sweeps of even against a slow version that computes the whole cost for every change."""

import numpy as np
import pytest

from evenfold._kernels.even import MEND, MOVE, SWAP, refine
from evenfold._kernels.even_records import Placement, Prices, Sweeps
from evenfold._kernels.units import Units


def draw_next(state):
    """Return the next state of a 32-bit xorshift generator."""
    state ^= (state << 13) % 2**32
    state ^= state >> 17
    state ^= (state << 5) % 2**32
    return state


class SlowSplit:
    """A split whose cost is computed from the beginning every time."""

    def __init__(self, amount, rows_of_unit, target, wanted, prices):
        self.amount, self.rows_of_unit = amount, rows_of_unit
        self.target, self.wanted, self.prices = target, wanted, prices

    def count(self, part):
        """Return (n_criteria, n_parts) what each part holds."""
        n_parts = len(self.wanted)
        return np.stack([self.amount[part == j].sum(axis=0) for j in range(n_parts)], axis=1)

    def cost_of_held(self, held):
        """Return Σ factor_j Σ weight_l (|held_lj - target_lj| + price · what part j lacks)."""
        deviation = held - self.target
        off = np.abs(deviation)
        if self.prices.least.size:
            lacking = np.maximum(0, self.prices.least - deviation)
            off = off + self.prices.price_of_lacking * lacking
        return int(self.prices.factor_of_part @ (self.prices.weight_of_criterion @ off))

    def cost(self, part, row_weight):
        """Return the cost of criteria and of the sizes."""
        rows = np.bincount(part, self.rows_of_unit, minlength=len(self.wanted)).astype(int)
        of_rows = int(self.prices.factor_of_part @ np.abs(rows - self.wanted))
        return self.cost_of_held(self.count(part)) + row_weight * of_rows

    def price_to_join(self, part, unit, there):
        """Return what the criteria cost more if the unit is in part `there` as well."""
        held = self.count(part)
        more = held.copy()
        more[:, there] += self.amount[unit]
        return self.cost_of_held(more) - self.cost_of_held(held)


class SlowSweeps:
    """Sweeps; the cost of each change is that of the split after it less that before."""

    def __init__(self, split, order, part, draws, seed):
        self.split, self.order, self.part, self.draws = split, order, part, draws
        self.state = seed
        self.n_parts = len(split.wanted)
        self.units_of_part = None

    def draw(self):
        """Return the next random number."""
        self.state = draw_next(self.state)
        return self.state

    def draw_limit(self, temperature):
        """Return the cost below which a change is made; at temperature 0 nothing is drawn."""
        return temperature * int(self.draws[self.draw() % 1024]) if temperature else 0

    def run(self, sweeps):
        """Make the sweeps; return the part of each unit."""
        for kind, temperature, row_weight in sweeps:
            rows = np.bincount(self.part, self.split.rows_of_unit, minlength=self.n_parts)
            if kind == MEND and (rows == self.split.wanted).all():
                continue
            if kind != SWAP:
                self.units_of_part = None
            elif self.units_of_part is None:
                self.units_of_part = [
                    [unit for unit in self.order if self.part[unit] == j]
                    for j in range(self.n_parts)
                ]
            change = self.swap if kind == SWAP else self.move
            for unit in self.order:
                change(unit, temperature, row_weight)
        return self.part

    def move(self, unit, temperature, row_weight):
        """Move a unit to the part where it is cheapest."""
        part, split = self.part, self.split
        log_share = split.prices.log_share_of_part
        found = []
        for there in range(self.n_parts):
            trial = part.copy()
            trial[unit] = there
            lead = temperature * int(log_share[part[unit]] - log_share[there])
            if there != part[unit]:
                change = split.cost(trial, row_weight) - split.cost(part, row_weight)
                found.append((change + lead, there, trial))
        change, _, trial = min(found, key=lambda each: each[:2])
        if change < self.draw_limit(temperature):
            self.part = trial

    def swap(self, unit, temperature, row_weight):
        """Swap a unit with one, or the second, of those drawn from the part that suits it."""
        here, split = self.part[unit], self.split
        there = self.choose_part_to_swap(unit, temperature)
        others = self.units_of_part[there]
        for _ in range(2 if temperature else 1):
            if not others:
                return
            at = self.draw() * len(others) >> 32
            other = others[at]
            trial = self.part.copy()
            trial[[unit, other]] = self.part[[other, unit]]
            change = split.cost(trial, row_weight) - split.cost(self.part, row_weight)
            if change < self.draw_limit(temperature):
                self.part = trial
                others[at] = unit
                self.units_of_part[here][self.units_of_part[here].index(unit)] = other
                return

    def choose_part_to_swap(self, unit, temperature):
        """Return the other part in which the unit costs least plus a draw; at 0, a drawn part."""
        prices = []
        for there in range(self.n_parts):
            price = drawn = self.draw()
            if temperature:
                price = self.split.price_to_join(self.part, unit, there)
                price += temperature * int(self.draws[drawn % 1024])
            prices.append((price, there))
        return min(each for each in prices if each[1] != self.part[unit])[1]


@pytest.mark.parametrize("counted", [False, True])
@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("covers", [False, True])
@pytest.mark.parametrize("seed", range(10))
def test_refine_makes_the_changes_of_the_slow_version(counted, compiled, covers, seed):
    """Moves, mending moves and swaps; with and without amounts and cover; compiled and plain."""
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
    # With small numbers here, what is drawn decides about moves.
    log_share = np.round((1024, 4)[seed % 2] * np.log(wanted / wanted.max())).astype(np.int64)
    draws = rng.integers(0, 40, 1024)
    least = np.where(rng.random(target.shape) < 0.5, 1 - target, -99) if covers else target[:0]
    prices = Prices(weight, factor, log_share, least, 3)
    sweeps = [(MOVE, 2, 1), (MEND, 0, 3), (MOVE, 0, 1), (SWAP, 3, 5), (SWAP, 0, 50), (MEND, 0, 99)]
    sweeps += [(SWAP, 1, 9)]
    # The first unit of a sweep finds nothing that another one has left behind.
    order = np.roll(np.arange(n_units), -(seed % 3)) if seed > 5 else rng.permutation(n_units)
    split = SlowSplit(amount, rows_of_unit, target, wanted, prices)
    expected = SlowSweeps(split, order, part, draws, seed + 1).run(sweeps)
    held = np.stack([amount[part == j].sum(axis=0) for j in range(n_parts)], axis=1)
    rows = np.bincount(part, rows_of_unit, minlength=n_parts).astype(np.int64)
    indptr = np.concatenate(([0], np.cumsum((amount > 0).sum(axis=1))))
    kinds, temperatures, row_weights = (np.array(column) for column in zip(*sweeps, strict=True))
    (refine.compiled if compiled else refine)(
        Units(
            indptr,
            np.nonzero(amount)[1].astype(np.uint32),
            amount[amount > 0] if counted else np.empty(0, np.int64),
            rows_of_unit,
        ),
        order,
        prices,
        Sweeps(kinds, temperatures, row_weights),
        draws,
        seed + 1,
        1,
        Placement(part, held - target, rows - wanted),
    )
    assert part.tolist() == expected.tolist()
