"""The plan of even: in which phases a split is improved."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...problem.criteria import Level
from ...problem.problem import Problem, keep_levels
from ..iterative import Iterative
from .best import Best
from .costs import make_weights
from .refinement import Refinement
from .sweeps import BETTER_MOVES, BETTER_SWAPS, MENDING, Sweep, cool_moves, cool_swaps
from .tuning import (
    END_TEMPERATURE,
    FEW_MOVE_SWEEPS,
    FEW_MOVES_FACTOR,
    FINAL_REST_WEIGHT,
    JOINT_WORK_FACTOR,
    LEAST_ROUND_SWEEPS,
    MANY_ENTRIES,
    MANY_LABELS,
    MIN_JOINT_SWEEPS,
    MOST_COST_TO_LABELS,
    MOST_JOINT_SWEEPS,
    MOST_RESTART_MOVES,
    QUICK_SWAP_TEMPERATURE,
    RESTART_ROUND_FACTOR,
    RESTART_TEMPERATURE,
    ROUND_SWEEPS,
    ROUND_TEMPERATURE,
    SHORT_STAGES,
    STAGES,
    UNITS_TO_SWAP,
    Effort,
)


class Budget(NamedTuple):
    """The effort, the end time on the monotonic clock, and the function for the progress."""

    effort: Effort
    until: float
    progress: Callable[[float], object] | None

    @property
    def is_timed(self) -> bool:
        """Whether the time, not the work, ends the search."""
        return self.until < np.inf

    def count_move_sweeps(self, state: Refinement) -> int:
        """Return how many sweeps of moves the effort allows."""
        effort = self.effort
        n_sweeps = effort.move_work / state.work_of_moves
        return int(np.clip(n_sweeps, effort.least_move_sweeps, effort.most_move_sweeps))


def place_evenly(problem: Problem, rng: np.random.Generator, budget: Budget) -> NDArray[np.int32]:
    """Return the part of each unit.

    Labels alone: a start, quick swaps; if that is not at the bound, moves and rounds of swaps.
    Labels and the rest: the sweeps that the effort allows decide which phases there are.
    """
    last_level = problem.last_level
    if last_level == Level.LABELS:
        return _place_labels(problem, rng, budget)
    effort = budget.effort
    n_entries = float(len(problem.indices) + problem.n_units)
    n_swaps = int(
        min(
            JOINT_WORK_FACTOR[last_level] * effort.swap_work / (4 * n_entries),
            MOST_JOINT_SWEEPS[last_level] * effort.joint_sweeps_factor,
        )
    )
    if last_level == Level.PAIRS and n_swaps < MIN_JOINT_SWEEPS:
        placed = place_evenly(keep_levels(problem, Level.REST), rng, budget)
        state = Refinement(problem, placed, rng, budget.progress, budget.until)
        state.weigh(make_weights(problem, FINAL_REST_WEIGHT))
        state.run([BETTER_SWAPS] * max(1, n_swaps))
        return state.part_of_unit
    if n_swaps < LEAST_ROUND_SWEEPS:
        labels_alone = _place_labels(keep_levels(problem, Level.LABELS), rng, budget)
        state = Refinement(problem, labels_alone, rng, None, budget.until)
        return _improve_rest(state, n_sweeps=1)
    return _place_jointly(problem, rng, budget, n_swaps)


def _place_labels(problem: Problem, rng: np.random.Generator, budget: Budget) -> NDArray[np.int32]:
    """Make one level of criteria even: moves, then rounds of swaps up to the bound or the limit."""
    state = _start_from_labels(problem, rng, budget)
    start = state.part_of_unit.copy()
    if not state.n_free:
        return state.part_of_unit
    n_moves = budget.count_move_sweeps(state)
    n_swaps = int(budget.effort.swap_work / state.work_of_swaps)
    state.expect(n_moves * state.work_of_moves + n_swaps * state.work_of_swaps)
    best = Best(state)
    if n_swaps >= LEAST_ROUND_SWEEPS and not best.is_far:
        # If labels do not compete, this is enough.
        state.run([*MENDING, *_quick_swaps(state, LEAST_ROUND_SWEEPS)])
        best.update()
    if not best.is_enough:
        _move(state, n_moves)
        best.update()
    n_rounds = 0
    while not best.is_enough and time.monotonic() < budget.until:
        is_hard = best.is_competing and problem.n_criteria > MANY_LABELS
        least = ROUND_SWEEPS if is_hard else LEAST_ROUND_SWEEPS
        is_last = n_rounds == budget.effort.most_rounds or n_swaps < least
        if is_last and not budget.is_timed:
            break
        first, n_sweeps = ROUND_TEMPERATURE * state.temperatures.cold, ROUND_SWEEPS
        if n_rounds and problem.start is None:
            # Restart from the first split: this reaches splits that swaps from here do not. Every
            # other time there are no moves, but a higher temperature.
            state.go_to(start)
            state.run(MENDING)
            if n_rounds % 2:
                first = RESTART_TEMPERATURE * state.temperatures.hot
                n_sweeps = RESTART_ROUND_FACTOR * ROUND_SWEEPS
            else:
                _move(state, min(n_moves, MOST_RESTART_MOVES))
        n_left = max(LEAST_ROUND_SWEEPS, n_swaps) if budget.is_timed else n_swaps
        n_sweeps = min(n_sweeps, n_left)
        last = END_TEMPERATURE * state.temperatures.cold
        state.run([*cool_swaps(first, last, n_sweeps), BETTER_SWAPS])
        best.update()
        n_swaps -= 0 if budget.is_timed else n_sweeps
        n_rounds += 1
    return best.part_of_unit


def _place_jointly(
    problem: Problem, rng: np.random.Generator, budget: Budget, n_swaps: int
) -> NDArray[np.int32]:
    """Make labels and the rest even together: moves, then stages in which the rest weighs less."""
    # Pairs are left out of the start, where they would be treated like labels.
    start = problem.start
    if start is None:
        start = Iterative().place(keep_levels(problem, Level.REST), rng)
    state = Refinement(problem, start, rng, budget.progress, budget.until)
    if not state.n_free:
        return state.part_of_unit
    n_moves = budget.count_move_sweeps(state)
    state.expect(n_moves * state.work_of_moves + n_swaps * state.work_of_swaps)
    state.run(MENDING)
    best = Best(state)
    _move(state, n_moves)
    best.update()
    is_short = n_swaps < MIN_JOINT_SWEEPS and best.is_competing
    stages = SHORT_STAGES if is_short else STAGES[problem.last_level]
    while True:
        for stage in stages:
            state.weigh(make_weights(problem, stage.rest_weight))
            first = stage.temperature * state.temperatures.cold
            last = END_TEMPERATURE * state.temperatures.coldest
            state.run(cool_swaps(first, last, max(1, round(stage.share * n_swaps))))
        best.update()
        if not budget.is_timed or time.monotonic() > budget.until:
            break
    if best.is_competing:
        # If the labels compete (bound not reached), the joint search may have worsened them:
        # optimise labels alone, then the rest without worsening labels.
        labels = keep_levels(problem, Level.LABELS)
        labels_alone = _place_labels(labels, rng, budget._replace(progress=None))
        cost_of_joint = state.cost()[0]
        state.go_to(labels_alone)
        if cost_of_joint > MOST_COST_TO_LABELS * state.cost()[0]:
            return _improve_rest(state, min(n_swaps, ROUND_SWEEPS))
    return best.part_of_unit


def _improve_rest(state: Refinement, n_sweeps: int) -> NDArray[np.int32]:
    """Make the rest even by swaps that do not worsen labels.

    A row of the rest costs less than the cheapest row of a label.
    """
    is_label = state.problem.is_first_level
    weight = make_weights(state.problem, 1.0)
    lowest = weight[is_label & (weight > 0)].min(initial=np.inf)
    highest = weight[~is_label].max(initial=0.0)
    rest_weight = FINAL_REST_WEIGHT
    if highest:
        rest_weight = min(rest_weight, 0.5 * float(lowest / highest))
    state.weigh(make_weights(state.problem, rest_weight))
    if state.n_free:
        state.run([BETTER_SWAPS] * n_sweeps)
    return state.part_of_unit


def _start_from_labels(problem: Problem, rng: np.random.Generator, budget: Budget) -> Refinement:
    """Start from the split that was given, or from iterative stratification.

    With very many entries a random split is much faster. If labels do not compete, one sweep makes
    it even, except for a row or two, which swaps among some of the units repair.
    """
    start = problem.start
    if start is None and len(problem.indices) > MANY_ENTRIES:
        state = Refinement(problem, _draw_parts(problem, rng), rng, budget.progress, budget.until)
        state.run([BETTER_MOVES, *MENDING])
        if state.n_free:
            state.run(_quick_swaps(state, ROUND_SWEEPS // 4), UNITS_TO_SWAP)
        if not Best(state).is_enough:
            state.go_to(Iterative().place(problem, rng))
        return state
    if start is None:
        start = Iterative().place(problem, rng)
    return Refinement(problem, start, rng, budget.progress, budget.until)


def _draw_parts(problem: Problem, rng: np.random.Generator) -> NDArray[np.int32]:
    """Return a part drawn by the shares for each free unit."""
    up_to = np.round(np.cumsum(problem.sizes) / problem.n_rows * 2**16).astype(np.int64)
    part_of_draw = np.repeat(np.arange(problem.n_parts, dtype=np.int32), np.diff(up_to, prepend=0))
    drawn = part_of_draw[rng.integers(0, 2**16, problem.n_units, dtype=np.uint16)]
    return np.where(problem.fixed < 0, drawn, problem.fixed)


def _quick_swaps(state: Refinement, n_sweeps: int) -> list[Sweep]:
    """Return a few sweeps of swaps at low temperatures."""
    cold = state.temperatures.cold
    return cool_swaps(QUICK_SWAP_TEMPERATURE * cold, END_TEMPERATURE * cold, n_sweeps)


def _move(state: Refinement, n_sweeps: int) -> None:
    """Anneal moves; a given split starts at a lower temperature, so that most of it is kept."""
    hot, warm, _, _ = state.temperatures
    first = hot if state.problem.start is None else warm
    first *= FEW_MOVES_FACTOR if n_sweeps < FEW_MOVE_SWEEPS else 1.0
    state.run([*cool_moves(first, warm, n_sweeps), BETTER_MOVES, *MENDING])
