"""The split that optisplit improves: its scores, and the epochs that balance label after label."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy
from numpy.typing import NDArray

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
    run_published_epoch,
)
from .._kernels.units import Units
from ..problem.problem import Problem

MEASURES = {"rld": RLD, "dcp": DCP, "ld": LD}
# A gain up to this, in the sum over labels, is a rounding error.
_LEAST_GAIN = 1e-9
# Scores that agree to this many digits count as equal when labels are sorted again.
_DIGITS = 9

# (n_parts, n_labels) rows of each label in each part and (n_parts,) rows in each part → (n_labels,)
# how uneven each label is.
LabelMeasure = Callable[[NDArray[np.int64], NDArray[np.int64]], NDArray[np.float64]]


class LabelBalance:
    """A split that is balanced label by label; the last label is the number of rows.

    Parameters
    ----------
    problem : Problem
        Units × labels and the wanted sizes.
    start : NDArray[np.int32]
        (n_units,) the part of each unit at the start.
    measure : str or callable
        What is lowered, summed over labels.
    published : bool
        Whether epochs are those of the published code. It does not try to balance the sizes.
    rng : np.random.Generator
        Breaks ties; the published code breaks them by the order of rows and parts.
    """

    def __init__(
        self,
        problem: Problem,
        start: NDArray[np.int32],
        measure: str | LabelMeasure,
        published: bool,
        rng: np.random.Generator,
    ) -> None:
        self._problem, self._measure, self._published, self._rng = problem, measure, published, rng
        self._by_unit = _choose_sides(problem, published)
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

    @property
    def _n_tries(self) -> int:
        """Number of labels that an epoch tries; the published code leaves out the last one."""
        return len(self._score) - self._published

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
        self._score[:] = np.inf
        self._touched[:] = np.arange(len(self._score))
        position = np.zeros(5, np.int64)
        position[[N_TRIED, PENDING, N_TOUCHED]] = self._n_tries, 1, len(self._score)
        self._run(position)

    def run_epoch(self) -> float:
        """Try every label once and return by how much the sum of all scores fell."""
        before = self.total_score
        position = np.zeros(5, np.int64)
        self._run(position)
        return before - self.total_score if position[N_KEPT] else 0.0

    def _sort_labels(self, labels: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the labels sorted by their scores, the worst first, equal ones as they were."""
        score = np.round(self._score, _DIGITS) if self._published else self._score
        return labels[np.argsort(-score[labels], kind="stable")]

    def _permute(self, n: int) -> NDArray[np.int64]:
        """Return the order in which units or parts come among equal ones."""
        return np.arange(n) if self._published else self._rng.permutation(n)

    def _run(self, position: NDArray[np.int64]) -> None:
        """Call the kernel until all labels are tried and no change is pending."""
        problem, by_unit = self._problem, self._by_unit
        label_order = self._sort_labels(np.arange(self._n_tries))
        order = self._permute(problem.n_units)
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
                OTHER if callable(self._measure) else MEASURES[self._measure],
                _LEAST_GAIN,
                self._weight,
            ),
            label_order,
            self._permute(problem.n_parts),
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
        n_steps = by_unit.nnz * problem.n_parts
        if self._published:
            n_steps += len(self._score) ** 2 * problem.n_parts
        epoch = run_published_epoch if self._published else run_epoch
        kernel = epoch.for_work(n_steps)
        while True:
            if position[PENDING] and callable(self._measure):
                self._trial[:-1] = self._measure(self._count[:-1].T.copy(), self._n_in_part.copy())
                # All labels may have changed, through the sizes.
                position[N_TOUCHED] = len(self._touched)
                self._touched[:] = np.arange(len(self._touched))
            kernel(*arguments)
            if position[PENDING]:
                continue
            if position[N_TRIED] == self._n_tries:
                return
            label_order[:] = self._sort_labels(label_order)


def _choose_sides(problem: Problem, published: bool) -> scipy.sparse.csr_array:
    """Return units × labels in whole numbers, and last the rows of each unit.

    A label that most rows have is replaced by the rows without it. The published code is meant to
    do so too, but its index is always 0: it replaces the first label instead. Here it replaces
    none. A label that every row has is left out.
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
    is_common = total == problem.n_rows if published else 2 * total > problem.n_rows
    common = ~problem.is_amount & is_common
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
