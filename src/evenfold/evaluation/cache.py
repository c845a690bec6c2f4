"""A folder of values that have been computed before: one small file for each run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import sklearn
from scipy import sparse
from sklearn.base import clone

from .. import __version__
from .._atomic import write_whole
from ..exceptions import InputError
from ..metrics.names import Metric
from .experiment import Experiment, Run

# One value for each metric in each fold.
Values = list[list[float]]

# Raise it when a run with the same inputs gives other values than before: old files are then
# not read. 2: the seeds of base learners are kept.
RUN_VERSION = 2


class ScoreCache:
    """The values of runs, kept by everything that they depend on.

    That is the learner, data, method, folds, seed, metrics, and the versions of the packages.
    """

    def __init__(self, folder: str | PathLike[str], experiment: Experiment) -> None:
        self._folder = Path(folder)
        if self._folder.exists() and not self._folder.is_dir():
            raise InputError(
                f"must be a folder, got the file {self._folder}. Name another.", parameter="cache"
            )
        self._folder.mkdir(parents=True, exist_ok=True)
        labels = experiment.labels
        data = (
            experiment.rows,
            sparse.issparse(experiment.table),
            labels.indptr,
            labels.indices,
            labels.n_labels,
            experiment.group_of_row,
        )
        self._common = {
            "evenfold": __version__,
            "run": RUN_VERSION,
            "scikit-learn": sklearn.__version__,
            "data": _hash_content(data),
            "parts": experiment.n_parts,
            "metrics": [_describe_metric(name, own) for name, own in experiment.metrics.items()],
        }
        self._learners = {
            title: _hash_content(clone(learner)) for title, learner in experiment.learners.items()
        }
        self._methods = {
            title: f"{method.name}: {method!r}" for title, method in experiment.methods.items()
        }

    def read_all(self, runs: Sequence[Run]) -> dict[Run, Any]:
        """Return the values of the runs that are in the folder and undamaged."""
        found = {run: self._read(run) for run in runs}
        return {run: folds for run, folds in found.items() if folds is not None}

    def write(self, run: Run, folds: Values) -> None:
        """Write the values of a run."""
        key = self._make_key(run)
        plain = [[None if np.isnan(value) else value for value in fold] for fold in folds]
        write_whole(self._path(key), (json.dumps({"of": key, "folds": plain}) + "\n").encode())

    def _read(self, run: Run) -> Values | None:
        key = self._make_key(run)
        try:
            record = json.loads(self._path(key).read_bytes())
            folds = [
                [float("nan") if value is None else float(value) for value in fold]
                for fold in record["folds"]
            ]
            return folds if record["of"] == key else None
        except (FileNotFoundError, ValueError, LookupError, TypeError):
            return None

    def _make_key(self, run: Run) -> dict[str, Any]:
        return {
            **self._common,
            "learner": self._learners[run.learner],
            "method": self._methods[run.method],
            "seed": run.seed,
        }

    def _path(self, key: Mapping[str, Any]) -> Path:
        digest = hashlib.sha256(json.dumps(key, sort_keys=True).encode()).hexdigest()
        return self._folder / f"{digest[:32]}.json"


def _hash_content(value: Any) -> str:
    """Return a hash of the content of arrays, frames and learners."""
    try:
        return str(joblib.hash(value))
    except Exception as error:
        raise InputError(
            "needs learners and data that can be pickled, "
            f"got {type(error).__name__}: {error}. Leave out the cache.",
            parameter="cache",
        ) from None


def _describe_metric(name: str, metric: Metric) -> str:
    """Return the name of a metric with its function and the keywords of its function."""
    keywords = []
    function: Any = metric.function
    while isinstance(function, partial):
        keywords += [f"{key}={value!r}" for key, value in function.keywords.items()]
        function = function.func
    call = f"{function.__module__}.{function.__qualname__}({', '.join(keywords)})"
    return f"{name}: {call} of {metric.needs}"
