"""Experiment: what is evaluated, and the runs and tasks that it consists of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ..labels.balances import Balance
from ..labels.labels import Labels
from ..methods import Method
from ..methods.orders import Order
from ..metrics.names import Metric
from ..problem.parts import Parts
from ..splits.make_split import make_split
from .scoring import Task


class Run(NamedTuple):
    """One learner on the folds that one method makes with one seed."""

    learner: str
    method: str
    seed: int


@dataclass(frozen=True, eq=False)
class Plan:
    """How rows are split, and which parts learners are fitted on and scored on.

    Attributes
    ----------
    parts : Parts
        The parts; a holdout is the last one.
    n_folds : int
        How many of the first parts are folds: each is the test part once, with a learner fitted
        on the other folds. 0 for train/test and train/val/test: a learner is fitted on the first
        part and scored on the last.
    group_of_row : ndarray or None
        The number of the group of each row, (n_rows,).
    balance : sequence of Balance
        What is kept even besides labels.
    order : 1, 2, "auto" or None
        What the method keeps even, as for `split`.
    """

    parts: Parts
    n_folds: int
    group_of_row: NDArray[np.int64] | None
    balance: Sequence[Balance]
    order: Order | None

    @property
    def has_holdout(self) -> bool:
        """Whether a learner is also fitted on all folds and scored on the last part."""
        return 0 < self.n_folds < len(self.parts)

    @property
    def n_pooled(self) -> int:
        """Number of fits whose test rows are pooled: the folds, or one."""
        return self.n_folds or 1

    @property
    def n_fits(self) -> int:
        """Number of fits of a learner on one split."""
        return self.n_pooled + self.has_holdout

    def make_fits(
        self, labels: Labels, method: Method, seed: int
    ) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Split the rows, and return the training and test rows of each fit, the holdout last."""
        split = make_split(
            labels,
            self.parts,
            groups=self.group_of_row,
            balance=self.balance,
            order=self.order,
            method=method,
            random_state=seed,
            n_folds=self.n_folds or None,
        )
        if not self.n_folds:
            return [(split[split.names[0]], split[split.names[-1]])]
        fits = list(split.folds())
        if self.has_holdout:
            is_test = split.part_of_row >= self.n_folds
            fits.append((np.flatnonzero(~is_test), np.flatnonzero(is_test)))
        return fits


@dataclass(frozen=True, eq=False)
class Experiment:
    """The learners, methods, metrics and data of an evaluation.

    Attributes
    ----------
    learners : mapping of str to estimator
        The learners by title.
    methods : mapping of str to Method
        The methods by title.
    metrics : mapping of str to Metric
        The metrics by name.
    rows : array-like, sparse matrix, frame or list
        The features that learners get, one row for each row of the labels.
    table : ndarray or csr_array
        The labels that learners get, (n_rows, n_labels) of 0 and 1.
    labels : Labels
        The labels that methods get.
    plan : Plan
        How the rows are split.
    """

    learners: Mapping[str, Any]
    methods: Mapping[str, Method]
    metrics: Mapping[str, Metric]
    rows: Any
    table: NDArray[np.int8] | sparse.csr_array
    labels: Labels
    plan: Plan

    def make_tasks(self, runs: Sequence[Run]) -> Iterator[Task]:
        """Make the tasks of each run, one for each fit.

        Adjacent runs of the same method and seed have the same folds.

        Parameters
        ----------
        runs : sequence of Run
            The runs.

        Yields
        ------
        Task
            The fits of the first run, of the second run, ….
        """
        for (method, seed), own in groupby(runs, key=lambda run: (run.method, run.seed)):
            fits = self.plan.make_fits(self.labels, self.methods[method], seed)
            for run in own:
                for fold, (train, test) in enumerate(fits):
                    yield Task(self.learners[run.learner], train, test, seed, fold)
