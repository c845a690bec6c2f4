"""The sweeps of even with sizes that may be off, against a slow version."""

import numpy as np
import pytest

from evenfold._kernels import even_sizes
from evenfold._kernels.even import MEND, MOVE, SWAP
from evenfold._kernels.even_records import Placement, Prices, Sweeps
from evenfold._kernels.even_sizes import SizePrices, refine_sizes
from evenfold._kernels.units import Units
from tests.kernels.test_even import draw_next


class SlowSizes:
    """Sweeps that compute the whole cost of a split for every change."""

    def __init__(self, amount, rows_of_unit, target, wanted, prices, sizes):
        self.amount, self.rows_of_unit = amount, rows_of_unit
        self.target, self.wanted, self.prices, self.sizes = target, wanted, prices, sizes
        self.n_parts = len(wanted)
        self.share = np.zeros(len(target), np.int64)
        self.share[sizes.sized] = sizes.share_of_row

    def count_rows(self, part):
        """Return (n_parts,) the rows in each part."""
        return np.bincount(part, self.rows_of_unit, minlength=self.n_parts).astype(np.int64)

    def find_deviation(self, part, rows):
        """Return what each part holds less its target, for parts of that many rows."""
        held = np.stack([self.amount[part == j].sum(axis=0) for j in range(self.n_parts)], axis=1)
        return held - self.target - self.share[:, None] * (rows - self.wanted)

    def cost(self, part, row_weight, rows_of_targets=None):
        """Return the cost; targets are those of the actual sizes, or of others."""
        rows = self.count_rows(part)
        targeted = rows if rows_of_targets is None else rows_of_targets
        off = np.abs(self.find_deviation(part, targeted))
        if self.prices.least.size:
            held = self.find_deviation(part, self.wanted)
            lacking = np.maximum(0, self.prices.least - held)
            off = off + self.prices.price_of_lacking * lacking
        beyond = np.maximum(0, np.abs(rows - self.wanted) - self.sizes.row_slack)
        cost = self.prices.weight_of_criterion @ off + row_weight * beyond
        return int(self.prices.factor_of_part @ cost)

    def estimate(self, part, trial, row_weight):
        """Return the change of the cost if no change of a target changed a sign."""
        rows = self.count_rows(part)
        sign = np.where(self.find_deviation(part, rows) <= 0, 1, -1)
        tilt = (self.prices.weight_of_criterion * self.share) @ sign
        of_targets = int((tilt * (self.count_rows(trial) - rows)) @ self.prices.factor_of_part)
        return self.cost(trial, row_weight, rows) - self.cost(part, row_weight) + of_targets

    def run(self, part, order, sweeps, draws, state):
        """Make the sweeps; return the part of each unit."""
        log_share = self.prices.log_share_of_part
        for kind, temperature, row_weight in sweeps:
            off = np.abs(self.count_rows(part) - self.wanted)
            if kind == MEND and (off <= self.sizes.row_slack).all():
                continue
            for unit in order:
                trial, lead = part.copy(), 0
                if kind == SWAP:
                    state = draw_next(state)
                    other = order[state * len(order) >> 32]
                    if part[other] == part[unit]:
                        continue
                    trial[[unit, other]] = part[[other, unit]]
                else:
                    found = []
                    for there in set(range(self.n_parts)) - {int(part[unit])}:
                        trial = part.copy()
                        trial[unit] = there
                        lead = temperature * int(log_share[part[unit]] - log_share[there])
                        found.append((self.estimate(part, trial, row_weight) + lead, there, lead))
                    _, there, lead = min(found)
                    trial = part.copy()
                    trial[unit] = there
                limit = 0
                if temperature:
                    state = draw_next(state)
                    limit = temperature * int(draws[state % 1024])
                change = self.cost(trial, row_weight) - self.cost(part, row_weight) + lead
                if self.estimate(part, trial, row_weight) + lead < limit and change < limit:
                    part = trial
        return part


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("covers", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_refine_sizes_makes_the_changes_of_the_slow_version(compiled, covers, seed):
    """Moves, mending moves and swaps, with and without cover, compiled and plain."""
    rng = np.random.default_rng(seed)
    n_units, n_criteria, n_parts = 14, 6, 3
    amount = (rng.random((n_units, n_criteria)) < 0.4) * rng.integers(1, 30, (n_units, n_criteria))
    rows_of_unit = rng.integers(1, 5, n_units)
    part = rng.integers(0, n_parts, n_units).astype(np.int32)
    wanted = np.array([rows_of_unit.sum() - 16, 8, 8])
    target = np.round(amount.sum(axis=0)[:, None] * wanted / wanted.sum()).astype(np.int64)
    log_share = np.round(1024 * np.log(wanted / wanted.max())).astype(np.int64)
    least = np.where(rng.random(target.shape) < 0.5, 5 - target, -999) if covers else target[:0]
    prices = Prices(rng.integers(1, 9, n_criteria), np.array([1, 2, 2]), log_share, least, 3)
    sizes = SizePrices(np.array([4, 2, 1]), np.array([0, 2, 3, 5]), np.array([3, 1, 2, 4]))
    sweeps = [(MOVE, 2, 1), (MEND, 0, 30), (MOVE, 0, 9), (SWAP, 3, 50), (SWAP, 0, 50)]
    sweeps += [(MEND, 0, 990), (SWAP, 1, 90), (MOVE, 1, 90)]
    draws = rng.integers(0, 40, 1024)
    order = rng.permutation(n_units)
    slow = SlowSizes(
        amount, rows_of_unit, target, wanted, prices._replace(least=least.copy()), sizes
    )
    expected = slow.run(part.copy(), order, sweeps, draws, seed + 1)
    rows = slow.count_rows(part)
    deviation = slow.find_deviation(part, rows)
    if covers:
        shift = np.zeros_like(target)
        shift[sizes.sized] = sizes.share_of_row[:, None] * (rows - wanted)
        prices = prices._replace(least=least - shift)
    kinds, temperatures, row_weights = (np.array(column) for column in zip(*sweeps, strict=True))
    (refine_sizes.compiled if compiled else refine_sizes)(
        Units(
            np.concatenate(([0], np.cumsum((amount > 0).sum(axis=1)))),
            np.nonzero(amount)[1].astype(np.uint32),
            amount[amount > 0],
            rows_of_unit,
        ),
        order,
        prices,
        sizes,
        Sweeps(kinds, temperatures, row_weights),
        draws,
        seed + 1,
        1,
        Placement(part, deviation, rows - wanted),
    )
    assert part.tolist() == expected.tolist()
    assert deviation.tolist() == slow.find_deviation(part, slow.count_rows(part)).tolist()


def test_kinds_of_sweeps_are_those_of_even():
    """Both kernels are given the same sweeps."""
    assert (even_sizes.MEND, even_sizes.SWAP) == (MEND, SWAP)
