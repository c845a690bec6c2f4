"""Sections: some of all units, placed toward targets of their own in a few sweeps."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...problem.criteria import Level
from ...problem.problem import Problem
from .best import Best
from .plan import Budget, draw_parts, place_evenly
from .refinement import Refinement
from .sweeps import BETTER_MOVES, BETTER_SWAPS, MENDING, cool_moves
from .tuning import (
    CENTRE_HEAT,
    CENTRE_WARMTH,
    CENTRE_WORK,
    EFFORTS,
    FEW_SECTION_SWEEPS,
    LEAST_CENTRE_SWEEPS,
    MANY_LABELS_OF_UNIT,
    MANY_SECTION_SWEEPS,
    MOST_CENTRE_SWEEPS,
    REST_SECTION_SWEEPS,
    REST_SWEEPS,
    REST_WEIGHT_OF_MOVES,
    SECTION_HEAT,
    SMALL_CENTRE,
)


def place_section(problem: Problem, rng: np.random.Generator) -> NDArray[np.int32]:
    """Return the part of each unit of one section of many: few sweeps, since all units are read.

    A section starts from `problem.start`, and is not less even than that, or from a random split.
    Units with few labels need fewer sweeps than units with many, whose labels compete.
    """
    start = draw_parts(problem, rng) if problem.start is None else problem.start
    state = Refinement(problem, start, rng)
    if not state.n_free:
        return state.part_of_unit
    state.weigh(REST_WEIGHT_OF_MOVES)
    best = None
    if problem.start is None:
        state.run([BETTER_MOVES])
    else:
        # Later sections may lack the labels that too few sweeps leave uneven, as in sorted data.
        best = Best(state)
        if best.is_enough:
            return best.part_of_unit
    has_many = len(problem.indices) > MANY_LABELS_OF_UNIT * problem.n_units
    n_sweeps = MANY_SECTION_SWEEPS if has_many else FEW_SECTION_SWEEPS
    if state.cost().labels > 0:
        _anneal(state, SECTION_HEAT, 1.0, n_sweeps)
    state.run(MENDING)
    _improve_rest(state, REST_SECTION_SWEEPS)
    if best is None:
        return state.part_of_unit
    best.update()
    return best.part_of_unit


def place_centre(problem: Problem, rng: np.random.Generator) -> NDArray[np.int32]:
    """Return the part of each unit of the section that corrects what all others left uneven.

    It is small, but its units are those with the rarest labels: it has many sweeps. Groups and few
    entries are also placed as if there were no other sections, if that is better.
    """
    state = Refinement(problem, draw_parts(problem, rng), rng)
    if not state.n_free:
        return state.part_of_unit
    state.weigh(REST_WEIGHT_OF_MOVES)
    state.run([BETTER_MOVES, *MENDING])
    best = Best(state)
    if best.is_enough:
        return best.part_of_unit
    n_sweeps = np.clip(CENTRE_WORK / state.work_of_moves, LEAST_CENTRE_SWEEPS, MOST_CENTRE_SWEEPS)
    _anneal(state, CENTRE_HEAT, CENTRE_WARMTH, int(n_sweeps))
    state.run(MENDING)
    _improve_rest(state, REST_SWEEPS)
    best.update()
    is_small = state.n_entries <= SMALL_CENTRE or problem.n_units < problem.n_rows
    if is_small and not best.is_enough:
        state.go_to(place_evenly(problem, rng, Budget(EFFORTS["normal"], np.inf, None)))
        best.update()
    return best.part_of_unit


def _improve_rest(state: Refinement, n_sweeps: int) -> None:
    """Make criteria besides labels more even by swaps that do not worsen labels."""
    if state.problem.last_level > Level.LABELS:
        state.weigh_least()
        state.run([BETTER_SWAPS] * n_sweeps)


def _anneal(state: Refinement, heat: float, warmth: float, n_sweeps: int) -> None:
    hot, warm, _, _ = state.temperatures
    state.run([*cool_moves(heat * hot, warmth * warm, n_sweeps), BETTER_MOVES])
