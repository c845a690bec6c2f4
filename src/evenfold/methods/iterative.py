"""iterative: the rarest label first, each of its rows where that label is needed most."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .._kernels.iterative import Criteria, Units, Wanted, place_iteratively
from ..problem.problem import Problem, draw_for_units, rank_criteria
from .orders import Order, check_order


@dataclass(frozen=True)
class Iterative:
    """Iterative stratification (Sechidis et al. 2011, Algorithm 1), for any shares and for groups.

    Parameters
    ----------
    fullest_first : for equal parts, take the rows of a label in the order of how many labels they hold, random among equals.
        The paper leaves the order open and shuffles the rows (False). The fullest row is the hardest to place, and so
        is the largest group: placed first, the rest can make up for it. Unequal parts always have their rows shuffled: there the
        first rows of a label all go to the largest part, which must not be the fullest ones.
    order : 2 takes label pairs together with single labels: second-order iterative stratification (SOIS, Szymański & Kajdanowicz 2017). What
        `split` says goes first.

    Notes
    -----
    Cost O(nnz + n · n_parts); with order 2, nnz counts every pair of labels that a row holds, which grows with the square of its labels. Past 20
    million of them the rows with the most labels are left out of the pairs, and the split says so.
    With order 2, the pair or label with the fewest rows left is next; of those with as many, pairs go first.
    Sizes come out near the wanted shares, not exactly on them: labels come first.
    Between equally rare labels, the one whose count changed last is taken, else a random one.
    Rows without labels are placed last, where most rows are missing.

    Examples
    --------
    >>> evenfold.split([["a", "b"], ["a"], ["b"], []] * 5, 5, method=evenfold.methods.Iterative(fullest_first=False)).quality.flz
    0
    """

    name: ClassVar[str] = "iterative"
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
        need[:-1] = problem.total_of_criterion[:, None] * problem.weights
        part_of_unit = problem.fixed.copy()
        n_steps = 4 * len(problem.indices) + problem.n_units * problem.n_parts
        draw = draw_for_units(problem, rng)
        place_iteratively.for_work(n_steps)(
            Units(problem.indptr, problem.indices, problem.amounts, problem.rows_of_unit),
            Criteria(
                problem.level_of_criterion,
                precedence,
                problem.is_amount,
                rank_criteria(problem, draw),
            ),
            order,
            draw,
            Wanted(int(problem.weights.sum()), need, problem.n_rows * problem.weights),
            part_of_unit,
        )
        return part_of_unit


def _take_pairs_with_labels(problem: Problem) -> tuple[Problem, NDArray[np.int64]]:
    """Put label pairs on the level of labels, before labels that are as rare: SOIS."""
    is_pair = problem.level_of_criterion == 2
    precedence = np.zeros(problem.n_criteria, np.int64)
    if not is_pair.any():
        return problem, precedence
    return replace(
        problem, level_of_criterion=np.where(is_pair, 0, problem.level_of_criterion)
    ), np.where(is_pair, 0, 1)


def _total_of_unit(problem: Problem) -> NDArray[np.int64]:
    if not len(problem.amounts):
        return np.diff(problem.indptr)
    running = np.concatenate(([0], np.cumsum(problem.amounts)))
    return running[problem.indptr[1:]] - running[problem.indptr[:-1]]
