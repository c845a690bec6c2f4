"""Splits by amounts alone: swaps bring the means of all columns close together."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._kernels.amounts import swap_amounts
from ...problem.criteria import Level
from ...problem.problem import Problem, keep_levels
from ..assignment import Assignment
from ..assignment_columns import find_factors
from ..random import Random
from ..standardised import standardise, to_whole
from .plan import Budget
from .refinement import EXPONENTIAL, mend_sizes
from .tuning import EFFORTS, Effort


class SwapWork(NamedTuple):
    """Swaps tried for each part and column, and the maximum of numbers read in all of them."""

    trials_per_part_and_column: int
    most_numbers: float


# Chosen by hand on npi and abalone in 4 to 1,000 parts.
_WORK_OF_EFFORT = {
    EFFORTS["fast"]: SwapWork(trials_per_part_and_column=1500, most_numbers=2e7),
    EFFORTS["normal"]: SwapWork(trials_per_part_and_column=15_000, most_numbers=2e8),
    EFFORTS["best"]: SwapWork(trials_per_part_and_column=200_000, most_numbers=4e9),
}
# The share of the time left that is planned for one more round.
_SHARE_OF_TIME = 0.8
# A trial reads two random units from memory, which takes about as long as this many columns.
_COLUMNS_OF_TRIAL = 12
# The start temperature, as a multiple of the mean squared deviation of a part's sum at the start,
# and the factor by which it falls. Tuned on npi and abalone in 4 to 1,000 parts, where start
# temperatures 0.3 to 1 and cooling by 10 to 1,000 give equal results.
_HOT, _COOLING = 0.5, 0.01
# Temperatures between the two.
_N_TEMPERATURES = 64
# Past this many units times parts, swaps from a random split take less time than an assignment.
_MOST_ASSIGNMENT_STEPS = 2e7
# Standard deviation of bins of numbers; totals, which come first, have 1.
_SCALE_OF_BINS = 0.1
# Columns are stored in full; with more numbers than this (a gigabyte), criteria stay as they are.
_MOST_VALUES = 1e8
# Numbers read in one call of the kernel: Ctrl-C and the time limit are checked between calls.
_WORK_AT_ONCE = 3e7
_FRACTION_BITS, _COST_BITS = 12, 60


def is_by_amounts(problem: Problem) -> bool:
    """Return whether totals of real numbers are among the criteria of the first level."""
    if problem.n_units * problem.n_criteria > _MOST_VALUES:
        return False
    return bool((problem.is_amount & (problem.level_of_criterion <= Level.LABELS)).any())


def place_by_amounts(
    problem: Problem, rng: np.random.Generator, budget: Budget
) -> NDArray[np.int32]:
    """Lower Σ_j n_j ‖mean_j - mean‖² over standardised columns, and return the part of each unit.

    The start is `assignment`, or for very many units a random split that swaps make even. Then
    units of two parts swap, at a temperature that falls, and the best split is kept.
    """
    state = _Swaps(problem, _find_start(problem, rng), rng, budget.until)
    if not state.can_swap:
        return state.part_of_unit
    # First make only swaps that lower the cost, because the start may be random.
    state.run(len(state.order), np.zeros(1))
    best, part_of_unit = state.cost(), state.part_of_unit.copy()
    hottest = _HOT * best / state.deviation.size
    temperatures = np.append(hottest * np.geomspace(1.0, _COOLING, _N_TEMPERATURES), 0.0)
    n_trials = state.count_trials(EFFORTS["fast"] if budget.is_timed else budget.effort)
    while best > 0:
        began = time.monotonic()
        state.run(n_trials, temperatures, budget.progress)
        if state.cost() < best:
            best, part_of_unit = state.cost(), state.part_of_unit.copy()
        now = time.monotonic()
        if not budget.is_timed or now > budget.until:
            break
        state.go_to(part_of_unit)
        trials_of_second = n_trials / max(now - began, 1e-6)
        n_trials = max(
            state.count_trials(EFFORTS["fast"]),
            int(_SHARE_OF_TIME * (budget.until - now) * trials_of_second),
        )
    return part_of_unit


def _find_start(problem: Problem, rng: np.random.Generator) -> NDArray[np.int32]:
    """Return the split to improve, in which the parts have their sizes."""
    if problem.start is not None:
        return mend_sizes(problem, problem.start, rng)
    if problem.n_units * problem.n_parts <= _MOST_ASSIGNMENT_STEPS:
        return Assignment().place(keep_levels(problem, Level.LABELS), rng)
    start = Random().place(problem, rng)
    return start if problem.n_units == problem.n_rows else mend_sizes(problem, start, rng)


class _Swaps:
    """A split by amounts that is being improved, in the whole numbers the kernel works with."""

    def __init__(
        self,
        problem: Problem,
        part_of_unit: NDArray[np.int32],
        rng: np.random.Generator,
        until: float,
    ) -> None:
        self.problem = problem
        self.factor = find_factors(problem)
        scale = np.where(problem.level_of_criterion <= Level.LABELS, 1.0, _SCALE_OF_BINS)
        largest_factor = int(self.factor.max())
        self.values = to_whole(
            standardise(problem, scale), largest_factor, _COST_BITS, _FRACTION_BITS
        )
        self.order = np.flatnonzero(problem.fixed < 0)
        self.work_of_trial = float(self.values.shape[1] + _COLUMNS_OF_TRIAL)
        self._rng, self._until = rng, until
        self._n_done = 0
        self.go_to(part_of_unit)

    @property
    def can_swap(self) -> bool:
        """Whether there is anything to swap and to gain."""
        return len(self.order) > 1 and self.values.size > 0 and self.problem.n_parts > 1

    def count_trials(self, effort: Effort) -> int:
        """Return how many swaps are tried: at least two for each unit."""
        per_column, most_work = _WORK_OF_EFFORT[effort]
        n_trials = int(min(per_column * self.deviation.size, most_work / self.work_of_trial))
        return max(n_trials, 2 * len(self.order))

    def go_to(self, part_of_unit: NDArray[np.int32]) -> None:
        """Continue from another split."""
        n_parts = self.problem.n_parts
        self.part_of_unit = part_of_unit.copy()
        self.row_deviation = self.problem.count_rows(part_of_unit) - self.problem.sizes
        self.deviation = np.zeros((n_parts, self.values.shape[1]), np.int64)
        for column, own in enumerate(self.values.T):
            # Sums below 2 ** 53 are exact.
            self.deviation[:, column] = np.bincount(part_of_unit, own, minlength=n_parts)

    def cost(self) -> float:
        """Return what the kernel minimises, Σ factor_j · Σ deviation_jc²."""
        squares = (self.deviation.astype(np.float64) ** 2).sum(axis=1)
        return float(np.sort(self.factor * squares).sum())

    def run(
        self,
        n_trials: int,
        temperatures: NDArray[np.float64],
        progress: Callable[[float], object] | None = None,
    ) -> None:
        """Try `n_trials` swaps, spread over the temperatures, in several calls of the kernel."""
        n_pieces = int(np.ceil(n_trials * self.work_of_trial / _WORK_AT_ONCE))
        kernel = swap_amounts.for_work(int(n_trials * self.work_of_trial))
        whole = (temperatures / 1024).astype(np.int64)
        for own in np.array_split(np.arange(n_pieces * len(whole)) // n_pieces, n_pieces):
            if time.monotonic() > self._until:
                return
            kernel(
                self.values,
                self.problem.rows_of_unit,
                self.order,
                self.factor,
                self._n_done,
                n_trials // n_pieces,
                whole[own],
                EXPONENTIAL,
                int(self._rng.integers(1, 2**32)),
                self.deviation,
                self.row_deviation,
                self.part_of_unit,
            )
            self._n_done += n_trials // n_pieces
            if progress is not None:
                progress(min(0.99, own[-1] / len(whole)))
