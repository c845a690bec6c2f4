"""A folder of predictions that have been made before: one file for each run."""

from __future__ import annotations

import hashlib
import json
import warnings
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import joblib
import sklearn
from scipy import sparse

from .. import __version__
from .._atomic import write_whole
from ..exceptions import CacheWarning, InputError
from ..learn.seeds import copy_estimator
from ..methods.method import AdaptedMethod, Method
from ..metrics.names import Metric
from .experiment import Experiment, Run
from .kept_predictions import UNREADABLE, pack_predictions, read_predictions
from .predictions import Prediction

# Raise it when a run with the same inputs gives other predictions than before: old files are then
# not read. 2: the seeds of base learners are kept. 3: CatBoost gets seeds.
RUN_VERSION = 3
# What metrics need: the predicted labels, and scores or probabilities.
_ALL_OUTPUTS = ["labels", "scores"]


class PredictionCache:
    """The predictions of runs, kept by everything that they depend on.

    That is the learner, data, method, parts, seed, and the versions of the packages. The metrics
    are computed from predictions, so other metrics need no new fits.
    """

    def __init__(self, folder: str | PathLike[str], experiment: Experiment) -> None:
        self._folder = Path(folder)
        if self._folder.exists() and not self._folder.is_dir():
            raise InputError(
                f"must be a folder, got the file {self._folder}. Name another.",
                parameter="cache",
            )
        self._folder.mkdir(parents=True, exist_ok=True)
        labels, plan = experiment.labels, experiment.plan
        data = (
            experiment.rows,
            sparse.issparse(experiment.table),
            labels.indptr,
            labels.indices,
            labels.n_labels,
            plan.group_of_row,
        )
        self._experiment = experiment
        self._common = {
            "evenfold": __version__,
            "run": RUN_VERSION,
            "scikit-learn": sklearn.__version__,
            "data": _hash_content(data),
            "parts": plan.parts.weights.tolist(),
            "folds": plan.n_folds,
            "balance": _hash_content(list(plan.balance)) if plan.balance else None,
            "order": plan.order,
        }
        self._outputs = sorted({_name_output(metric) for metric in experiment.metrics.values()})
        self._learners = {
            title: _hash_content(copy_estimator(learner))
            for title, learner in experiment.learners.items()
        }

    def write(self, run: Run, fits: Sequence[Prediction]) -> None:
        """Write the predictions of all fits of a run."""
        key = self._make_key(run, self._outputs)
        write_whole(self._path(key), pack_predictions(key, fits))

    def read(self, run: Run) -> list[Prediction] | None:
        """Return the predictions of each fit of a run; None if the folder has none undamaged.

        If only labels, or only scores, are needed, a file that has both will do.
        """
        found = self._read(self._make_key(run, self._outputs))
        if found is None and self._outputs != _ALL_OUTPUTS:
            found = self._read(self._make_key(run, _ALL_OUTPUTS))
        return found

    def _read(self, key: str) -> list[Prediction] | None:
        path = self._path(key)
        if not path.exists():
            return None
        labels = self._experiment.labels
        try:
            return read_predictions(
                path, key, self._experiment.plan.n_fits, labels.n_rows, labels.n_labels
            )
        except UNREADABLE as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            warnings.warn(
                f"{path} in the cache is damaged ({reason}). Its predictions are made anew.",
                CacheWarning,
                stacklevel=2,
            )
            return None

    def _make_key(self, run: Run, outputs: Sequence[str]) -> str:
        key = {
            **self._common,
            "outputs": outputs,
            "learner": self._learners[run.learner],
            "method": self._name_folds(run),
            "seed": run.seed,
        }
        return json.dumps(key, sort_keys=True)

    def _name_folds(self, run: Run) -> str:
        """Return what the folds of a run depend on, or a hash of them.

        Methods of evenfold are known by their settings. What another method depends on cannot be
        known, so its folds are made.
        """
        method = self._experiment.methods[run.method]
        is_own = type(method).__module__.startswith(f"{Method.__module__.rpartition('.')[0]}.")
        if is_own and not isinstance(method, AdaptedMethod):
            return f"{method.name}: {method!r}"
        fits = self._experiment.plan.make_fits(self._experiment.labels, method, run.seed)
        return f"{method.name}: {_hash_content(fits)}"

    def _path(self, key: str) -> Path:
        return self._folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.npz"


def _name_output(metric: Metric) -> str:
    return "labels" if metric.needs == "labels" else "scores"


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
