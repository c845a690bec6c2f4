"""even: every criterion as close to its share as whole rows allow, in parts of exact sizes."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._kernels.even import MEND, MOVE, SWAP
from ...exceptions import InputError
from ...problem.problem import Problem, keep_levels
from ..iterative import Iterative
from ..orders import Order, check_order
from .refinement import Refinement, Sweep, bound_of_cost, make_weights

# Each effort: how much work moves and swaps may be, in entries looked at; the least and the most sweeps of moves; the most rounds of swaps.
EFFORTS = {
    "fast": (1.5e7, 6e6, 2, 10, 1),
    "normal": (8.2e7, 4e7, 4, 55, 24),
    "best": (2.4e9, 8e8, 20, 1000, 200),
}
# With criteria after labels there is more to settle, with label pairs most: so many times the work of swaps, in one round of at most so many sweeps.
_MORE_WORK = {1: 4.0, 2: 15.0}
_LONG_ROUND = {1: 450, 2: 3500}
# Sweeps in a round of swaps of labels alone; below the least, a round is not worth it.
_ROUND, _SHORTEST_ROUND = 160, 4
# Fewer sweeps of swaps than this cannot settle labels and pairs together: pairs take what the others leave them then.
_FEW = 100
# Stages of a round where labels are not all: the weight of what comes after labels beside them, the temperature to start from in prices of the
# commonest label, the share of the sweeps. Labels have the last word: in the end little is done but what makes them more even, or leaves them
# and makes the rest so. By the last level; and where labels stand in each other's way and there are few sweeps.
_STAGES = {
    1: ((0.1, 0.5, 0.55), (0.02, 0.2, 0.2), (0.003, 0.02, 0.15), (0.001, 0.001, 0.1)),
    2: ((0.1, 0.5, 0.55), (0.01, 0.1, 0.27), (0.001, 0.02, 0.18)),
}
_FEW_STAGES = ((0.03, 0.1, 0.6), (0.003, 0.05, 0.25), (0.001, 0.02, 0.15))
_LAST_WORD = 0.001
# With fewer labels than this, swaps always find something; with more that stand in each other's way, only moves do.
_MANY_LABELS = 100
# With more entries than this a random split is tried first, in which so many units then change places.
_MANY_ENTRIES, _SOME_UNITS = 2_500_000, 20_000
# Fewer sweeps of moves than this begin at a quarter of the temperature: they could not mend all that heat undoes.
_FEW_MOVES, _COOLER = 6, 0.25
# What comes after labels may cost them this much at most.
_DEAR = 1.02
# Labels so near their bound, as a share of it, are as good as at it.
_CLOSE_ENOUGH = 1e-4
# The weight of sizes grows until they hold, so that the cheapest moves come first.
MENDING: list[Sweep] = [(MEND, 0.0, 4.0**step) for step in range(9)] + [(MEND, 0.0, np.inf)]


@dataclass(frozen=True)
class Even:
    """Iterative stratification, then annealed changes of place that lower rLD, sizes made exact on the way. The default.

    The cost is the sum over criteria and parts of |amount - target| / (share of the part · min(rows with, rows without)), which is
    rLD with labels that most rows hold judged by the rows that lack them. The targets are those of the whole sizes, not of the shares.
    Rows first move one by one, as the temperature falls from the price of a rare label to that of the commonest, then change places in
    pairs below that. What comes after labels counts a thousandth of them in the end. Of millions of labels a random split is tried first: where a sweep
    without heat brings that to the bound, it is taken.

    Parameters
    ----------
    effort : "fast", "normal" or "best", or a number of seconds to go on improving for, which gives up that the same call gives the same split
    order : what is kept even where `split` does not say: "auto", 1 or 2
    progress : called with the share of the work done, from 0 to 1, now and then

    Notes
    -----
    Every part has its target size, to the row, where there are no groups.

    Examples
    --------
    >>> s = evenfold.split([["a", "b"], ["a"], ["b"], []] * 5, [0.5, 0.5], method=evenfold.methods.Even(effort="fast"))
    >>> s.sizes.tolist(), s.quality.excess
    ([10, 10], 0.0)
    """

    name: ClassVar[str] = "even"
    improves: ClassVar[bool] = True
    # Also balances what single labels leave open, unless it is told order 1.
    families: ClassVar[bool] = True
    effort: str | float = "normal"
    order: Order = "auto"
    progress: Callable[[float], object] | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_order(self.order)
        seconds = (
            isinstance(self.effort, int | float)
            and not isinstance(self.effort, bool)
            and self.effort > 0
        )
        if self.effort not in EFFORTS and not seconds:
            raise InputError(
                f"must be {', '.join(EFFORTS)} or a number of seconds, got {self.effort!r}. Leave it out for 'normal'.",
                parameter="effort",
            )

    def place(self, problem: Problem, rng: np.random.Generator) -> NDArray[np.int32]:
        """Return the part of each unit, (n_units,)."""
        until = np.inf if isinstance(self.effort, str) else time.monotonic() + self.effort
        effort = str(self.effort) if isinstance(self.effort, str) else "normal"
        place = _place_labels if problem.level_of_criterion.max(initial=0) == 0 else _place_all
        part_of_unit = place(problem, rng, effort, until, self.progress)
        if self.progress is not None:
            self.progress(1.0)
        return part_of_unit


Progress = Callable[[float], object] | None


def _place_labels(
    problem: Problem, rng: np.random.Generator, effort: str, until: float, progress: Progress
) -> NDArray[np.int32]:
    """Make one level of criteria even: moves, then rounds of swaps, from the beginning again while there is something to gain."""
    work, swap_work, least_moves, most_moves, n_rounds = EFFORTS[effort]
    state = _begin(problem, rng, progress, until)
    start = state.part_of_unit.copy()
    if not state.n_free:
        return state.part_of_unit
    n_moves = int(np.clip(work / state.work_of_moves, least_moves, most_moves))
    n_swaps = int(swap_work / state.work_of_swaps)
    state.expect(n_moves * state.work_of_moves + n_swaps * state.work_of_swaps)
    best = Best(state)
    if n_swaps >= _SHORTEST_ROUND and not best.is_far:
        # Where no label stands in another's way, this is all it takes.
        state.run([*MENDING, *_cool(SWAP, 0.3 * state.cold, 0.03 * state.cold, _SHORTEST_ROUND)])
        best.take()
    if not best.is_enough:
        _move(state, n_moves)
        best.take()
    n_round = 0
    while not best.is_enough and time.monotonic() < until:
        least = _ROUND if best.is_coupled and problem.n_criteria > _MANY_LABELS else _SHORTEST_ROUND
        if until == np.inf and (n_round == n_rounds or n_swaps < least):
            break
        hot, n_sweeps = 0.5 * state.cold, _ROUND
        if n_round and problem.start is None:
            # Another try from the beginning finds what no swap from here would; every other one without moves, but from hotter.
            state.go_to(start)
            state.run(MENDING)
            if n_round % 2:
                hot, n_sweeps = 3 * state.hot, 4 * _ROUND
            else:
                _move(state, min(n_moves, 20))
        n_sweeps = (
            min(n_sweeps, n_swaps)
            if until == np.inf
            else min(n_sweeps, max(_SHORTEST_ROUND, n_swaps))
        )
        state.run([*_cool(SWAP, hot, 0.03 * state.cold, n_sweeps), (SWAP, 0.0, np.inf)])
        best.take()
        n_swaps -= n_sweeps if until == np.inf else 0
        n_round += 1
    return best.part_of_unit


def _begin(
    problem: Problem, rng: np.random.Generator, progress: Progress, until: float
) -> Refinement:
    """Take up the split that was given, or one by iterative stratification.

    Very many entries are far sooner split at random; where no label stands in another's way, one sweep makes that even, but for a row or two which
    change places among some of the units.
    """
    if problem.start is None and len(problem.indices) > _MANY_ENTRIES:
        state = Refinement(problem, _draw_parts(problem, rng), rng, progress, until)
        state.run([(MOVE, 0.0, 1.0), *MENDING])
        if state.n_free:
            state.run(_cool(SWAP, 0.3 * state.cold, 0.03 * state.cold, _ROUND // 4), _SOME_UNITS)
        if not Best(state).is_enough:
            state.go_to(Iterative().place(problem, rng))
        return state
    return Refinement(
        problem,
        Iterative().place(problem, rng) if problem.start is None else problem.start,
        rng,
        progress,
        until,
    )


def _draw_parts(problem: Problem, rng: np.random.Generator) -> NDArray[np.int32]:
    """Return a part drawn for each unit that is free, by the shares."""
    up_to = np.round(np.cumsum(problem.sizes) / problem.n_rows * 2**16).astype(np.int64)
    part_of_draw = np.repeat(np.arange(problem.n_parts, dtype=np.int32), np.diff(up_to, prepend=0))
    drawn = part_of_draw[rng.integers(0, 2**16, problem.n_units, dtype=np.uint16)]
    return np.where(problem.fixed < 0, drawn, problem.fixed)


def _place_all(
    problem: Problem, rng: np.random.Generator, effort: str, until: float, progress: Progress
) -> NDArray[np.int32]:
    """Make labels even and, as far as they allow, what comes after them."""
    last_level = int(problem.level_of_criterion.max())
    work, swap_work, least_moves, most_moves, _ = EFFORTS[effort]
    n_entries = float(len(problem.indices) + problem.n_units)
    n_swaps = int(
        min(
            _MORE_WORK[last_level] * swap_work / (4 * n_entries),
            _LONG_ROUND[last_level] * (3 if effort == "best" else 1),
        )
    )
    if last_level == 2 and n_swaps < _FEW:
        placed = _place_all(keep_levels(problem, 1), rng, effort, until, progress)
        state = Refinement(problem, placed, rng, progress, until)
        state.weigh(make_weights(problem, _LAST_WORD))
        state.run([(SWAP, 0.0, np.inf)] * max(1, n_swaps))
        return state.part_of_unit
    if n_swaps < _SHORTEST_ROUND:
        # So many entries leave no time to settle both: labels are made even alone.
        alone = _place_labels(keep_levels(problem, 0), rng, effort, until, progress)
        return _take_what_labels_leave(Refinement(problem, alone, rng, None, until), 1)
    # Pairs wait until later: at the start they would be taken together with labels.
    start = (
        Iterative().place(keep_levels(problem, 1), rng) if problem.start is None else problem.start
    )
    state = Refinement(problem, start, rng, progress, until)
    if not state.n_free:
        return state.part_of_unit
    n_moves = int(np.clip(work / state.work_of_moves, least_moves, most_moves))
    state.expect(n_moves * state.work_of_moves + n_swaps * state.work_of_swaps)
    state.run(MENDING)
    best = Best(state)
    _move(state, n_moves)
    best.take()
    stages = _FEW_STAGES if n_swaps < _FEW and best.is_coupled else _STAGES[last_level]
    while True:
        for later, warmth, share in stages:
            state.weigh(make_weights(problem, later))
            state.run(
                _cool(
                    SWAP, warmth * state.cold, 0.03 * state.coldest, max(1, round(share * n_swaps))
                )
            )
        best.take()
        if until == np.inf or time.monotonic() > until:
            break
    if best.is_coupled:
        # Labels that stand in each other's way may have paid for the rest: then they are made even alone, and the rest takes what they leave.
        alone = _place_labels(keep_levels(problem, 0), rng, effort, until, None)
        together = state.cost()[0]
        state.go_to(alone)
        if together > _DEAR * state.cost()[0]:
            return _take_what_labels_leave(state, min(n_swaps, _ROUND))
    return best.part_of_unit


def _take_what_labels_leave(state: Refinement, n_sweeps: int) -> NDArray[np.int32]:
    """Make what comes after labels even by swaps that no label pays for: its dearest row is worth less than the cheapest of a label."""
    first = state.problem.level_of_criterion == 0
    weight = make_weights(state.problem, 1.0)
    cheapest, dearest = (
        weight[first & (weight > 0)].min(initial=np.inf),
        weight[~first].max(initial=0.0),
    )
    state.weigh(
        make_weights(
            state.problem,
            min(_LAST_WORD, 0.5 * float(cheapest / dearest)) if dearest else _LAST_WORD,
        )
    )
    if state.n_free:
        state.run([(SWAP, 0.0, np.inf)] * n_sweeps)
    return state.part_of_unit


class Best:
    """The best split seen: labels first, then the rest; sizes that hold before any that do not."""

    def __init__(self, state: Refinement) -> None:
        self._state = state
        self._bound = bound_of_cost(state.problem)
        self._key = (np.inf, np.inf, np.inf)
        self.take()

    def take(self) -> None:
        """Keep the present split if it is better than the one kept, else go back to that."""
        labels, rest = self._state.cost()
        key = (float(np.abs(self._state.row_deviation).sum()), round(labels, 9), rest)
        if key <= self._key:
            self._key = key
            self.part_of_unit = self._state.part_of_unit.copy()
        else:
            self._state.go_to(self.part_of_unit)

    @property
    def is_far(self) -> bool:
        """Whether there is so much to gain that a few swaps would not do."""
        return self._key[1] > 1.5 * self._bound

    @property
    def is_coupled(self) -> bool:
        """Whether labels stand in each other's way, so that none can have all."""
        return self._key[1] > 1.01 * self._bound

    @property
    def is_enough(self) -> bool:
        """Whether no split could be better by anything that counts."""
        return self._key[0] == 0 and self._key[1] <= self._bound * (1 + _CLOSE_ENOUGH)


def mend_sizes(
    problem: Problem, part_of_unit: NDArray[np.int32], rng: np.random.Generator
) -> NDArray[np.int32]:
    """Bring the parts to their sizes by the cheapest moves; what has its sizes stays as it is."""
    state = Refinement(problem, part_of_unit, rng)
    if state.n_free:
        state.run(MENDING)
    return state.part_of_unit


def _move(state: Refinement, n_sweeps: int) -> None:
    """Anneal moves; from a split that was given only as warm as to find better places nearby."""
    hot = state.hot if state.problem.start is None else state.warm
    hot *= _COOLER if n_sweeps < _FEW_MOVES else 1.0
    state.run([*_cool(MOVE, hot, state.warm, n_sweeps), (MOVE, 0.0, 1.0), *MENDING])


def _cool(kind: int, hot: float, cold: float, n_sweeps: int) -> list[Sweep]:
    row_weight = 1.0 if kind == MOVE else np.inf
    return [
        (kind, float(heat), row_weight) for heat in np.geomspace(max(hot, cold), cold, n_sweeps)
    ]
