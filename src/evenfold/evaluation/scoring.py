"""One learner on one fold: fit, predict, score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..learn.base_fits import adapt_rows, fit_base
from ..learn.features import take_rows
from ..learn.seeds import copy_estimator, read_seeds, set_missing_seeds
from ..metrics.names import Metric
from .predictions import Prediction, join_folds, predict

# Errors of learners are shown in notes and tables, where a whole traceback has no place.
_MAX_ERROR_LENGTH = 300


class Task(NamedTuple):
    """A learner to fit on the rows `train` and to score on the rows `test`."""

    learner: Any
    train: NDArray[np.int64]
    test: NDArray[np.int64]
    seed: int
    fold: int


class ScoredRows(NamedTuple):
    """The predictions for the test rows of one fold, or of all folds, and their scores.

    Attributes
    ----------
    prediction : Prediction
        The predictions.
    values : list of float
        The value of each metric; NaN without what it needs.
    values_of_rows : list of ndarray or None
        For each metric that is a mean over rows, the value of each row.
    """

    prediction: Prediction
    values: list[float]
    values_of_rows: list[NDArray[np.float64] | None]


def score_fold(
    task: Task, rows: Any, table: Any, metrics: Mapping[str, Metric]
) -> ScoredRows | str:
    """Return predictions and values; if the learner fails, its error in one line."""
    try:
        learner = set_seeds(copy_estimator(task.learner), (task.seed, task.fold))
        rows = adapt_rows(rows, learner)
        fit_base(learner, take_rows(rows, task.train), table[task.train], None)
        needs = {metric.needs for metric in metrics.values()}
        features = take_rows(rows, task.test)
        prediction = predict(learner, features, task.test, task.fold, table.shape[1], needs)
        return score_prediction(table, prediction, metrics)
    except Exception as error:
        return f"{type(error).__name__}: {' '.join(str(error).split())}"[:_MAX_ERROR_LENGTH]


def score_prediction(
    table: Any, prediction: Prediction, metrics: Mapping[str, Metric]
) -> ScoredRows:
    """Return the prediction with the value of each metric. `table` has the labels of all rows."""
    truth = table[prediction.rows]
    values_of_rows: list[NDArray[np.float64] | None] = []
    for metric in metrics.values():
        given, measure = prediction.give(metric.needs), metric.values_of_rows
        values_of_rows.append(None if given is None or measure is None else measure(truth, given))
    return _score(truth, prediction, metrics, values_of_rows)


def score_folds(
    table: Any, folds: Sequence[ScoredRows], metrics: Mapping[str, Metric]
) -> ScoredRows:
    """Return the predictions of all folds as one, with the value of each metric."""
    prediction = join_folds([fold.prediction for fold in folds])
    order = np.argsort(np.concatenate([fold.prediction.rows for fold in folds]), kind="stable")
    values_of_rows = [
        None if any(own is None for own in of_folds) else np.concatenate(of_folds)[order]
        for of_folds in zip(*(fold.values_of_rows for fold in folds), strict=True)
    ]
    return _score(table[prediction.rows], prediction, metrics, values_of_rows)


def _score(
    truth: Any,
    prediction: Prediction,
    metrics: Mapping[str, Metric],
    values_of_rows: list[NDArray[np.float64] | None],
) -> ScoredRows:
    values = []
    for metric, of_rows in zip(metrics.values(), values_of_rows, strict=True):
        given = prediction.give(metric.needs)
        if of_rows is not None:
            values.append(float(of_rows.mean()))
        else:
            values.append(float("nan") if given is None else float(metric.function(truth, given)))
    return ScoredRows(prediction, values, values_of_rows)


def set_seeds(learner: Any, seed: Sequence[int]) -> Any:
    """Give seeds to the learner and to what is inside it, where they have none.

    So the same evaluation gives the same values. Seeds that the user set are kept.
    """
    unseeded = [name for name, value in read_seeds(learner).items() if value is None]
    # 31 bits, which every estimator takes.
    drawn = np.random.SeedSequence(list(seed)).generate_state(len(unseeded)) >> 1
    set_missing_seeds(learner, dict(zip(unseeded, drawn.tolist(), strict=True)))
    return learner
