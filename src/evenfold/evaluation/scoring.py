"""One learner on one fold: fit, predict, score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import _safe_indexing

from ..learn.seeds import list_seed_parameters, set_missing_seeds
from ..metrics.names import Metric
from .predictions import Prediction, predict

# Errors of learners are shown in notes and tables, where a whole traceback has no place.
_MAX_ERROR_LENGTH = 300


class Task(NamedTuple):
    """A learner to fit on the rows `train` and to score on the rows `test`."""

    learner: Any
    train: NDArray[np.int64]
    test: NDArray[np.int64]
    seed: int
    fold: int


class ScoredFold(NamedTuple):
    """The predictions for the test rows of one fold, and the value of each metric on them."""

    prediction: Prediction
    values: list[float]


def score_fold(
    task: Task, rows: Any, table: Any, metrics: Mapping[str, Metric]
) -> ScoredFold | str:
    """Return predictions and values; if the learner fails, its error in one line."""
    try:
        learner = set_seeds(clone(task.learner), (task.seed, task.fold))
        learner.fit(_safe_indexing(rows, task.train), table[task.train])
        needs = {metric.needs for metric in metrics.values()}
        features = _safe_indexing(rows, task.test)
        prediction = predict(learner, features, task.test, task.fold, table.shape[1], needs)
        return ScoredFold(prediction, compute_values(table, prediction, metrics))
    except Exception as error:
        return f"{type(error).__name__}: {' '.join(str(error).split())}"[:_MAX_ERROR_LENGTH]


def compute_values(
    table: Any, prediction: Prediction, metrics: Mapping[str, Metric]
) -> list[float]:
    """Return the value of each metric on the predicted rows; NaN without what it needs.

    `table` has the true labels of all rows.
    """
    truth = table[prediction.rows]
    values = []
    for metric in metrics.values():
        given = prediction.give(metric.needs)
        values.append(float("nan") if given is None else float(metric.function(truth, given)))
    return values


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
