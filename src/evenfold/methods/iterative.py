"""iterative: the rarest label first, each of its rows where that label is needed most."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from .._kernels.iterative import Criteria, Wanted, place_iteratively
from .._kernels.units import Units
from ..problem.criteria import Level
from ..problem.criteria_order import draw_for_units, rank_criteria
from ..problem.problem import Problem
from .method import Method
from .orders import Order, check_order


@dataclass(frozen=True)
class Iterative(Method):  # numpydoc ignore=PR02
    """Iterative stratification (Sechidis et al. 2011, Algorithm 1), for any shares and for groups.

    Parameters
    ----------
    fullest_first : bool, default=True
        For equal parts, whether the rows of a label are taken by their number of labels, most
        first, at random among equals. The paper leaves the order open and shuffles the rows
        (False, as `IterativeShuffled` does). The row with the most labels is the hardest to place,
        and so is the largest group: if it is placed first, later rows can compensate for it. For
        unequal parts the rows are always shuffled: there the first rows of a label all go to the
        largest part, which must not get all the rows with many labels.
    order : 1, 2 or "auto", default=1
        2 takes label pairs together with single labels: second-order iterative stratification
        (SOIS, Szymański & Kajdanowicz 2017). An `order` given to `split` overrides this.

    Notes
    -----
    Cost O(nnz + n · n_parts); with order 2, nnz counts every pair of labels that a row holds, which
    grows with the square of its labels. Past 20 million pairs the rows with the most labels are
    left out of the pairs, and the split says so.
    With order 2, the pair or label with the fewest rows left is next; in a tie, pairs go first.
    Sizes are near the wanted shares, but not always exact: labels come first.
    Between equally rare labels, the one whose count changed last is taken, else a random one.
    Rows without labels are placed last, where most rows are missing.

    Examples
    --------
    >>> y = [["a", "b"], ["a"], ["b"], []] * 5
    >>> evenfold.split(y, 5, method=evenfold.methods.Iterative(order=2)).quality.flz
    0
    """

    name = "iterative"
    fullest_first: bool = True
    order: Order = 1

    def __post_init__(self) -> None:
        check_order(self.order)

    def place(self, problem: Problem, rng: np.random.Generator) -> NDArray[np.int32]:
        """Return the part of each unit, (n_units,)."""
        problem, precedence = _take_pairs_with_labels(problem)
        order = rng.permutation(problem.n_units).astype(np.int32)
        if self.fullest_first and (problem.weights == problem.weights[0]).all():
            order = order[np.argsort(-_total_of_unit(problem)[order], kind="stable")]
        need = np.zeros((problem.n_criteria + 1, problem.n_parts), np.int64)
        need[:-1] = (
            np.round(problem.wanted * problem.weights.sum())
            if problem.is_section
            else problem.total_of_criterion[:, None] * problem.weights
        )
        room = (
            problem.sizes * problem.weights.sum()
            if problem.is_section
            else problem.n_rows * problem.weights
        )
        part_of_unit = problem.fixed.copy()
        n_steps = 4 * len(problem.indices) + problem.n_units * problem.n_parts
        draw = draw_for_units(problem, rng)
        place_iteratively.for_work(n_steps)(
            Units(problem.indptr, problem.indices, problem.amounts, problem.rows_of_unit),
            Criteria(
                np.maximum(problem.level_of_criterion, Level.LABELS),
                precedence,
                problem.is_amount,
                rank_criteria(problem, draw),
            ),
            order,
            draw,
            Wanted(int(problem.weights.sum()), need, room),
            part_of_unit,
        )
        return part_of_unit


@dataclass(frozen=True)
class IterativeShuffled(Iterative):  # numpydoc ignore=PR02
    """Iterative stratification with the rows of a label in random order, as the paper has it.

    Parameters
    ----------
    order : 1, 2 or "auto", default=1
        As for `Iterative`.

    Notes
    -----
    It gives the splits of `Iterative(fullest_first=False)`. In unequal parts these are the splits
    of `Iterative()`.

    Examples
    --------
    >>> y = [["a", "b"], ["a"], ["b"], []] * 5
    >>> evenfold.split(y, 5, method="iterative-shuffled").quality.flz
    0
    """

    name = "iterative-shuffled"
    fullest_first: bool = field(default=False, init=False, repr=False)


def _take_pairs_with_labels(problem: Problem) -> tuple[Problem, NDArray[np.int64]]:
    """Put label pairs on the level of labels, before labels that are as rare: SOIS.

    Returns the problem and the precedence of each criterion.
    """
    is_pair = problem.level_of_criterion == Level.PAIRS
    if not is_pair.any():
        return problem, np.zeros(problem.n_criteria, np.int64)
    level = np.where(is_pair, Level.LABELS, problem.level_of_criterion)
    return replace(problem, level_of_criterion=level), np.where(is_pair, 0, 1)


def _total_of_unit(problem: Problem) -> NDArray[np.int64]:
    """Return (n_units,) the sum of the amounts of each unit."""
    if not len(problem.amounts):
        return np.diff(problem.indptr)
    running = np.concatenate(([0], np.cumsum(problem.amounts)))
    return running[problem.indptr[1:]] - running[problem.indptr[:-1]]
