"""Estimate: the values of one learner on the folds of one method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .._checks.values import show_some
from .pooling import Scores
from .predictions import Prediction

_CONFIDENCE_LEVEL = 0.95
# Fold means that vary by this share of the standard deviation within folds lower an average
# precision of 0.48 by 0.004.
_MAX_SCALE_SHIFT = 0.1
_MOST_SHOWN = 6


@dataclass(frozen=True, eq=False, repr=False)
class Estimate:
    """The values of one learner on the folds of one method.

    Attributes
    ----------
    learner : str
        The title of the learner.
    method : str
        The title of the method.
    metrics : sequence of str
        The names of the metrics.
    values : ndarray
        The values, (n_repeats, n_folds, n_metrics), NaN if a metric is undefined. Repeats in
        which the learner failed are left out.
    errors : sequence of str
        The error of each repeat in which the learner failed.
    pooled_scores : Scores or None
        `values`: the metrics of the predictions for all test rows, (n_repeats, n_metrics).
        `resampled`: the same on bootstrap samples, (n_repeats, n_metrics, n_samples).
    holdout_scores : Scores or None
        The same on the holdout, of learners that are fitted on all folds.
    scale_shifts : ndarray or None
        How much the scores differ between folds, (n_repeats,): the standard deviation of their
        mean between folds, beyond what chance explains, divided by that within folds.
    predictions : sequence of Prediction
        The predictions of each repeat, if they were kept.
    lacking : mapping of str to str
        The metrics whose input the learner does not have, and that input: scores, probabilities.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> X, y = np.zeros((20, 1)), np.arange(60).reshape(20, 3) % 7 < 3
    >>> result = evenfold.evaluate({"prior": DummyClassifier()}, X, y, parts=2, repeats=3)
    >>> estimate = result["prior", "even"]
    >>> estimate.values.shape, estimate.n_undefined("hamming_loss")
    ((3, 2, 6), 0)
    """

    learner: str
    method: str
    metrics: Sequence[str]
    values: NDArray[np.float64]
    errors: Sequence[str]
    pooled_scores: Scores | None = None
    holdout_scores: Scores | None = None
    scale_shifts: NDArray[np.float64] | None = None
    predictions: Sequence[Prediction] = ()
    lacking: Mapping[str, str] = field(default_factory=dict)

    def __repr__(self) -> str:
        shown = [f"{metric} {self.pooled(metric):.4g}" for metric in self.metrics]
        return f"<Estimate of {self.learner} on {self.method}: {show_some(shown, _MOST_SHOWN)}>"

    @property
    def n_repeats(self) -> int:
        """Number of repeats that have values."""
        return len(self.values)

    def pooled(self, metric: str) -> float:
        """Return the metric of the predictions for the test rows of all folds together.

        Parameters
        ----------
        metric : str
            The name of a metric.

        Returns
        -------
        float
            The mean over repeats; NaN if the metric is undefined, or there are no predictions.
        """
        return self._mean_of_scores(self.pooled_scores, metric)

    def interval(self, metric: str) -> tuple[float, float]:
        """Compute the 95 % confidence interval of `pooled`, by bootstrap over rows or groups.

        It is the interval for other test rows. The learners stay as they are, so it does not
        have the variance of the training rows. Samples on which the metric is undefined, such as
        those without a row of a rare label, are left out.

        Parameters
        ----------
        metric : str
            The name of a metric.

        Returns
        -------
        tuple of float
            The lower and the upper end; NaN without samples.
        """
        return self._interval_of_scores(self.pooled_scores, metric)

    def holdout(self, metric: str) -> float:
        """Return the metric on the holdout, of learners that are fitted on all folds.

        Parameters
        ----------
        metric : str
            The name of a metric.

        Returns
        -------
        float
            The mean over repeats; NaN without a holdout.
        """
        return self._mean_of_scores(self.holdout_scores, metric)

    def holdout_interval(self, metric: str) -> tuple[float, float]:
        """Compute the 95 % confidence interval of `holdout`, by bootstrap over rows or groups.

        Parameters
        ----------
        metric : str
            The name of a metric.

        Returns
        -------
        tuple of float
            The lower and the upper end; NaN without samples.
        """
        return self._interval_of_scores(self.holdout_scores, metric)

    def pooled_spread(self, metric: str) -> float:
        """Compute the standard deviation over repeats of the pooled estimate.

        Parameters
        ----------
        metric : str
            The name of a metric.

        Returns
        -------
        float
            The standard deviation; NaN for fewer than two repeats.
        """
        at = self._find(metric)
        if self.pooled_scores is None or self.n_repeats < 2:
            return float("nan")
        return float(np.std(self.pooled_scores.values[:, at], ddof=1))

    def mean(self, metric: str) -> float:
        """Compute the mean over folds and repeats.

        Parameters
        ----------
        metric : str
            The name of a metric.

        Returns
        -------
        float
            The mean; NaN if the metric is undefined on a fold.
        """
        return compute_mean(self._folds(metric).ravel())

    def std(self, metric: str) -> float:
        """Compute the standard deviation over the folds of a repeat, averaged over repeats.

        Sechidis et al. (2011) compare methods by it.

        Parameters
        ----------
        metric : str
            The name of a metric.

        Returns
        -------
        float
            The standard deviation; NaN if the metric is undefined on a fold.
        """
        return compute_mean(self._stds(metric))

    def std_error(self, metric: str) -> float:
        """Compute the standard error of `std`, from its differences between repeats.

        Parameters
        ----------
        metric : str
            The name of a metric.

        Returns
        -------
        float
            The standard error; NaN for fewer than two repeats.
        """
        if self.n_repeats < 2:
            return float("nan")
        return float(np.std(self._stds(metric), ddof=1) / np.sqrt(self.n_repeats))

    def std_interval(self, metric: str) -> tuple[float, float]:
        """Compute the 95 % confidence interval of `std`, by Student's t over repeats.

        Parameters
        ----------
        metric : str
            The name of a metric.

        Returns
        -------
        tuple of float
            The lower and the upper end; NaN for fewer than two repeats.
        """
        from scipy import stats

        quantile = float(stats.t.ppf((1 + _CONFIDENCE_LEVEL) / 2, max(1, self.n_repeats - 1)))
        distance = quantile * self.std_error(metric)
        return self.std(metric) - distance, self.std(metric) + distance

    def mean_spread(self, metric: str) -> float:
        """Compute the standard deviation over repeats of the mean over folds.

        The mean over folds is the estimate of one cross-validation.

        Parameters
        ----------
        metric : str
            The name of a metric.

        Returns
        -------
        float
            The standard deviation; NaN for fewer than two repeats.
        """
        if self.n_repeats < 2:
            return float("nan")
        return float(np.std(self._folds(metric).mean(axis=1), ddof=1))

    def has_shifted_scores(self) -> bool:
        """Tell whether the scores of different folds are not on one scale.

        Returns
        -------
        bool
            True if their means differ between folds by more than chance explains, and by more
            than a tenth of the standard deviation within folds. Metrics that rank different rows
            are then too low if folds are pooled.
        """
        if self.scale_shifts is None or not len(self.scale_shifts):
            return False
        return bool(np.mean(self.scale_shifts) > _MAX_SCALE_SHIFT)

    def n_undefined(self, metric: str) -> int:
        """Count the folds on which the metric is undefined.

        Parameters
        ----------
        metric : str
            The name of a metric.

        Returns
        -------
        int
            The number of folds.
        """
        return int(np.isnan(self._folds(metric)).sum())

    def _find(self, metric: str) -> int:
        if metric not in self.metrics:
            raise KeyError(f"{metric!r} was not measured. Metrics: {', '.join(self.metrics)}")
        return self.metrics.index(metric)

    def _folds(self, metric: str) -> NDArray[np.float64]:
        """Return the values of one metric, (n_repeats, n_folds)."""
        return self.values[:, :, self._find(metric)]

    def _stds(self, metric: str) -> NDArray[np.float64]:
        folds = self._folds(metric)
        if folds.shape[1] < 2:
            return np.full(len(folds), np.nan)
        return np.asarray(np.std(folds, axis=1, ddof=1))

    def _mean_of_scores(self, scores: Scores | None, metric: str) -> float:
        at = self._find(metric)
        return float("nan") if scores is None else compute_mean(scores.values[:, at])

    def _interval_of_scores(self, scores: Scores | None, metric: str) -> tuple[float, float]:
        at = self._find(metric)
        if scores is None or not scores.resampled.size:
            return float("nan"), float("nan")
        # Each sample has the same rows in all repeats, so it has one mean over repeats.
        samples = scores.resampled[:, at].mean(axis=0)
        return compute_interval(compute_mean(scores.values[:, at]), samples)


def compute_mean(values: NDArray[np.float64]) -> float:
    """Return the mean of values; NaN without values."""
    return float(values.mean()) if len(values) else float("nan")


def compute_interval(value: float, samples: NDArray[np.float64]) -> tuple[float, float]:
    """Return the 95 % interval of a value, from its values on bootstrap samples.

    The samples are moved so that their mean is the value. Their own mean may be higher: samples
    have rows several times, which raises an average precision.
    """
    defined = samples[~np.isnan(samples)]
    if len(defined) < 2 or np.isnan(value):
        return float("nan"), float("nan")
    tail = 100 * (1 - _CONFIDENCE_LEVEL) / 2
    low, high = np.percentile(defined - defined.mean() + value, [tail, 100 - tail])
    return float(low), float(high)
