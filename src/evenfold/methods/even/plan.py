"""The plan of even: in which phases a split is improved."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...problem.criteria import Level
from ...problem.problem import Problem, keep_levels
from ..assignment import Assignment
from ..iterative import Iterative
from .best import Best
from .equal_units import fix_equal_units
from .refinement import Refinement
from .sweeps import BETTER_MOVES, BETTER_SWAPS, MENDING, Sweep, cool_moves, cool_swaps
from .tuning import (
    COMPETING_EXPONENT,
    EFFORTS,
    END_TEMPERATURE,
    FEW_GROUPS,
    FEW_MOVE_SWEEPS,
    FEW_MOVES_FACTOR,
    FEW_UNITS,
    FEW_UNITS_ROUNDS,
    FINAL_SHARE,
    GROUP_HEAT,
    HOT_MOVES,
    MANY_ENTRIES,
    MANY_LABELS_OF_UNIT,
    MANY_MOVE_SWEEPS,
    MANY_SWAPS,
    MIN_JOINT_SWEEPS,
    MOST_COST_TO_LABELS,
    MOST_GROUP_ROUNDS,
    MOST_GROUP_SWAPS,
    MOST_SHRINKING,
    MOST_SMALL_FACTOR,
    MOST_SMALL_ROUNDS,
    QUICK_SWAP_TEMPERATURE,
    QUICK_SWEEPS,
    REST_SWEEPS,
    REST_WEIGHT_OF_GROUP_MOVES,
    REST_WEIGHT_OF_MOVES,
    ROUND_GROWTH,
    ROUND_MOVES,
    ROUND_SWEEPS,
    SHARE_OF_TIME,
    SMALL_WORK,
    STAGES,
    UNITS_TO_SWAP,
    USUAL_LABELS,
    Effort,
    Stage,
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

    @property
    def is_over(self) -> bool:
        """Whether the time is up."""
        return time.monotonic() > self.until

    def count_next_sweeps(self, n_sweeps: int, began: float, n_best: int) -> int:
        """Return the sweeps of the next round, or 0 if there is none; the last began at `began`.

        With a number of seconds, the first round shows how long a sweep takes. The second one has
        as many sweeps as "best", `n_best`; each later one twice as many as the one before. No round
        has more sweeps than fit into the time.
        """
        now = time.monotonic()
        if not self.is_timed:
            return 0
        sweeps_per_second = n_sweeps / max(now - began, 1e-4)
        n_fitting = int(SHARE_OF_TIME * (self.until - now) * sweeps_per_second)
        n_next = min(max(n_best, ROUND_GROWTH * n_sweeps), n_fitting)
        return n_next if n_next * MOST_SHRINKING >= n_sweeps else 0

    def refine(
        self,
        problem: Problem,
        part_of_unit: NDArray[np.int32],
        rng: np.random.Generator,
        label_exponent: float = 1.0,
    ) -> Refinement:
        """Return a refinement that begins with a split."""
        return Refinement(problem, part_of_unit, rng, self.progress, self.until, label_exponent)


def _count_move_sweeps(effort: Effort, work: float, state: Refinement) -> int:
    """Return how many sweeps of moves this work allows."""
    n_sweeps = work / state.work_of_moves
    return int(np.clip(n_sweeps, effort.least_move_sweeps, effort.most_move_sweeps))


def _count_swap_sweeps(effort: Effort, state: Refinement) -> int:
    """Return how many sweeps of swaps a round has."""
    n_sweeps = effort.sweeps_factor * ROUND_SWEEPS[state.problem.last_level]
    n_labels = np.count_nonzero(state.problem.is_first_level)
    small = SMALL_WORK / (state.work_of_swaps * n_sweeps)
    many = n_labels / USUAL_LABELS
    n_sweeps *= np.clip(max(small, many), 1.0, MOST_SMALL_FACTOR)
    return int(min(n_sweeps, effort.swap_work / state.work_of_swaps))


def place_evenly(problem: Problem, rng: np.random.Generator, budget: Budget) -> NDArray[np.int32]:
    """Return the part of each unit.

    Most of equal units are dealt to the parts; the search is for the others. It starts from
    iterative stratification. What follows depends on the data:

    - groups: sweeps of moves, then of swaps;
    - many entries: a few sweeps;
    - units with many labels, which are far from their bound: the labels compete. They are moved
      alone, then the rest is improved without worsening them;
    - otherwise: rounds of swaps that improve all criteria together.
    """
    if problem.start is None and problem.n_units > FEW_UNITS:
        problem = fix_equal_units(problem, rng)
    state = _start(problem, rng, budget)
    if not state.n_free:
        return state.part_of_unit
    n_swaps = _count_swap_sweeps(budget.effort, state)
    if problem.last_level == Level.PAIRS and n_swaps < MIN_JOINT_SWEEPS:
        placed = place_evenly(keep_levels(problem, Level.REST), rng, budget)
        return _improve_rest(budget.refine(problem, placed, rng), max(1, n_swaps))
    state.run(MENDING)
    best = Best(state)
    if best.is_enough:
        return best.part_of_unit
    if problem.n_units < problem.n_rows:
        placed = _improve_groups(state, best, budget)
        few = problem.n_units <= FEW_GROUPS
        return _mend_labels(state, best, budget, rng, n_swaps) if few else placed
    if state.n_entries > budget.effort.most_entries:
        return _improve_quickly(state, best, budget)
    labels = keep_levels(problem, Level.LABELS)
    has_many_labels = len(labels.indices) > MANY_LABELS_OF_UNIT * labels.n_units
    if has_many_labels and best.is_far and n_swaps * state.work_of_swaps > MANY_SWAPS:
        placed = _place_competing(labels, rng, budget)
        if problem.last_level == Level.LABELS:
            return placed
        state = budget.refine(problem, placed, rng, COMPETING_EXPONENT)
        return _improve_rest(state, min(n_swaps, REST_SWEEPS))
    _swap_in_rounds(state, best, budget, n_swaps)
    return _mend_labels(state, best, budget, rng, n_swaps)


def _mend_labels(
    state: Refinement, best: Best, budget: Budget, rng: np.random.Generator, n_swaps: int
) -> NDArray[np.int32]:
    """Return the best split, or one with more even labels.

    If labels compete, the joint search may have worsened them: make labels even alone, then the
    rest without worsening labels.
    """
    if best.may_have_worsened_labels and state.problem.last_level > Level.LABELS:
        labels = keep_levels(state.problem, Level.LABELS)
        placed = place_evenly(labels, rng, budget._replace(progress=None))
        cost_of_joint = state.cost().labels
        state.go_to(placed)
        if cost_of_joint > MOST_COST_TO_LABELS * state.cost().labels:
            return _improve_rest(state, min(n_swaps, REST_SWEEPS))
    return best.part_of_unit


def _improve_quickly(state: Refinement, best: Best, budget: Budget) -> NDArray[np.int32]:
    """Make one sweep of swaps, after a few of moves if labels compete.

    Large data has no time for rounds.
    """
    effort, best_effort = budget.effort, EFFORTS["best"]
    n_moves = _count_move_sweeps(effort, effort.quick_move_work, state)
    n_best = _count_move_sweeps(best_effort, best_effort.quick_move_work, state)
    state.expect(n_moves * state.work_of_moves + state.work_of_swaps)
    while True:
        began = time.monotonic()
        if best.is_competing or budget.is_timed:
            state.weigh(REST_WEIGHT_OF_MOVES)
            _move(state, n_moves)
        state.weigh_least()
        state.run([BETTER_SWAPS])
        best.update()
        n_moves = budget.count_next_sweeps(n_moves, began, n_best)
        if not n_moves or best.is_enough:
            return best.part_of_unit


def _improve_groups(state: Refinement, best: Best, budget: Budget) -> NDArray[np.int32]:
    """Make sweeps of moves, then swaps.

    Groups differ in size, so that few swaps keep the sizes of the parts.
    """
    effort, best_effort = budget.effort, EFFORTS["best"]
    n_moves = _count_move_sweeps(effort, effort.group_move_work, state)
    n_best = _count_move_sweeps(best_effort, best_effort.group_move_work, state)
    n_swaps = int(np.clip(effort.group_move_work / state.work_of_swaps, 1, MOST_GROUP_SWAPS))
    work_of_round = n_moves * state.work_of_moves + n_swaps * state.work_of_swaps
    n_rounds = 0
    state.expect(work_of_round)
    while True:
        began = time.monotonic()
        state.weigh(REST_WEIGHT_OF_GROUP_MOVES)
        # The first round lowers the cost of the start, which annealing may not reach again.
        state.run([BETTER_MOVES, *MENDING])
        best.update()
        _move(state, n_moves)
        _swap(state, STAGES[state.problem.last_level][-1:], n_swaps)
        best.update()
        n_rounds += 1
        if best.is_enough:
            return best.part_of_unit
        if budget.is_timed:
            n_moves = budget.count_next_sweeps(n_moves, began, n_best)
            if not n_moves:
                return best.part_of_unit
        elif (
            n_rounds == MOST_GROUP_ROUNDS or (n_rounds + 1) * work_of_round > effort.competing_work
        ):
            return best.part_of_unit


def _place_competing(
    problem: Problem, rng: np.random.Generator, budget: Budget
) -> NDArray[np.int32]:
    """Make labels even that compete, by moves; rare labels have less weight.

    The start is the better one of iterative stratification and assignment.
    """
    if problem.start is None:
        state = budget.refine(problem, _place_iteratively(problem, rng), rng, COMPETING_EXPONENT)
        state.run(MENDING)
        best = Best(state)
        if not problem.is_section:  # whose targets `assignment` does not know
            state.go_to(Assignment().place(problem, rng))
    else:
        state = budget.refine(problem, problem.start, rng, COMPETING_EXPONENT)
        best = Best(state)
    state.run(MENDING)
    best.update()
    start = best.part_of_unit
    n_moves, n_best = (
        _count_move_sweeps(effort, effort.move_work, state)
        for effort in (budget.effort, EFFORTS["best"])
    )
    state.expect(n_moves * state.work_of_moves)
    while True:
        began = time.monotonic()
        state.go_to(start)
        _move(state, n_moves)
        best.update()
        n_moves = budget.count_next_sweeps(n_moves, began, n_best)
        if not n_moves or best.is_enough:
            return best.part_of_unit


def _swap_in_rounds(state: Refinement, best: Best, budget: Budget, n_sweeps: int) -> None:
    """Make rounds of swaps until nothing is left to gain, or the work or time is used up.

    A round starts with a few sweeps of moves from the first split. If labels compete, but are near
    their bound, only the last stage of a round is repeated. Small data has several rounds.
    """
    start = best.part_of_unit.copy()
    stages = STAGES[state.problem.last_level]
    n_moves = max(FEW_MOVE_SWEEPS, round(ROUND_MOVES / state.problem.n_parts))
    n_best = _count_swap_sweeps(EFFORTS["best"], state)
    n_rounds = 0
    work_of_round = n_sweeps * state.work_of_swaps
    state.expect(work_of_round + n_moves * state.work_of_moves)
    while not best.is_enough and not budget.is_over:
        began = time.monotonic()
        if n_rounds == 0 or best.is_stuck or not best.is_competing:
            state.go_to(start)
            state.weigh(REST_WEIGHT_OF_MOVES)
            _move(state, n_moves)
            _swap(state, stages, n_sweeps)
        else:
            _swap(state, stages[-1:], n_sweeps)
        best.update()
        n_rounds += 1
        if budget.is_timed:
            n_sweeps = budget.count_next_sweeps(n_sweeps, began, n_best)
            if not n_sweeps:
                return
            continue
        if not _goes_on(state, best, budget.effort, n_rounds, work_of_round):
            return


def _goes_on(
    state: Refinement, best: Best, effort: Effort, n_rounds: int, work_of_round: float
) -> bool:
    """Return whether another round of swaps is worth its time."""
    work = (n_rounds + 1) * work_of_round
    if state.problem.n_units <= FEW_UNITS and not best.has_even_labels:
        return n_rounds < FEW_UNITS_ROUNDS
    if best.is_competing:
        return n_rounds < effort.most_rounds or work < effort.competing_work
    return n_rounds < MOST_SMALL_ROUNDS and work < effort.small_work


def _swap(state: Refinement, stages: Sequence[Stage], n_sweeps: int) -> None:
    """Anneal swaps in stages, in which the rest weighs less and less."""
    for stage in stages:
        state.weigh(stage.rest_weight)
        first = stage.temperature * state.temperatures.cold
        last = END_TEMPERATURE * state.temperatures.coldest
        state.run(cool_swaps(first, last, max(1, round(stage.share * n_sweeps))))
    state.weigh_least()
    state.run([BETTER_SWAPS] * max(1, round(FINAL_SHARE * n_sweeps)))


def _improve_rest(state: Refinement, n_sweeps: int) -> NDArray[np.int32]:
    """Make the rest even by swaps that do not worsen labels."""
    state.weigh_least()
    if state.n_free:
        state.run([BETTER_SWAPS] * n_sweeps)
    return state.part_of_unit


def _start(problem: Problem, rng: np.random.Generator, budget: Budget) -> Refinement:
    """Start from the split that was given, or from iterative stratification.

    With very many entries a random split is much faster. If labels do not compete, one sweep makes
    it even, except for a row or two, which swaps among some of the units repair.
    """
    if problem.start is not None:
        return budget.refine(problem, problem.start, rng)
    n_free_entries = np.diff(problem.indptr)[problem.fixed < 0].sum()
    if n_free_entries > MANY_ENTRIES:
        state = budget.refine(problem, draw_parts(problem, rng), rng)
        state.run([BETTER_MOVES, *MENDING])
        if state.n_free:
            state.run(_quick_swaps(state, QUICK_SWEEPS), UNITS_TO_SWAP)
        if not Best(state).has_even_labels:
            state.go_to(_place_iteratively(problem, rng))
        return state
    return budget.refine(problem, _place_iteratively(problem, rng), rng)


def _place_iteratively(problem: Problem, rng: np.random.Generator) -> NDArray[np.int32]:
    """Return iterative stratification without pairs, which it would treat like labels."""
    return Iterative().place(keep_levels(problem, Level.REST), rng)


def draw_parts(problem: Problem, rng: np.random.Generator) -> NDArray[np.int32]:
    """Return a part drawn by the shares for each free unit."""
    sizes = np.maximum(0, problem.sizes)  # a section may have to take rows from a part
    up_to = np.round(np.cumsum(sizes) / sizes.sum() * 2**16).astype(np.int64)
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
    first = HOT_MOVES * hot if state.problem.start is None else warm
    if state.problem.n_units < state.problem.n_rows and n_sweeps >= MANY_MOVE_SWEEPS:
        first *= GROUP_HEAT * state.amount_of_move
    first *= FEW_MOVES_FACTOR if n_sweeps < FEW_MOVE_SWEEPS else 1.0
    state.run([*cool_moves(first, warm, n_sweeps), BETTER_MOVES, *MENDING])
