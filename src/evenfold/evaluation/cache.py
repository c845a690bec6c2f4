"""What has been evaluated already: one small file for each learner, method and repeat."""

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
from .bench import Bench, Run

Values = list[list[float]]

# Raise it when a run with the same inputs gives other values than before: old files are then
# not read. 2: the seeds of base learners are kept.
RUN_VERSION = 2


class ScoreCache:
    """A folder of values by what they depend on: learner, data, method, folds, seed, metrics, and the versions of what computes them."""

    def __init__(self, folder: str | PathLike[str], bench: Bench) -> None:
        self._folder = Path(folder)
        if self._folder.exists() and not self._folder.is_dir():
            raise InputError(
                f"must be a folder, got the file {self._folder}. Name another.", parameter="cache"
            )
        self._folder.mkdir(parents=True, exist_ok=True)
        labels = bench.labels
        self._common = {
            "evenfold": __version__,
            "run": RUN_VERSION,
            "scikit-learn": sklearn.__version__,
            "data": _name_content(
                (
                    bench.rows,
                    sparse.issparse(bench.table),
                    labels.indptr,
                    labels.indices,
                    labels.n_labels,
                    bench.group_of_row,
                )
            ),
            "parts": bench.n_parts,
            "metrics": [_name_metric(name, metric) for name, metric in bench.metrics.items()],
        }
        self._learners = {
            title: _name_content(clone(learner)) for title, learner in bench.learners.items()
        }
        self._methods = {
            title: f"{method.name}: {method!r}" for title, method in bench.methods.items()
        }

    def read_all(self, runs: Sequence[Run]) -> dict[Run, Any]:
        """Return the values of the runs that are there, whole and of the same things."""
        found = {run: self._read(run) for run in runs}
        return {run: folds for run, folds in found.items() if folds is not None}

    def write(self, run: Run, folds: Values) -> None:
        """Keep the values of a run."""
        key = self._describe(run)
        plain = [[None if np.isnan(value) else value for value in fold] for fold in folds]
        write_whole(self._path(key), (json.dumps({"of": key, "folds": plain}) + "\n").encode())

    def _read(self, run: Run) -> Values | None:
        key = self._describe(run)
        try:
            record = json.loads(self._path(key).read_bytes())
            folds = [
                [float("nan") if value is None else float(value) for value in fold]
                for fold in record["folds"]
            ]
            return folds if record["of"] == key else None
        except (FileNotFoundError, ValueError, LookupError, TypeError):
            return None

    def _describe(self, run: Run) -> dict[str, Any]:
        return {
            **self._common,
            "learner": self._learners[run.learner],
            "method": self._methods[run.method],
            "seed": run.seed,
        }

    def _path(self, key: Mapping[str, Any]) -> Path:
        return (
            self._folder
            / f"{hashlib.sha256(json.dumps(key, sort_keys=True).encode()).hexdigest()[:32]}.json"
        )


def _name_content(value: Any) -> str:
    """Return a short name for the content of arrays, frames and learners."""
    try:
        return str(joblib.hash(value))
    except Exception as error:
        raise InputError(
            f"needs learners and data that can be pickled, got {type(error).__name__}: {error}. Leave out the cache.",
            parameter="cache",
        ) from None


def _name_metric(name: str, metric: Metric) -> str:
    """Return the name of a metric with its function and what that is told."""
    told = []
    function: Any = metric.function
    while isinstance(function, partial):
        told += [f"{key}={value!r}" for key, value in function.keywords.items()]
        function = function.func
    return f"{name}: {function.__module__}.{function.__qualname__}({', '.join(told)}) of {metric.needs}"
