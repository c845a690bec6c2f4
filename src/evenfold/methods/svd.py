"""svd: units sorted by a random vector that is orthogonal to every criterion, and cut."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import scipy
from numpy.typing import NDArray

from ..problem.criteria import Level
from ..problem.criteria_order import order_criteria
from ..problem.problem import Problem
from .best_of_tries import Aggregator, check_tries, keep_best
from .method import Method

# Conjugate gradients end when the criteria's share of the vector has fallen to this, or after this
# many steps.
_TOLERANCE = 1e-11
_MOST_STEPS = 300
# Entries of the vector that agree to this many digits count as equal, and chance orders them: the
# criteria may leave no freedom.
_DIGITS = 7


@dataclass(frozen=True)
class Svd(Method):  # numpydoc ignore=PR02
    """RandomSplit: a random vector in the null space of the criteria, sorted and cut.

    With W the criteria × units, x is drawn from the null space of Z D W (D = 1 / row sums, Z
    subtracts the mean): the largest p n values of x are a part that has about a share p of
    everything, and so is any slice of the sorted values. RandomSplit finds the null space by a
    singular value decomposition of n × n; here a random vector is projected into it by conjugate
    gradients, which has the same distribution. Cost O(tries · nnz · steps).

    Parameters
    ----------
    tries : int, default=10
        Number of vectors that are drawn for each cut; the one with the lowest residual is kept.
    aggregator : str or callable, default="max"
        How the residuals of the parts are combined: "max", "mean", "median", "sum" or a function.
    norm : {1, 2, inf}, default=2
        The norm of the residual by which tries are compared: the sum of the differences, the root
        of their sum of squares, or the largest difference.

    Notes
    -----
    Every part has its target size, to the row, where there are no groups.
    Parts of equal shares are slices of one sorted vector; parts of other shares are first cut off
    one after another, in their order.
    The residual of each part in the norm 2 is in `quality.per_part.residual`;
    `evenfold.methods.bound_residuals` returns it in any of the norms, with RandomSplit's bounds.
    The norm does not change the vectors that are drawn, only which of them is kept.
    With groups, the number of rows is one more criterion.
    Rows that are fixed count in the residual; the vector is that of the free ones.
    With as many criteria as units there is no such vector, and the best of random tries is kept.

    Examples
    --------
    >>> volumes = evenfold.datasets.make_weights().T
    >>> shares = [0.65, 0.25, 0.1]
    >>> s = evenfold.split(balance=volumes, parts=shares, method=evenfold.methods.Svd(tries=100))
    >>> s.sizes.tolist()
    [130, 50, 20]
    >>> random = evenfold.split(balance=volumes, parts=shares, method="random")
    >>> bool(s.quality.residual < random.quality.residual)
    True
    """

    name = "svd"
    exact_sizes = True
    tries: int = 10
    aggregator: Aggregator = "max"
    norm: float = 2

    def __post_init__(self) -> None:
        check_tries(self.tries, self.aggregator, self.norm)

    def count_steps(self, n_units: int, n_entries: int, n_criteria: int, n_parts: int) -> float:
        """Return about how many steps, of a nanosecond or so, one split takes."""
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
        # A part with a share of its own is cut off first, as a test part is before the folds.
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
        by_unit: scipy.sparse.csr_array,
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
        own = scipy.sparse.csr_array(by_unit[units])
        draw = rng.standard_normal((len(units), self.tries))
        vector = np.round(project_into_null_space(own, draw), _DIGITS)

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
            cut, self.tries, self.aggregator, self.norm, own, np.asarray((by_unit.T @ is_fixed).T)
        )


def _count_rows(problem: Problem) -> Problem:
    """Make the number of rows a criterion where units have several rows, as RandomSplit advises."""
    if problem.n_units == problem.n_rows:
        return problem
    with_rows = scipy.sparse.csr_array(
        scipy.sparse.hstack(
            [problem.to_csr(), scipy.sparse.csr_array(problem.rows_of_unit[:, None])], format="csr"
        )
    )
    return replace(
        problem,
        indptr=with_rows.indptr.astype(np.int64),
        indices=with_rows.indices.astype(np.int32),
        amounts=with_rows.data.astype(np.int64),
        level_of_criterion=np.append(problem.level_of_criterion, Level.LABELS),
        is_amount=np.append(problem.is_amount, False),
    )


def project_into_null_space(
    by_unit: scipy.sparse.csr_array, draw: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the part of each drawn vector in the null space of Z D W, up to a constant.

    The null space of W does not change when its rows are scaled, so they are scaled to one length,
    with which conjugate gradients converge fastest.
    """
    length = np.sqrt(by_unit.multiply(by_unit).sum(axis=0))
    used = length > 0
    if not used.any():
        return draw
    columns = scipy.sparse.csr_array(by_unit[:, used] / length[used])
    projected = _drop_criteria(columns, np.column_stack((draw, np.ones(len(draw)))))
    draw_left, ones_left = projected[:, :-1], projected[:, -1:]
    # The null space of Z D W has one direction more than that of W: the part of a vector of ones
    # in the row space of W. The projection onto it is along * (1 - ones_left). The constant is left
    # out, because it does not change the order of the units.
    in_rows = 1 - ones_left
    along = (in_rows * draw).sum(axis=0) / (in_rows * in_rows).sum()
    return np.asarray(draw_left - along * ones_left)


def _drop_criteria(
    columns: scipy.sparse.csr_array, vectors: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return vectors (n_units, n) without their part in the span of the columns.

    Conjugate gradients on least squares.
    """
    rows = scipy.sparse.csr_array(columns.T)
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
