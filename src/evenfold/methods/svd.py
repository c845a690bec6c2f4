"""svd: units sorted by a random vector that no criterion leans on, and cut."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ..problem.problem import Problem, order_criteria
from .best_of_tries import Aggregator, check_tries, keep_best

# Conjugate gradients end when what is left of the criteria in the vector is this small, or after this many steps.
_TOLERANCE = 1e-11
_MOST_STEPS = 300
# Entries of the vector that agree to this many digits count as equal, and chance decides: criteria may leave nothing to choose.
_DIGITS = 7


@dataclass(frozen=True)
class Svd:
    """RandomSplit: a random vector in the null space of the criteria, sorted and cut, the best of several tries. Cost O(tries · nnz · steps).

    With W the criteria × units, x is drawn from the null space of Z D W (D = 1 / row sums, Z takes the mean away): the largest p n values of
    x are a part that has about a share p of everything, and so is any slice of the sorted values. RandomSplit finds the null space by a
    singular value decomposition of n × n; here a random vector is projected into it by conjugate gradients, which has the same law.

    Parameters
    ----------
    tries : so many vectors are drawn for each cut, and the one with the lowest residual is kept
    aggregator : what makes one number of the residuals of the parts: "max", "mean", "median", "sum" or a function

    Notes
    -----
    Every part has its target size, to the row, where there are no groups.
    Parts of equal shares are slices of one sorted vector; parts of other shares are first cut off one after another, in their order.
    The residual of each part is in `quality.per_part.residual`.
    With groups, the number of rows is one more criterion.
    Rows that are fixed count in the residual; the vector is that of the free ones.
    With as many criteria as units there is no such vector, and what is left is the best of random tries.

    Examples
    --------
    >>> volumes = evenfold.datasets.make_weights()
    >>> s = evenfold.split(balance=volumes.T, parts=[0.65, 0.25, 0.1], method=evenfold.methods.Svd(tries=100))
    >>> s.sizes.tolist()
    [130, 50, 20]
    >>> bool(s.quality.residual < evenfold.split(balance=volumes.T, parts=[0.65, 0.25, 0.1], method="random").quality.residual)
    True
    """

    name: ClassVar[str] = "svd"
    tries: int = 10
    aggregator: Aggregator = "max"

    def __post_init__(self) -> None:
        check_tries(self.tries, self.aggregator)

    def count_steps(self, n_units: int, n_entries: int, n_criteria: int, n_parts: int) -> float:
        """Return about how many steps of a loop, each a nanosecond or so, one split takes."""
        return (
            2.0
            * min(_MOST_STEPS, 4 * n_criteria)
            * (2 * n_entries + 4 * n_units)
            * (self.tries + 1)
        )

    def place(self, problem: Problem, rng: np.random.Generator) -> NDArray[np.int32]:
        """Return the part of each unit, (n_units,)."""
        problem = order_criteria(_count_rows(problem), rng)
        by_unit = problem.to_csr()
        by_share: dict[int, list[int]] = {}
        for part, weight in enumerate(problem.weights.tolist()):
            by_share.setdefault(weight, []).append(part)
        part_of_unit = problem.fixed.copy()
        units = np.flatnonzero(part_of_unit < 0)
        # What stands alone is cut off first, as a test part is before the rest makes folds.
        blocks = sorted(by_share.values(), key=lambda block: (len(block) > 1, block[0]))
        while blocks:
            block = blocks.pop(0)
            rest = [part for other in blocks for part in other]
            is_in_block = np.ones(len(units), bool)
            if rest:
                is_in_block = self._slice(problem, by_unit, units, [block, rest], rng) == 0
            own, units = units[is_in_block], units[~is_in_block]
            part_of_unit[own] = np.array(block, np.int32)[
                self._slice(problem, by_unit, own, [[part] for part in block], rng)
            ]
        return part_of_unit

    def _slice(
        self,
        problem: Problem,
        by_unit: sparse.csr_array,
        units: NDArray[np.int64],
        slices: list[list[int]],
        rng: np.random.Generator,
    ) -> NDArray[np.int32]:
        """Return which slice, each of one or more parts, every one of these units is in."""
        if len(slices) == 1 or not len(units):
            return np.zeros(len(units), np.int32)
        number_of = np.full(problem.n_parts + 1, -1)
        for number, parts in enumerate(slices):
            number_of[parts] = number
        slice_of_fixed = number_of[problem.fixed]
        is_fixed = (slice_of_fixed[:, None] == np.arange(len(slices))).astype(np.float64)
        room = (
            np.array([problem.sizes[parts].sum() for parts in slices])
            - problem.rows_of_unit @ is_fixed
        )
        stops = np.cumsum(np.maximum(room, 0))
        own = sparse.csr_array(by_unit[units])
        draw = rng.standard_normal((len(units), self.tries))
        vector = np.round(_project(own, draw), _DIGITS)

        def cut(number: int) -> NDArray[np.int32]:
            order = np.lexsort((draw[:, number], vector[:, number]))
            rows = problem.rows_of_unit[units[order]]
            # A unit of several rows is in the slice that holds its middle.
            place = np.empty(len(units), np.int32)
            place[order] = np.minimum(
                np.searchsorted(stops, np.cumsum(rows) - rows / 2, side="left"), len(slices) - 1
            )
            return place

        return keep_best(
            cut, self.tries, self.aggregator, own, np.asarray((by_unit.T @ is_fixed).T)
        )


def _count_rows(problem: Problem) -> Problem:
    """Make the number of rows a criterion where units stand for several, as RandomSplit advises."""
    if problem.n_units == problem.n_rows:
        return problem
    with_rows = sparse.csr_array(
        sparse.hstack(
            [problem.to_csr(), sparse.csr_array(problem.rows_of_unit[:, None])], format="csr"
        )
    )
    return replace(
        problem,
        indptr=with_rows.indptr.astype(np.int64),
        indices=with_rows.indices.astype(np.int32),
        amounts=with_rows.data.astype(np.int64),
        level_of_criterion=np.append(problem.level_of_criterion, 0),
        is_amount=np.append(problem.is_amount, False),
    )


def _project(by_unit: sparse.csr_array, draw: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return, up to a constant, the part of each drawn vector in the null space of Z D W, that is, of W and of what is equal for all.

    W z = 0 does not change when its rows are scaled, so they are made of one length, which conjugate gradients like best.
    """
    length = np.sqrt(by_unit.multiply(by_unit).sum(axis=0))
    used = length > 0
    if not used.any():
        return draw
    columns = sparse.csr_array(by_unit[:, used] / length[used])
    projected = _drop_criteria(columns, np.column_stack((draw, np.ones(len(draw)))))
    draw_left, ones_left = projected[:, :-1], projected[:, -1:]
    # The null space of Z D W has one direction more than that of W: what W sees of a vector of ones. Along it, less a constant.
    seen = 1 - ones_left
    along = (seen * draw).sum(axis=0) / (seen * seen).sum()
    return np.asarray(draw_left - along * ones_left)


def _drop_criteria(columns: sparse.csr_array, vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what is left of vectors, (n_units, n), without their part in the span of the columns: conjugate gradients on least squares."""
    rows = sparse.csr_array(columns.T)
    left = vectors.copy()
    gradient = rows @ left
    direction = gradient
    steepness = (gradient * gradient).sum(axis=0)
    enough = _TOLERANCE**2 * steepness
    for _ in range(min(_MOST_STEPS, 4 * rows.shape[0])):
        going = steepness > enough
        if not going.any():
            break
        change = columns @ direction
        curvature = (change * change).sum(axis=0)
        left -= (
            np.divide(
                steepness, curvature, out=np.zeros_like(curvature), where=going & (curvature > 0)
            )
            * change
        )
        gradient = rows @ left
        before, steepness = steepness, (gradient * gradient).sum(axis=0)
        direction = (
            gradient
            + np.divide(steepness, before, out=np.zeros_like(before), where=going) * direction
        )
    return left
