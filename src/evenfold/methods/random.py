"""random: shuffle and cut."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..problem.criteria_order import order_criteria
from ..problem.problem import Problem
from .best_of_tries import Aggregator, check_tries, keep_best
from .method import Method

# Groups are exchanged between this many parts with the largest surplus of rows and as many parts
# with the largest deficit. It limits the time for hundreds of parts; chosen by hand.
_PARTS_TO_MEND = 8


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
        How the residuals of the parts are combined: "max", "mean", "median", "sum" or a function.
    norm : {1, 2, inf}, default=2
        The norm of the residual by which tries are compared: the sum of the differences, the root
        of their sum of squares, or the largest difference.

    Notes
    -----
    Every part has its target size, to the row, where there are no groups.
    With groups, each part has about its share of the groups: groups are shuffled and cut at the
    sizes, and groups drawn at random are exchanged between parts while that brings the sizes nearer
    to the targets.

    Examples
    --------
    >>> y = [["a"], ["b"]] * 10
    >>> evenfold.split(y, [0.7, 0.3], method=evenfold.methods.Random()).sizes.tolist()
    [14, 6]
    """

    name = "random"
    exact_sizes = True
    uses_order = False
    tries: int = 1
    aggregator: Aggregator = "max"
    norm: float = 2

    def __post_init__(self) -> None:
        check_tries(self.tries, self.aggregator, self.norm)

    def place(self, problem: Problem, rng: np.random.Generator) -> NDArray[np.int32]:
        """Return the part of each unit, (n_units,)."""
        if self.tries == 1:
            return _shuffle_and_cut(problem, rng)
        by_unit = order_criteria(problem, rng).to_csr()
        nothing = np.zeros((problem.n_parts, problem.n_criteria))
        return keep_best(
            lambda _: _shuffle_and_cut(problem, rng),
            self.tries,
            self.aggregator,
            self.norm,
            by_unit,
            nothing,
        )


def _shuffle_and_cut(problem: Problem, rng: np.random.Generator) -> NDArray[np.int32]:
    """Return the part of each unit: shuffled and cut at the sizes."""
    shuffled = rng.permutation(problem.n_units)
    part_of_unit = problem.fixed.copy()
    free = shuffled[part_of_unit[shuffled] < 0]
    is_fixed = part_of_unit >= 0
    n_fixed = np.bincount(
        part_of_unit[is_fixed], problem.rows_of_unit[is_fixed], minlength=problem.n_parts
    ).astype(np.int64)
    room = problem.sizes - n_fixed
    if problem.n_units == problem.n_rows:
        part_of_unit[free] = np.repeat(np.arange(problem.n_parts, dtype=np.int32), room)
        return part_of_unit
    # A unit of several rows is in the part that holds its middle.
    rows = problem.rows_of_unit[free]
    middle = np.cumsum(rows) - rows / 2
    part_of_unit[free] = np.minimum(
        np.searchsorted(np.cumsum(room), middle, side="left"), problem.n_parts - 1
    )
    _exchange_units(problem, part_of_unit, rng)
    return part_of_unit


def _exchange_units(
    problem: Problem, part_of_unit: NDArray[np.int32], rng: np.random.Generator
) -> None:
    """Bring the parts nearer to their sizes, in place, by exchanges between two parts.

    In each, a unit of a part that is too large is exchanged for one of a part that is too small, or
    for none. Of all such pairs of units that improve the sizes most, one is drawn.
    """
    free = problem.fixed < 0
    surplus = problem.count_rows(part_of_unit) - problem.sizes
    rows_of_kind, kind_of_unit = np.unique(problem.rows_of_unit, return_inverse=True)
    # Units of each number of rows in each part; one more kind, no unit at all, has 0 rows.
    count = np.zeros((problem.n_parts, len(rows_of_kind) + 1), np.int64)
    np.add.at(count, (part_of_unit[free], kind_of_unit[free]), 1)
    count[:, -1] = 1
    rows_of_kind = np.append(rows_of_kind, 0)
    difference = rows_of_kind[:, None] - rows_of_kind
    while True:
        for large, small in _list_pairs(surplus):
            left = np.abs(surplus[large] - difference) + np.abs(surplus[small] + difference)
            pairs = count[large][:, None] * count[small]
            left = np.where(pairs > 0, left, np.iinfo(np.int64).max)
            if left.min() < abs(surplus[large]) + abs(surplus[small]):
                break
        else:
            return
        choice = rng.choice(left.size, p=_normalise(np.where(left == left.min(), pairs, 0)))
        for kind, part, other in zip(
            divmod(int(choice), left.shape[1]), (large, small), (small, large), strict=True
        ):
            if kind == len(rows_of_kind) - 1:
                continue
            units = np.flatnonzero(free & (part_of_unit == part) & (kind_of_unit == kind))
            part_of_unit[rng.choice(units)] = other
            count[part, kind] -= 1
            count[other, kind] += 1
            surplus[part] -= rows_of_kind[kind]
            surplus[other] += rows_of_kind[kind]


def _list_pairs(surplus: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Yield pairs of a part that is too large and one that is too small, the worst first."""
    by_surplus = np.argsort(surplus, kind="stable")
    for large in by_surplus[::-1][:_PARTS_TO_MEND].tolist():
        for small in by_surplus[:_PARTS_TO_MEND].tolist():
            if surplus[large] > 0 > surplus[small]:
                yield large, small


def _normalise(weights: NDArray[np.int64]) -> NDArray[np.float64]:
    flat = weights.ravel().astype(np.float64)
    return np.asarray(flat / flat.sum())
