"""Experiment: what is evaluated, and the runs and tasks that it consists of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ..labels.labels import Labels
from ..methods import Method
from ..metrics.names import Metric
from ..splits.make_split import make_split
from .scoring import Task


class Run(NamedTuple):
    """One learner on the folds that one method makes with one seed."""

    learner: str
    method: str
    seed: int


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
    rows : array-like or sparse matrix
        The features that learners get, (n_rows, n_features).
    table : ndarray or csr_array
        The labels that learners get, (n_rows, n_labels) of 0 and 1.
    labels : Labels
        The labels that methods get.
    n_parts : int
        The number of folds.
    group_of_row : ndarray or None
        The number of the group of each row, (n_rows,).
    """

    learners: Mapping[str, Any]
    methods: Mapping[str, Method]
    metrics: Mapping[str, Metric]
    rows: Any
    table: NDArray[np.int8] | sparse.csr_array
    labels: Labels
    n_parts: int
    group_of_row: NDArray[np.int64] | None

    def make_tasks(self, runs: Sequence[Run]) -> Iterator[Task]:
        """Make the tasks of each run, one for each fold.

        Adjacent runs of the same method and seed have the same folds.

        Parameters
        ----------
        runs : sequence of Run
            The runs.

        Yields
        ------
        Task
            The folds of the first run, of the second run, ….
        """
        for (method, seed), own in groupby(runs, key=lambda run: (run.method, run.seed)):
            split = make_split(
                self.labels,
                self.n_parts,
                groups=self.group_of_row,
                method=self.methods[method],
                random_state=seed,
            )
            folds = list(split.folds())
            for run in own:
                for number, (train, test) in enumerate(folds):
                    yield Task(self.learners[run.learner], train, test, (seed, number))
