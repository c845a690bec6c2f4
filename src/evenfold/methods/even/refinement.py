"""Refinement: a split that is being improved, in the whole numbers the kernel works with."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ..._kernels.entries import count_in_parts, find_dearest
from ..._kernels.even import MEND, SWAP, Placement, Prices, Sweeps, Units, refine
from ...problem.problem import Problem

# Kind, temperature, weight of sizes in units of one row among all.
Sweep = tuple[int, float, float]

# A row counts 2 to this power, so that targets keep fractions of a row: parts that differ by one row in size differ by as little as that.
_ROW_BITS = 14
# No cost may pass 63 bits: a unit's price is kept below 2 to this power.
_PRICE_BITS = 58
# Exponential draws come from a table, for the same numbers on every machine.
_EXPONENTIAL = np.round(-np.log((np.arange(1024) + 0.5) / 1024) * 1024).astype(np.int64)
# Entries looked at in one call of the kernel: after each, Ctrl-C is heard and progress told.
_WORK_AT_ONCE = 3e7
# Past so many units they are visited in their own order, which memory likes and so many rows do not mind.
_MANY_UNITS = 100_000


class Refinement:
    """A split on its way to a better one."""

    def __init__(
        self,
        problem: Problem,
        part_of_unit: NDArray[np.int32],
        rng: np.random.Generator,
        progress: Callable[[float], object] | None = None,
        until: float = np.inf,
    ) -> None:
        self.problem = problem
        self._until = until
        self._rng = rng
        self._progress = progress
        self._done, self._expected = 0.0, 0.0
        free = np.flatnonzero(problem.fixed < 0)
        self._order = free if problem.n_units > _MANY_UNITS else rng.permutation(free)
        self.n_free = len(self._order)
        self._factor = _part_factors(problem)
        # What heat alone would have to overcome: without it, rows would spread over parts of any size alike.
        self._room = np.round(1024 * np.log(problem.weights / problem.weights.max())).astype(
            np.int64
        )
        self._amounts = problem.amounts
        if len(self._amounts):
            self._amounts = np.where(
                problem.is_amount[problem.indices], self._amounts, self._amounts << _ROW_BITS
            )
        n_entries = float(len(problem.indices) + problem.n_units)
        self.work_of_moves, self.work_of_swaps = n_entries * problem.n_parts, 4 * n_entries
        self.go_to(part_of_unit)
        self.weigh(make_weights(problem, 0.1))

    def go_to(self, part_of_unit: NDArray[np.int32]) -> None:
        """Take up another split."""
        problem = self.problem
        self.part_of_unit = part_of_unit.copy()
        self.deviation = _deviation(problem, part_of_unit)
        self.row_deviation = (problem.count_rows(part_of_unit) - problem.sizes) << _ROW_BITS

    def weigh(self, weight: NDArray[np.float64]) -> None:
        """Take up other weights of the criteria."""
        self._weight = weight
        self._scale = _scale(self.problem, weight, self._factor)
        labels = weight[(self.problem.level_of_criterion == 0) & (weight > 0)]
        used = weight[weight > 0]
        # Temperatures: a little below the price of a row of a rare label, and of a common one; the price of the commonest label, and of the
        # commonest criterion.
        self.hot = 0.7 * float(np.quantile(labels, 0.75)) if len(labels) else 0.1
        self.warm = (
            0.7 * float(np.quantile(labels, 0.05)) if len(labels) else 0.1 / self.problem.n_rows
        )
        self.cold = float(labels.min()) if len(labels) else 0.1 / self.problem.n_rows
        self.coldest = float(used.min()) if len(used) else self.cold

    def run(self, sweeps: list[Sweep], n_units: int | None = None) -> None:
        """Make these sweeps, over all units that may move or so many of them, drawn."""
        problem = self.problem
        order = (
            self._order
            if n_units is None
            else np.sort(self._rng.choice(self._order, min(n_units, self.n_free), replace=False))
        )
        kinds, heats, row_weights = (np.array(column) for column in zip(*sweeps, strict=True))
        heaviest = max(
            1.0,
            2.0 ** (_PRICE_BITS - _ROW_BITS)
            / int(self._factor.max())
            / int(problem.rows_of_unit.max()),
        )
        weight = np.round(self._weight * self._scale).astype(np.int64)
        # Temperatures are prices of a row, which in a smaller part are higher: what a change of place costs on average.
        heats = (heats * self._scale * self._factor.mean() * 2.0**_ROW_BITS / 1024).astype(np.int64)
        row_weights = np.clip(row_weights * self._scale / problem.n_rows, 1, heaviest).astype(
            np.int64
        )
        work = np.where(kinds == SWAP, self.work_of_swaps, self.work_of_moves) * (
            len(order) / max(1, self.n_free)
        )
        batch = (np.cumsum(work) // _WORK_AT_ONCE).astype(np.int64)
        kernel = refine.for_work(int(work.sum()))
        for number in np.unique(batch):
            own = batch == number
            if time.monotonic() > self._until and not (kinds[own] == MEND).any():
                continue
            kernel(
                Units(problem.indptr, problem.indices, self._amounts, problem.rows_of_unit),
                order,
                Prices(weight, self._factor, self._room),
                Sweeps(kinds[own], heats[own], row_weights[own]),
                _EXPONENTIAL,
                int(self._rng.integers(1, 2**32)),
                1 << _ROW_BITS,
                Placement(self.part_of_unit, self.deviation, self.row_deviation),
            )
            self._done += float(work[own].sum())
            # Until it is said how much there is to do, any share would be a guess, and might have to be taken back.
            if self._progress is not None and self._expected:
                self._progress(min(0.99, self._done / max(self._expected, self._done)))

    def cost(self) -> tuple[float, float]:
        """Return what labels and what the rest are off, as the kernel counts it: per row, by the weights at the last word."""
        weight = make_weights(self.problem, 1.0)
        off = np.abs(self.deviation) @ self._factor / 2.0**_ROW_BITS
        first = self.problem.level_of_criterion == 0
        return _sum(weight[first] * off[first]), _sum(weight[~first] * off[~first])

    def expect(self, work: float) -> None:
        """Say how much work is to be done, for progress."""
        self._expected = work


def make_weights(problem: Problem, later: float) -> NDArray[np.float64]:
    """Return w_l: 1 / min(rows with, rows without), or 1 / total for amounts; times `later` after the first level."""
    total = problem.total_of_criterion
    # An amount is counted in finer steps than a row.
    smaller = np.where(
        problem.is_amount, total / 2.0**_ROW_BITS, np.minimum(total, problem.n_rows - total)
    )
    level = np.where(problem.level_of_criterion == 0, 1.0, later)
    return np.divide(level, smaller, out=np.zeros(len(smaller)), where=smaller > 0)


def bound_of_cost(problem: Problem) -> float:
    """Return what the labels must be off at least, in the units of `Refinement.cost`: each rounded where that costs least.

    Amounts are taken to be able to meet their targets, and groups not to stand in the way.
    """
    kept = (problem.level_of_criterion == 0) & ~problem.is_amount
    total, factor = problem.total_of_criterion[kept], _part_factors(problem)
    target = _targets(problem)[kept]
    remainder = target % (1 << _ROW_BITS) / 2.0**_ROW_BITS
    n_up = total - (target >> _ROW_BITS).sum(axis=1)
    gain = np.sort((1 - 2 * remainder) * factor, axis=1)
    rounded_up = np.arange(problem.n_parts) < n_up[:, None]
    return _sum(
        make_weights(problem, 1.0)[kept]
        * ((remainder * factor).sum(axis=1) + (gain * rounded_up).sum(axis=1))
    )


def _sum(terms: NDArray[np.float64]) -> float:
    """Add up in sorted order, so that the order of the criteria cannot tip a comparison."""
    return float(np.sort(terms).sum())


def _scale(problem: Problem, weight: NDArray[np.float64], factor: NDArray[np.int64]) -> float:
    """Return the power of 2 that turns weights into whole numbers as fine as 63 bits allow."""
    dearest = np.empty(1)
    price = np.where(problem.is_amount, weight / 2.0**_ROW_BITS, weight)
    find_dearest.for_work(len(problem.indices))(
        problem.indptr, problem.indices, problem.amounts, price, dearest
    )
    # One bit more than the dearest unit needs, for two change places at once; a hair more, for sums that are powers of 2 but for rounding.
    return float(
        2.0
        ** (
            _PRICE_BITS
            - _ROW_BITS
            - 3
            - np.ceil(np.log2(1.001 * max(float(dearest[0]), 1.0) * float(factor.max())))
        )
    )


def _part_factors(problem: Problem) -> NDArray[np.int64]:
    """Return 1 / (k r_j) as whole numbers: a row too many in a small part is a greater share of it."""
    if (problem.weights == problem.weights[0]).all():
        return np.ones(problem.n_parts, np.int64)
    share = problem.weights / problem.weights.sum()
    return np.asarray(np.maximum(1, np.round(16 * share.max() / share)), dtype=np.int64)


def _deviation(problem: Problem, part_of_unit: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return (n_criteria, n_parts) what each part holds less its target, in fractions of a row."""
    held = np.zeros((problem.n_criteria, problem.n_parts), np.int64)
    count_in_parts.for_work(len(problem.indices))(
        problem.indptr, problem.indices, problem.amounts, part_of_unit, held
    )
    step = np.where(problem.is_amount, 1, 1 << _ROW_BITS)[:, None]
    return held * step - _targets(problem)


def _targets(problem: Problem) -> NDArray[np.int64]:
    """Return (n_criteria, n_parts) what each part should hold, m_l S_j / n, in fractions of a row.

    Parts that are one row larger should hold a hair more of every label. For labels alone that is taken to the last digit. Where more is to be
    even, a hair that is less than a 64th of a row does not count: it would pull all very rare labels into the larger parts.
    """
    step = np.where(problem.is_amount, 1, 1 << _ROW_BITS)[:, None]
    exact = problem.total_of_criterion[:, None] * step * (problem.sizes / problem.n_rows)
    grain = 1 if (problem.level_of_criterion == 0).all() else 1 << (_ROW_BITS - 6)
    return np.asarray(
        np.where(problem.is_amount[:, None], np.round(exact), np.round(exact / grain) * grain),
        dtype=np.int64,
    )
