"""One learner on one fold: fit, predict, score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import clone
from sklearn.utils import _safe_indexing

from ..learn.seeds import list_seed_parameters, set_missing_seeds
from ..metrics.names import Metric

# Errors of learners are shown in notes and tables, where a whole traceback has no place.
_MAX_ERROR_LENGTH = 300


class Task(NamedTuple):
    """A learner to fit on the rows `train` and to score on the rows `test`."""

    learner: Any
    train: NDArray[np.int64]
    test: NDArray[np.int64]
    seed: Sequence[int]


def score_fold(
    task: Task, rows: Any, labels: Any, metrics: Mapping[str, Metric]
) -> list[float] | str:
    """Return the values of the metrics; if the learner fails, its error in one line."""
    try:
        learner = set_seeds(clone(task.learner), task.seed)
        learner.fit(_safe_indexing(rows, task.train), labels[task.train])
        return _score(learner, _safe_indexing(rows, task.test), labels[task.test], metrics)
    except Exception as error:
        return f"{type(error).__name__}: {' '.join(str(error).split())}"[:_MAX_ERROR_LENGTH]


def set_seeds(learner: Any, seed: Sequence[int]) -> Any:
    """Give seeds to the learner and to what is inside it, where they have none.

    So the same evaluation gives the same values. Seeds that the user set are kept.
    """
    params = learner.get_params()
    unseeded = [name for name in list_seed_parameters(learner) if params[name] is None]
    # 31 bits, which every estimator takes.
    drawn = np.random.SeedSequence(list(seed)).generate_state(len(unseeded)) >> 1
    set_missing_seeds(learner, dict(zip(unseeded, drawn.tolist(), strict=True)))
    return learner


def _score(learner: Any, rows: Any, truth: Any, metrics: Mapping[str, Metric]) -> list[float]:
    needed = {metric.needs for metric in metrics.values()}
    given: dict[str, Any] = {}
    if "labels" in needed:
        given["labels"] = _as_table(learner.predict(rows))
    if needed - {"labels"}:
        given |= _read_scores(learner, rows, truth.shape[1])
    return [
        float(metric.function(truth, given[metric.needs]))
        if metric.needs in given
        else float("nan")
        for metric in metrics.values()
    ]


def _read_scores(learner: Any, rows: Any, n_labels: int) -> dict[str, Any]:
    """Return probabilities, which are scores too, or else decisions; nothing if there are none."""
    if hasattr(learner, "predict_proba"):
        probabilities = _read_probabilities(learner.predict_proba(rows), learner, n_labels)
        return {"probabilities": probabilities, "scores": probabilities}
    if hasattr(learner, "decision_function"):
        return {"scores": _as_table(learner.decision_function(rows))}
    return {}


def _read_probabilities(probabilities: Any, learner: Any, n_labels: int) -> Any:
    """Return the probability of each label as one table.

    scikit-learn's own learners return the probabilities of the classes 0 and 1 for each label. A
    class that no training row has is missing there, and has probability 0.
    """
    if isinstance(probabilities, list):
        return np.column_stack(
            [
                _read_class_1(own, classes)
                for own, classes in zip(probabilities, learner.classes_, strict=True)
            ]
        )
    if n_labels == 1 and probabilities.shape[1] == len(learner.classes_) == 2:
        return _as_table(_read_class_1(probabilities, learner.classes_))
    return probabilities


def _read_class_1(probabilities: NDArray[Any], classes: Any) -> NDArray[Any]:
    place = np.flatnonzero(np.asarray(classes) == 1)
    return probabilities[:, place[0]] if len(place) else np.zeros(len(probabilities))


def _as_table(values: Any) -> Any:
    """Return a single label as a table of one column."""
    if sparse.issparse(values) or np.ndim(values) != 1:
        return values
    return np.asarray(values).reshape(-1, 1)
