"""optisplit: a split improved label by label, the worst first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from .._checks.numbers import check_whole
from .._kernels.optisplit import (
    DCP,
    LD,
    N_KEPT,
    N_TOUCHED,
    N_TRIED,
    OTHER,
    PENDING,
    RLD,
    Change,
    Members,
    Objective,
    Placement,
    Targets,
    run_epoch,
)
from .._kernels.units import Units
from ..exceptions import InputError
from ..problem.criteria_order import order_criteria
from ..problem.problem import Problem
from .method import Method
from .random import Random

_MEASURES = {"rld": RLD, "dcp": DCP, "ld": LD}
# A gain up to this, in the sum over labels, is a rounding error.
_LEAST_GAIN = 1e-9
# An epoch that lowers the sum by less than this share of it ends the phase.
_LEAST_GAIN_OF_EPOCH = 1e-3
# Weight of the sizes of the parts relative to all labels together, one phase each: labels alone
# first, then sizes more and more, because a part that is a hundredth too large has a hundredth less
# of every label than its count says. Chosen by hand on the benchmark sets.
_WEIGHTS_OF_SIZES = (0.0, 0.1, 0.3, 1.0)

# (n_parts, n_labels) rows of each label in each part and (n_parts,) rows in each part → (n_labels,)
# how uneven each label is.
LabelMeasure = Callable[[NDArray[np.int64], NDArray[np.int64]], NDArray[np.float64]]


@dataclass(frozen=True)
class OptiSplit(Method):  # numpydoc ignore=PR02
    """Optisplit ("Novel split quality measures for stratified multilabel cross validation").

    For any shares and for groups. It improves a random split, or the `start` given to `split`. The
    surplus rows of the label with the worst score move from parts that have too many to parts that
    have too few. Rows with the fewest other labels move first. The move is kept if the sum of all
    scores falls. The label with the next worst score follows. After every label, an epoch ends.
    Cost O(nnz · n_parts) per epoch.

    Parameters
    ----------
    measure : str or callable, default="rld"
        What is lowered, summed over labels: "rld", "dcp", "ld", or a function of (n_parts,
        n_labels) counts and (n_parts,) sizes that returns (n_labels,) values, which takes many
        times as long.
    max_epochs : int, default=50
        Maximum number of epochs; the method ends earlier if an epoch has almost no gain.

    Notes
    -----
    Sizes are near the wanted shares, but not always exact: labels come first.
    Labels that more than half of the rows hold are judged and moved by the rows that lack them, as
    in the published code.
    Rows that remain when a label is divided go to the parts that lack most rows; the published
    code gives them to the first parts.
    Labels are judged against parts of the wanted sizes, so that only the labels of rows that moved
    are scored again. Therefore, for rLD and LD, the sizes are treated as one more label. It gets a
    weight when the other labels no longer improve.
    A function gets the actual counts and sizes. For a label that most rows have, it gets the counts
    of the rows without it.
    The published code runs at most 3 epochs and always starts from the same folds; here the seed
    draws them.

    Examples
    --------
    >>> y = evenfold.datasets.make_movies().genres
    >>> s = evenfold.split(y, 5, method=evenfold.methods.OptiSplit(measure="dcp"))
    >>> bool(s.quality.dcp < evenfold.split(y, 5, method="random").quality.dcp / 5)
    True
    """

    name = "optisplit"
    improves = True
    measure: str | LabelMeasure = "rld"
    max_epochs: int = 50

    def __post_init__(self) -> None:
        if not callable(self.measure) and self.measure not in _MEASURES:
            raise InputError(
                f"must be {', '.join(_MEASURES)}, or a function of counts and sizes, got "
                f"{self.measure!r}. Try 'rld'.",
                parameter="measure",
            )
        check_whole(self.max_epochs, "max_epochs", "Leave it out for 50.")

    def count_steps(self, n_units: int, n_entries: int, n_criteria: int, n_parts: int) -> float:
        """Return about how many steps, of a nanosecond or so, one split takes.

        A measure that is a function is called for each label.
        """
        of_function = (
            n_criteria * (50_000 + 20 * n_criteria * n_parts) if callable(self.measure) else 0
        )
        return self.max_epochs * (of_function + 10 * n_entries)

    def place(self, problem: Problem, rng: np.random.Generator) -> NDArray[np.int32]:
        """Return the part of each unit, (n_units,)."""
        start = Random().place(problem, rng) if problem.start is None else problem.start
        state = _LabelBalance(order_criteria(problem, rng), start, self.measure, rng)
        weights_of_sizes = list(_WEIGHTS_OF_SIZES if self.measure in ("rld", "ld") else (0.0,))
        state.weigh_sizes(weights_of_sizes.pop(0))
        for _ in range(self.max_epochs):
            if state.run_epoch() > _LEAST_GAIN_OF_EPOCH * state.total_score:
                continue
            if not weights_of_sizes:
                break
            state.weigh_sizes(weights_of_sizes.pop(0))
        return state.part_of_unit


class _LabelBalance:
    """A split that is balanced label by label; the last label is the number of rows."""

    def __init__(
        self,
        problem: Problem,
        start: NDArray[np.int32],
        measure: str | LabelMeasure,
        rng: np.random.Generator,
    ) -> None:
        self._problem, self._measure, self._rng = problem, measure, rng
        self._by_unit = _keep_smaller_sides(problem)
        n_labels = self._by_unit.shape[1]
        n_labels_of_unit = np.diff(self._by_unit.indptr)
        # NumPy sorts numbers of 8 and 16 bits several times as fast.
        self._n_labels_of_unit = n_labels_of_unit.astype(np.min_scalar_type(n_labels_of_unit.max()))
        self.part_of_unit = start.astype(np.int32)
        indicator = (self.part_of_unit[:, None] == np.arange(problem.n_parts)).astype(np.int64)
        self._count = np.ascontiguousarray(self._by_unit.T @ indicator)
        self._n_in_part = problem.rows_of_unit @ indicator
        self._total = self._count.sum(axis=1)
        self._weight = np.ones(n_labels)
        self._score, self._trial = np.zeros(n_labels), np.zeros(n_labels)
        self._touched, self._is_touched = np.empty(n_labels, np.int64), np.zeros(n_labels, bool)
        self._moved, self._moved_from = (
            np.empty(problem.n_units, np.int32),
            np.empty(problem.n_units, np.int32),
        )

    @property
    def total_score(self) -> float:
        """What is lowered."""
        return float(self._score.sum())

    def weigh_sizes(self, weight: float) -> None:
        """Set the weight of the sizes relative to all labels together, and score all labels."""
        others = self._total[:-1]
        # LD changes with the size of a part by n m / (n - m)², rLD by 1.
        slope = (
            others * self._problem.n_rows / (self._problem.n_rows - others) ** 2
            if self._measure == "ld"
            else np.ones(len(others))
        )
        self._weight[-1] = weight * slope.sum()
        # No change is tried: the present split, with all labels touched, is better than infinite
        # scores.
        n_labels = len(self._score)
        self._score[:] = np.inf
        self._touched[:] = np.arange(n_labels)
        position = np.zeros(5, np.int64)
        position[[N_TRIED, PENDING, N_TOUCHED]] = n_labels, 1, n_labels
        self._run(position)

    def run_epoch(self) -> float:
        """Try every label once and return by how much the sum of all scores fell."""
        before = self.total_score
        position = np.zeros(5, np.int64)
        self._run(position)
        return before - self.total_score if position[N_KEPT] else 0.0

    def _run(self, position: NDArray[np.int64]) -> None:
        """Call the kernel until no change is pending."""
        problem, by_unit = self._problem, self._by_unit
        # Among rows with the same number of labels, a random one moves first.
        order = self._rng.permutation(problem.n_units)
        order = order[np.argsort(self._n_labels_of_unit[order], kind="stable")]
        order = order[problem.fixed[order] < 0]
        by_label = scipy.sparse.csc_array(by_unit[order])
        arguments = (
            Units(
                by_unit.indptr.astype(np.int64, copy=False),
                by_unit.indices,
                by_unit.data,
                problem.rows_of_unit,
            ),
            Members(
                by_label.indptr.astype(np.int64),
                order[by_label.indices].astype(np.int32),
                by_label.data,
            ),
            Targets(self._total, problem.weights, problem.sizes),
            Objective(
                OTHER if callable(self._measure) else _MEASURES[self._measure],
                _LEAST_GAIN,
                self._weight,
            ),
            np.argsort(-self._score, kind="stable"),
            self._rng.permutation(problem.n_parts),
            Placement(self._count, self._n_in_part, self.part_of_unit),
            Change(
                position,
                self._score,
                self._trial,
                self._moved,
                self._moved_from,
                self._touched,
                self._is_touched,
            ),
        )
        kernel = run_epoch.for_work(by_unit.nnz * problem.n_parts)
        while True:
            if position[PENDING] and callable(self._measure):
                self._trial[:-1] = self._measure(self._count[:-1].T.copy(), self._n_in_part.copy())
                # All labels may have changed, through the sizes.
                position[N_TOUCHED] = len(self._touched)
                self._touched[:] = np.arange(len(self._touched))
            kernel(*arguments)
            if not position[PENDING]:
                return


def _keep_smaller_sides(problem: Problem) -> scipy.sparse.csr_array:
    """Return units × labels in whole numbers, and last the rows of each unit.

    A label that most rows have is replaced by the rows without it. A label that every row has is
    left out.
    """
    by_unit = scipy.sparse.csr_array(
        (
            problem.amounts if len(problem.amounts) else np.ones(len(problem.indices), np.int64),
            problem.indices,
            problem.indptr,
        ),
        shape=(problem.n_units, problem.n_criteria),
    )
    total = problem.total_of_criterion
    common = ~problem.is_amount & (2 * total > problem.n_rows)
    turned = [
        problem.rows_of_unit - by_unit[:, [label]].toarray()[:, 0]
        for label in np.flatnonzero(common & (total < problem.n_rows))
    ]
    columns = [
        scipy.sparse.csr_array(column[:, None]) for column in [*turned, problem.rows_of_unit]
    ]
    joined = scipy.sparse.csr_array(
        scipy.sparse.hstack([by_unit[:, ~common], *columns], format="csr")
    )
    joined.sort_indices()
    joined.indptr, joined.indices = joined.indptr.astype(np.int64), joined.indices.astype(np.int32)
    return joined
