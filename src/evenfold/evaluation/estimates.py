"""Estimate: the values of one learner on the folds of one method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_CONFIDENCE_LEVEL = 0.95


@dataclass(frozen=True, eq=False)
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

    @property
    def n_repeats(self) -> int:
        """Number of repeats that have values."""
        return len(self.values)

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

    def _folds(self, metric: str) -> NDArray[np.float64]:
        """Return the values of one metric, (n_repeats, n_folds)."""
        if metric not in self.metrics:
            raise KeyError(f"{metric!r} was not measured. Metrics: {', '.join(self.metrics)}")
        return self.values[:, :, self.metrics.index(metric)]

    def _stds(self, metric: str) -> NDArray[np.float64]:
        return np.asarray(np.std(self._folds(metric), axis=1, ddof=1))


def compute_mean(values: NDArray[np.float64]) -> float:
    """Return the mean of values; NaN without values."""
    return float(values.mean()) if len(values) else float("nan")
