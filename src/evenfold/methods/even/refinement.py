"""Refinement: a split that is improved by sweeps, in the whole numbers of the kernel."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._kernels.even import MEND, SWAP, refine
from ..._kernels.even_records import Placement, Prices, Sweeps
from ..._kernels.even_sizes import SizePrices, refine_sizes
from ..._kernels.units import Units
from ...problem.criteria import Level
from ...problem.problem import Problem
from .costs import (
    PRICE_BITS,
    ROW_BITS,
    Cost,
    add_sorted,
    count_deviation,
    find_divisors,
    find_least_deviation,
    find_part_factors,
    find_scale,
    find_sized,
    weigh_rest,
)
from .sweeps import MENDING, Sweep
from .tuning import FINAL_REST_WEIGHT, STAGES

# Exponential draws come from a table, so that they are the same on every machine.
EXPONENTIAL = np.round(-np.log((np.arange(1024) + 0.5) / 1024) * 1024).astype(np.int64)
# Entries read in one call of the kernel, which takes a few tenths of a second: Ctrl-C and progress
# are handled between calls.
_WORK_OF_CALL = 3e7
# More units than this are visited in index order: cache-friendly, and with this many rows shuffling
# does not matter.
_MANY_UNITS = 100_000
# The price of a row of a label, times this, is the temperature at which units may leave it.
_TEMPERATURE_OF_PRICE = 0.7
# Quantiles of the label weights at which a label counts as rare and as common.
_RARE_LABEL, _COMMON_LABEL = 0.75, 0.05
# The price of a row, as a share of all rows, where there are no labels.
_PRICE_WITHOUT_LABELS = 0.1


class Temperatures(NamedTuple):
    """Temperatures that suit the weights of the criteria.

    `hot` is a little below the price of a row of a rare label, `warm` of a common one; `cold` is
    the price of a row of the commonest label, `coldest` of the commonest criterion.
    """

    hot: float
    warm: float
    cold: float
    coldest: float


class Refinement:
    """A split that is improved by sweeps.

    `progress` is called with the share of the expected work that is done; after `until`, on the
    monotonic clock, only sweeps that mend sizes are made. `label_exponent` is that of
    `make_weights`.
    """

    def __init__(
        self,
        problem: Problem,
        part_of_unit: NDArray[np.int32],
        rng: np.random.Generator,
        progress: Callable[[float], object] | None = None,
        until: float = np.inf,
        label_exponent: float = 1.0,
    ) -> None:
        self.problem = problem
        self.label_exponent = label_exponent
        self._until = until
        self._rng = rng
        self._progress = progress
        self._done, self._expected = 0.0, 0.0
        free = np.flatnonzero(problem.fixed < 0)
        self._order = free if problem.n_units > _MANY_UNITS else rng.permutation(free)
        self.n_free = len(self._order)
        self._factor = find_part_factors(problem)
        # Without it, a high temperature would spread rows equally over parts of any size.
        self._log_share = np.round(1024 * np.log(problem.weights / problem.weights.max())).astype(
            np.int64
        )
        self._amounts = problem.amounts
        if len(self._amounts):
            self._amounts = np.where(
                problem.is_amount[problem.indices], self._amounts, self._amounts << ROW_BITS
            )
        self._least = find_least_deviation(problem, problem.sizes)
        self._sized = find_sized(problem)
        if len(self._sized) and not len(self._amounts):
            self._amounts = np.full(len(problem.indices), 1 << ROW_BITS, np.int64)
        self.amount_of_move = _find_amount_of_move(problem)
        self.n_entries = float(np.diff(problem.indptr)[free].sum() + len(free))
        # If sizes may be off, the cost of all labels is computed for a change that may lower it:
        # about one in ten.
        work_of_sizes = 0.1 * len(free) * len(self._sized)
        self.work_of_moves = self.n_entries * problem.n_parts + work_of_sizes
        # The cheapest part of each unit, then two swaps of two units.
        self.work_of_swaps = self.n_entries * (problem.n_parts + 4) + work_of_sizes
        self._size_prices = SizePrices(
            problem.size_slack << ROW_BITS,
            self._sized,
            np.round(
                problem.total_of_criterion[self._sized] * 2.0**ROW_BITS / problem.n_rows
            ).astype(np.int64),
        )
        self._divisor = find_divisors(problem, label_exponent)
        self._full_weight = weigh_rest(problem, self._divisor, 1.0)
        self._scale = find_scale(problem, self._full_weight, self._factor)
        self.go_to(part_of_unit)
        self._set_temperatures()
        self.weigh(STAGES[Level.REST][0].rest_weight)

    def go_to(self, part_of_unit: NDArray[np.int32]) -> None:
        """Continue from another split."""
        self.part_of_unit = part_of_unit.copy()
        self._count()

    def _count(self) -> None:
        """Count what each part has, and by how much that deviates from its targets."""
        problem = self.problem
        self._sizes = problem.count_rows(self.part_of_unit)
        self.deviation = count_deviation(problem, self.part_of_unit, self._sizes)
        if len(self._sized):
            self._least = find_least_deviation(problem, self._sizes)
        self.row_deviation = (self._sizes - problem.sizes) << ROW_BITS

    def _set_temperatures(self) -> None:
        """Set the temperatures that suit the weights of the labels."""
        labels = self._full_weight[self.problem.is_first_level & (self._full_weight > 0)]
        if len(labels):
            rare, common = np.quantile(labels, (_RARE_LABEL, _COMMON_LABEL))
            hot, warm = _TEMPERATURE_OF_PRICE * float(rare), _TEMPERATURE_OF_PRICE * float(common)
            cold = float(labels.min())
        else:
            hot = _PRICE_WITHOUT_LABELS
            warm = cold = _PRICE_WITHOUT_LABELS / self.problem.n_rows
        self.temperatures = Temperatures(hot, warm, cold, cold)

    def weigh(self, rest_weight: float) -> None:
        """Set the weight of the rest, at most that of labels, and the temperature that suits it."""
        self._weight = weigh_rest(self.problem, self._divisor, rest_weight)
        used = self._weight[self._weight > 0]
        if len(used):
            self.temperatures = self.temperatures._replace(coldest=float(used.min()))

    def weigh_least(self) -> None:
        """Give the rest so little weight that it does not worsen labels.

        A row of the rest costs less than the cheapest row of a label.
        """
        is_label = self.problem.is_first_level
        lowest = self._full_weight[is_label & (self._full_weight > 0)].min(initial=np.inf)
        highest = self._full_weight[~is_label].max(initial=0.0)
        self.weigh(min(FINAL_REST_WEIGHT, 0.5 * float(lowest / highest) if highest else 1.0))

    def run(self, sweeps: Sequence[Sweep], n_units: int | None = None) -> None:
        """Make these sweeps over all free units, or over `n_units` of them, drawn."""
        problem = self.problem
        order = (
            self._order
            if n_units is None
            else np.sort(self._rng.choice(self._order, min(n_units, self.n_free), replace=False))
        )
        kinds, temperatures, row_weights = (
            np.array(column) for column in zip(*sweeps, strict=True)
        )
        is_sized = len(self._sized) > 0
        heaviest = max(
            1.0,
            2.0 ** (PRICE_BITS - ROW_BITS)
            / int(self._factor.max())
            / int(problem.rows_of_unit[self._order].max(initial=1)),
        )
        # A weight that is not 0 stays above 0.
        weight = np.maximum(np.round(self._weight * self._scale), self._weight > 0).astype(np.int64)
        # Temperatures are prices of a row, which are higher in smaller parts: take their mean.
        temperatures = (
            temperatures * self._scale * self._factor.mean() * 2.0**ROW_BITS / 1024
        ).astype(np.int64)
        if is_sized:
            # A row more changes the targets of all labels, which may gain more than one label.
            row_weights = row_weights * len(self._sized)
        n_rows = problem.n_overall_rows or problem.n_rows
        row_weights = np.clip(row_weights * self._scale / n_rows, 1, heaviest).astype(np.int64)
        work = np.where(kinds == SWAP, self.work_of_swaps, self.work_of_moves) * (
            len(order) / max(1, self.n_free)
        )
        batch = (np.cumsum(work) // _WORK_OF_CALL).astype(np.int64)
        kernel = (refine_sizes if is_sized else refine).for_work(int(work.sum()))
        # Unsigned: Numba looks for negative indices otherwise, which took a quarter of the time.
        indices = problem.indices.view(np.uint32)
        units = Units(problem.indptr, indices, self._amounts, problem.rows_of_unit)
        for number in sorted(set(batch.tolist())):
            own = batch == number
            if time.monotonic() > self._until and not (kinds[own] == MEND).any():
                continue
            kernel(
                units,
                order,
                Prices(
                    weight,
                    self._factor,
                    self._log_share,
                    self._least,
                    problem.price_of_lacking,
                ),
                *([self._size_prices] if is_sized else []),
                Sweeps(kinds[own], temperatures[own], row_weights[own]),
                EXPONENTIAL,
                int(self._rng.integers(1, 2**32)),
                1 << ROW_BITS,
                Placement(self.part_of_unit, self.deviation, self.row_deviation),
            )
            self._done += float(work[own].sum())
            if len(self._sized):
                # Targets that follow the sizes are rounded: compute them again.
                self._count()
            # Progress is reported only when the total work is known, so it never decreases.
            if self._progress is not None and self._expected:
                self._progress(min(0.99, self._done / max(self._expected, self._done)))

    def cost(self) -> Cost:
        """Return the costs of the split."""
        weight = self._full_weight
        factor = self._factor.astype(np.float64)
        if len(self._sized):
            factor *= self.problem.sizes / np.maximum(1, self._sizes)
        off = np.abs(self.deviation) @ factor / 2.0**ROW_BITS
        first = self.problem.is_first_level
        shortage = 0.0
        if self._least.size:
            lacking = np.maximum(0, self._least - self.deviation) @ self._factor / 2.0**ROW_BITS
            shortage = self.problem.price_of_lacking * add_sorted(weight * lacking)
        return Cost(
            shortage,
            add_sorted(weight[first] * off[first]),
            add_sorted(weight[~first] * off[~first]),
        )

    def expect(self, work: float) -> None:
        """Set how much work is expected from here on, for progress."""
        self._done, self._expected = 0.0, work


def _find_amount_of_move(problem: Problem) -> float:
    """Return the rows of a label that move with a unit that holds it, weighted by those rows."""
    is_counted = (problem.level_of_criterion == Level.LABELS) & ~problem.is_amount
    amounts = problem.amounts[is_counted[problem.indices]] if len(problem.amounts) else np.empty(0)
    total = float(amounts.sum())
    return float((amounts.astype(np.float64) ** 2).sum()) / total if total else 1.0


def mend_sizes(
    problem: Problem, part_of_unit: NDArray[np.int32], rng: np.random.Generator
) -> NDArray[np.int32]:
    """Bring the parts to their sizes by the cheapest moves; a split with right sizes is kept."""
    state = Refinement(problem, part_of_unit, rng)
    if state.n_free:
        state.run(MENDING)
    return state.part_of_unit
