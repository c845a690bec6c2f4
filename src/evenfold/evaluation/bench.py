"""Bench: all that runs have in common: rows, labels, learners, methods, metrics."""

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
class Bench:
    """What is evaluated.

    Attributes
    ----------
    rows : (n_rows, n_features) as learners are given them
    table : (n_rows, n_labels) the labels as learners are given them, 0/1
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
        """Yield the folds of each run; runs of the same method and seed, which must come together, have the same folds."""
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
