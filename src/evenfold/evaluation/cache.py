"""A folder of predictions that have been made before: one file for each run."""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Sequence
from io import BytesIO
from os import PathLike
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

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
from .predictions import Cells, Prediction

# Raise it when a run with the same inputs gives other predictions than before: old files are then
# not read. 2: the seeds of base learners are kept.
RUN_VERSION = 2
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
        self._n_fits = plan.n_fits
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
            title: _hash_content(clone(learner)) for title, learner in experiment.learners.items()
        }
        self._methods = {
            title: f"{method.name}: {method!r}" for title, method in experiment.methods.items()
        }

    def write(self, run: Run, fits: Sequence[Prediction]) -> None:
        """Write the predictions of all fits of a run."""
        key = self._make_key(run, self._outputs)
        arrays: dict[str, Any] = {"key": np.array(key)}
        for number, fit in enumerate(fits):
            arrays[f"{number} rows"] = fit.rows
            arrays[f"{number} is probability"] = np.array(fit.has_probabilities)
            arrays |= _pack(f"{number} labels", fit.labels)
            arrays |= _pack(f"{number} scores", fit.scores)
        content = BytesIO()
        np.savez_compressed(content, **arrays)
        write_whole(self._path(key), content.getvalue())

    def read(self, run: Run) -> list[Prediction] | None:
        """Return the predictions of each fit of a run; None if the folder has none undamaged.

        If only labels, or only scores, are needed, a file that has both will do.
        """
        found = self._read(self._make_key(run, self._outputs))
        if found is None and self._outputs != _ALL_OUTPUTS:
            found = self._read(self._make_key(run, _ALL_OUTPUTS))
        return found

    def _read(self, key: str) -> list[Prediction] | None:
        try:
            content = BytesIO(self._path(key).read_bytes())
            with np.load(content, allow_pickle=False) as arrays:
                if arrays["key"].item() != key:
                    return None
                return [self._read_fit(arrays, number) for number in range(self._n_fits)]
        except (FileNotFoundError, ValueError, LookupError, EOFError, BadZipFile, zlib.error):
            return None

    @staticmethod
    def _read_fit(arrays: Any, number: int) -> Prediction:
        rows = arrays[f"{number} rows"]
        return Prediction(
            rows,
            np.full(len(rows), number),
            _unpack(f"{number} labels", arrays),
            _unpack(f"{number} scores", arrays),
            bool(arrays[f"{number} is probability"]),
        )

    def _make_key(self, run: Run, outputs: Sequence[str]) -> str:
        key = {
            **self._common,
            "outputs": outputs,
            "learner": self._learners[run.learner],
            "method": self._methods[run.method],
            "seed": run.seed,
        }
        return json.dumps(key, sort_keys=True)

    def _path(self, key: str) -> Path:
        return self._folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.npz"


def _name_output(metric: Metric) -> str:
    return "labels" if metric.needs == "labels" else "scores"


def _pack(name: str, cells: Cells) -> dict[str, Any]:
    """Return the arrays of labels or scores: the cells, or those of a sparse matrix."""
    if cells is None:
        return {}
    if isinstance(cells, np.ndarray):
        return {name: cells}
    return {
        f"{name} shape": np.array(cells.shape),
        f"{name} data": cells.data,
        f"{name} indices": cells.indices,
        f"{name} indptr": cells.indptr,
    }


def _unpack(name: str, arrays: Any) -> Cells:
    if name in arrays:
        cells: Cells = arrays[name]
        return cells
    if f"{name} data" not in arrays:
        return None
    data, indices, indptr = (arrays[f"{name} {part}"] for part in ("data", "indices", "indptr"))
    return sparse.csr_array((data, indices, indptr), shape=tuple(arrays[f"{name} shape"]))


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
