"""Pooling: the predictions of all folds of a run, scored once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from .bootstrap import Counts, resample_metrics
from .experiment import Experiment
from .predictions import Prediction
from .scoring import ScoredRows, score_folds

# Sums of squares below this share of the total are rounding errors.
_ROUNDING = 1e-12


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
    scale_ratio : float
        How much the scores differ between folds, as `compare_scales` says.
    prediction : Prediction or None
        The predictions for all test rows of the folds; None if they are not kept.
    """

    folds: list[list[float]]
    pooled: Scores
    held_out: Scores | None
    scale_ratio: float
    prediction: Prediction | None


def score_run(experiment: Experiment, fits: Sequence[ScoredRows], counts: Counts) -> ScoredRun:
    """Pool the predictions of the folds of a run, and score them and the holdout."""
    n_pooled = experiment.plan.n_pooled
    folds, rest = fits[:n_pooled], fits[n_pooled:]
    pooled = score_folds(experiment.table, folds, experiment.metrics)
    compares_rows = any(metric.compares_rows for metric in experiment.metrics.values())
    return ScoredRun(
        [fold.values for fold in folds],
        _resample(experiment, pooled, counts),
        _resample(experiment, rest[0], counts) if rest else None,
        compare_scales(pooled.prediction) if compares_rows else float("nan"),
        pooled.prediction,
    )


def compare_scales(prediction: Prediction) -> float:
    """Compare the scores of different folds: are they on one scale.

    Returns
    -------
    float
        The variance of the mean score between folds, divided by what chance gives. It is the F
        ratio of an analysis of variance, with the sums of squares of all labels added up. About 1
        if the learners of all folds score rows alike. NaN without scores or with one fold.
    """
    n_rows, n_folds = len(prediction.rows), int(prediction.fold.max(initial=-1)) + 1
    if prediction.scores is None or n_folds < 2 or n_rows <= n_folds:
        return float("nan")
    scores = prediction.scores
    of_fold = sparse.csr_array(
        (np.ones(n_rows), (prediction.fold, np.arange(n_rows))), shape=(n_folds, n_rows)
    )
    sums = of_fold @ scores
    sums = sums.toarray() if hasattr(sums, "toarray") else np.asarray(sums)
    sizes = np.bincount(prediction.fold, minlength=n_folds).reshape(-1, 1)
    mean = sums.sum(axis=0) / n_rows
    between = float((sizes * (sums / sizes - mean) ** 2).sum())
    stored = scores.data if isinstance(scores, sparse.csr_array) else scores
    squares = np.vdot(stored, stored)
    within = max(0.0, float(squares - (sums**2 / sizes).sum()))
    if between <= _ROUNDING * float(squares):
        return 0.0
    if within <= _ROUNDING * float(squares):
        return float("inf")
    return (between / (n_folds - 1)) / (within / (n_rows - n_folds))


def _resample(experiment: Experiment, scored: ScoredRows, counts: Counts) -> Scores:
    return Scores(
        np.array(scored.values),
        resample_metrics(experiment.table, scored, experiment.metrics, counts),
    )
