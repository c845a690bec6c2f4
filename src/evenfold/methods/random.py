"""random: shuffle and cut."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .._kernels.strata import deal
from ..problem.criteria_order import order_criteria
from ..problem.problem import Problem
from .best_of_tries import Aggregator, check_tries, keep_best
from .method import Method


@dataclass(frozen=True)
class Random(Method):  # numpydoc ignore=PR02
    """Random parts; labels are not used, except to choose among several tries.

    Cost O(n), per try O(nnz).

    Parameters
    ----------
    tries : int, default=1
        Number of splits that are drawn; the one with the lowest residual is kept, as in
        RandomSplit's benchmark.
    aggregator : str or callable, default="max"
        What makes one number of the residuals of the parts: "max", "mean", "median", "sum" or a
        function.

    Notes
    -----
    Every part has its target size, to the row, where there are no groups.
    With groups, the largest go first, each where most room is left.

    Examples
    --------
    >>> y = [["a"], ["b"]] * 10
    >>> evenfold.split(y, [0.7, 0.3], method=evenfold.methods.Random()).sizes.tolist()
    [14, 6]
    """

    name = "random"
    exact_sizes = True
    tries: int = 1
    aggregator: Aggregator = "max"

    def __post_init__(self) -> None:
        check_tries(self.tries, self.aggregator)

    def place(self, problem: Problem, rng: np.random.Generator) -> NDArray[np.int32]:
        """Return the part of each unit, (n_units,)."""
        if self.tries == 1:
            return _shuffle_and_cut(problem, rng)
        by_unit = order_criteria(problem, rng).to_csr()
        nothing = np.zeros((problem.n_parts, problem.n_criteria))
        return keep_best(
            lambda _: _shuffle_and_cut(problem, rng), self.tries, self.aggregator, by_unit, nothing
        )


def _shuffle_and_cut(problem: Problem, rng: np.random.Generator) -> NDArray[np.int32]:
    shuffled = rng.permutation(problem.n_units)
    part_of_unit = problem.fixed.copy()
    free = part_of_unit[shuffled] < 0
    if problem.n_units == problem.n_rows:
        room = problem.sizes - np.bincount(
            part_of_unit[part_of_unit >= 0], minlength=problem.n_parts
        )
        part_of_unit[shuffled[free]] = np.repeat(np.arange(problem.n_parts, dtype=np.int32), room)
        return part_of_unit
    units = shuffled[np.lexsort((-problem.rows_of_unit[shuffled], free))]
    one_stratum = np.zeros(problem.n_units, np.int64)
    deal.for_work(problem.n_units * problem.n_parts)(
        units,
        one_stratum,
        problem.rows_of_unit,
        np.array([problem.n_rows]),
        problem.sizes,
        rng.permutation(problem.n_parts),
        part_of_unit,
    )
    return part_of_unit
