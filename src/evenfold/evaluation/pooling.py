"""Pooling: the predictions of all folds of a run, scored once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from .bootstrap import Counts, resample_metrics
from .experiment import Experiment
from .predictions import Cells, Prediction
from .scoring import ScoredRows, score_folds

# Sums of squares below this share of the total are rounding errors.
_ROUNDING = 1e-12
# How rarely scores on one scale are taken for others, by chance.
_ERROR_RATE = 0.001


class Scores(NamedTuple):
    """The value of each metric on some rows, and on samples of them.

    Attributes
    ----------
    values : ndarray
        The value of each metric, (n_metrics,); of several runs, (n_runs, n_metrics).
    resampled : ndarray
        Its values on samples of the rows, (n_metrics, n_samples); of several runs, (n_runs,
        n_metrics, n_samples).
    """

    values: NDArray[np.float64]
    resampled: NDArray[np.float64]


def stack_scores(scores: Sequence[Scores], n_metrics: int) -> Scores:
    """Return the scores of several runs as one."""
    if not scores:
        return Scores(np.empty((0, n_metrics)), np.empty((0, n_metrics, 0)))
    return Scores(
        np.stack([own.values for own in scores]), np.stack([own.resampled for own in scores])
    )


class ScoredRun(NamedTuple):
    """The scores of one run.

    Attributes
    ----------
    folds : list of list of float
        The values of each fold: (n_folds, n_metrics).
    pooled : Scores
        The scores of the predictions for all test rows.
    held_out : Scores or None
        The scores on the holdout, of a learner fitted on all folds.
    scale_shift : float
        How much the scores differ between folds, as `compare_scales` says.
    lacking : dict of str to str
        The metrics whose input the learner does not have, and that input: scores, probabilities.
    prediction : Prediction or None
        The predictions for all test rows of the folds; None if they are not kept.
    """

    folds: list[list[float]]
    pooled: Scores
    held_out: Scores | None
    scale_shift: float
    lacking: dict[str, str]
    prediction: Prediction | None


def score_run(experiment: Experiment, fits: Sequence[ScoredRows], counts: Counts) -> ScoredRun:
    """Pool the predictions of the folds of a run, and score them and the holdout."""
    n_pooled = experiment.plan.n_pooled
    folds, rest = fits[:n_pooled], fits[n_pooled:]
    metrics, group_of_row = experiment.metrics, experiment.plan.group_of_row
    pooled = score_folds(experiment.table, folds, metrics)
    prediction = pooled.prediction
    compares_rows = any(metric.compares_rows for metric in metrics.values())
    return ScoredRun(
        [fold.values for fold in folds],
        _resample(experiment, pooled, counts),
        _resample(experiment, rest[0], counts) if rest else None,
        compare_scales(prediction, group_of_row) if compares_rows else float("nan"),
        {
            name: metric.needs
            for name, metric in metrics.items()
            if prediction.give(metric.needs) is None
        },
        prediction,
    )


def compare_scales(prediction: Prediction, group_of_row: NDArray[np.int64] | None = None) -> float:
    """Compare the scores of different folds: are they on one scale.

    It is an analysis of variance with the sums of squares of all labels added up. Rows of a group
    are not independent, so each group counts once, with its mean score.

    Returns
    -------
    float
        The standard deviation of the mean score between folds, without its part that is due to
        chance, divided by that of scores within folds. 0 if chance explains the difference; NaN
        without scores or with one fold.
    """
    from scipy import stats

    scores, fold = prediction.scores, prediction.fold
    n_folds = int(fold.max(initial=-1)) + 1
    if scores is None or n_folds < 2:
        return float("nan")
    if group_of_row is not None:
        _, first, unit_of_row = np.unique(
            group_of_row[prediction.rows], return_index=True, return_inverse=True
        )
        scores, fold = _average_rows(scores, unit_of_row), fold[first]
    n_units = len(fold)
    if n_units <= n_folds:
        return float("nan")
    means, sizes = _average_rows(scores, fold), np.bincount(fold)
    means = means.toarray() if isinstance(means, sparse.csr_array) else means
    mean = sizes @ means / n_units
    between = float((sizes[:, None] * (means - mean) ** 2).sum())
    stored = scores.data if isinstance(scores, sparse.csr_array) else scores
    squares = float(np.vdot(stored, stored))
    within = max(0.0, squares - float((sizes[:, None] * means**2).sum()))
    if between <= _ROUNDING * squares:
        return 0.0
    if within <= _ROUNDING * squares:
        return float("inf")
    ratio = (between / (n_folds - 1)) / (within / (n_units - n_folds))
    if ratio <= stats.f.ppf(1 - _ERROR_RATE, n_folds - 1, n_units - n_folds):
        return 0.0
    size_of_fold = (n_units - (sizes**2).sum() / n_units) / (n_folds - 1)
    return float(np.sqrt((ratio - 1) / size_of_fold))


def _average_rows(scores: Cells, number_of_row: NDArray[Any]) -> Cells:
    """Return the mean of the rows of each number, (n_numbers, n_labels), sparse as the scores."""
    n_rows, sizes = len(number_of_row), np.bincount(number_of_row)
    weights = 1.0 / sizes[number_of_row]
    return (
        sparse.csr_array((weights, (number_of_row, np.arange(n_rows))), shape=(len(sizes), n_rows))
        @ scores
    )


def _resample(experiment: Experiment, scored: ScoredRows, counts: Counts) -> Scores:
    return Scores(
        np.array(scored.values),
        resample_metrics(experiment.table, scored, experiment.metrics, counts),
    )
