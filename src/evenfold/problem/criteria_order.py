"""A random order of the criteria that does not depend on the order of the columns."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import scipy
from numpy.typing import NDArray

from .criteria import AMOUNT_BITS
from .problem import Problem


def draw_for_units(problem: Problem, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return a random number for each unit.

    The numbers are small enough that their sum over all rows fits in 63 bits, if the amounts have
    `AMOUNT_BITS` bits on average.
    """
    return rng.integers(0, 1 << (62 - AMOUNT_BITS - problem.n_rows.bit_length()), problem.n_units)


def rank_criteria(problem: Problem, draw: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the criteria sorted by the sum of their units' draws.

    That is a random order which depends on the units that hold a criterion, not on its column.
    """
    draw_of_entry = np.repeat(draw, np.diff(problem.indptr))
    if len(problem.amounts):
        draw_of_entry *= problem.amounts
    sum_of_draws = np.zeros(problem.n_criteria, np.int64)
    np.add.at(sum_of_draws, problem.indices, draw_of_entry)
    return np.argsort(sum_of_draws, kind="stable")


def order_criteria(problem: Problem, rng: np.random.Generator) -> Problem:
    """Return the same problem with its criteria in the random order of `rank_criteria`.

    Methods that add fractions need this: their sums then have the same terms in the same order, and
    do not depend on the order in which the labels were given.
    """
    order = rank_criteria(problem, draw_for_units(problem, rng))
    place_of = np.empty(problem.n_criteria, np.int32)
    place_of[order] = np.arange(problem.n_criteria, dtype=np.int32)
    by_unit = scipy.sparse.csr_array(
        (
            # A copy: `sort_indices` sorts in place.
            problem.amounts.copy()
            if len(problem.amounts)
            else np.ones(len(problem.indices), np.int64),
            place_of[problem.indices],
            problem.indptr,
        ),
        shape=(problem.n_units, problem.n_criteria),
    )
    by_unit.sort_indices()
    return replace(
        problem,
        indices=by_unit.indices.astype(np.int32),
        amounts=by_unit.data if len(problem.amounts) else problem.amounts,
        level_of_criterion=problem.level_of_criterion[order],
        is_amount=problem.is_amount[order],
        least=problem.least[order] if problem.least.size else problem.least,
    )
