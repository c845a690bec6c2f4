"""The list of all metrics, and metrics by name, as evaluations use them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np

from .._checks.choices import check_choice
from .curves import PrecisionRecall, plot_pr_curve, precision_recall_curve
from .losses import hamming_loss, log_loss, subset_accuracy, zero_one_loss
from .overlaps import f1_score, fbeta_score, jaccard_score, precision_score, recall_score
from .ranked_lists import average_precision_score, mean_average_precision, roc_auc_score
from .rankings import coverage, label_ranking_average_precision_score, one_error, ranking_loss

__all__ = [
    "METRICS",
    "Metric",
    "PrecisionRecall",
    "average_precision_score",
    "count_undefined",
    "coverage",
    "f1_score",
    "fbeta_score",
    "hamming_loss",
    "jaccard_score",
    "label_ranking_average_precision_score",
    "log_loss",
    "mean_average_precision",
    "one_error",
    "plot_pr_curve",
    "precision_recall_curve",
    "precision_score",
    "ranking_loss",
    "recall_score",
    "roc_auc_score",
    "subset_accuracy",
    "zero_one_loss",
]


class Metric(NamedTuple):
    """A metric as evaluations use it.

    Attributes
    ----------
    function : callable
        Called with the true labels and with what `needs` says; returns a float, NaN if the
        metric is undefined.
    needs : {"labels", "scores", "probabilities"}
        What a prediction is: labels of 0 and 1, scores of any scale, or probabilities.
    greater_is_better : bool
        True for a score, False for a loss.

    Examples
    --------
    >>> evenfold.metrics.METRICS["coverage"].needs
    'scores'
    """

    function: Callable[..., float]
    needs: Literal["labels", "scores", "probabilities"]
    greater_is_better: bool


METRICS: dict[str, Metric] = {
    "hamming_loss": Metric(hamming_loss, "labels", False),
    "zero_one_loss": Metric(zero_one_loss, "labels", False),
    "subset_accuracy": Metric(subset_accuracy, "labels", True),
    "jaccard_samples": Metric(partial(jaccard_score, average="samples"), "labels", True),
    "jaccard_micro": Metric(partial(jaccard_score, average="micro"), "labels", True),
    "jaccard_macro": Metric(partial(jaccard_score, average="macro"), "labels", True),
    "precision_samples": Metric(partial(precision_score, average="samples"), "labels", True),
    "precision_micro": Metric(partial(precision_score, average="micro"), "labels", True),
    "precision_macro": Metric(partial(precision_score, average="macro"), "labels", True),
    "recall_samples": Metric(partial(recall_score, average="samples"), "labels", True),
    "recall_micro": Metric(partial(recall_score, average="micro"), "labels", True),
    "recall_macro": Metric(partial(recall_score, average="macro"), "labels", True),
    "f1_samples": Metric(partial(f1_score, average="samples"), "labels", True),
    "f1_micro": Metric(partial(f1_score, average="micro"), "labels", True),
    "f1_macro": Metric(partial(f1_score, average="macro"), "labels", True),
    "ranking_loss": Metric(ranking_loss, "scores", False),
    "one_error": Metric(one_error, "scores", False),
    "coverage": Metric(coverage, "scores", False),
    "label_ranking_average_precision": Metric(
        label_ranking_average_precision_score, "scores", True
    ),
    "mean_average_precision": Metric(mean_average_precision, "scores", True),
    "average_precision_micro": Metric(
        partial(average_precision_score, average="micro"), "scores", True
    ),
    "average_precision_samples": Metric(
        partial(average_precision_score, average="samples"), "scores", True
    ),
    "roc_auc_micro": Metric(partial(roc_auc_score, average="micro"), "scores", True),
    "roc_auc_macro": Metric(partial(roc_auc_score, average="macro"), "scores", True),
    "log_loss": Metric(log_loss, "probabilities", False),
}


def find_metric(name: Any) -> Metric:
    """Return the metric of that name."""
    return METRICS[check_choice(name, "metrics", METRICS)]


def count_undefined(metric: Callable[..., Any] | str, y_true: Any, y_pred: Any) -> int:
    """Return for how many labels a metric is undefined.

    Parameters
    ----------
    metric : callable or str
        A function of `evenfold.metrics`, or a name of `METRICS`.
    y_true : array-like or sparse matrix
        The true labels, (n_rows, n_labels) of 0 and 1.
    y_pred : array-like or sparse matrix
        The predicted labels or the scores, whichever the metric takes.

    Returns
    -------
    int
        The number of labels; 0 if the metric is not computed for each label.

    Examples
    --------
    >>> y_true, y_pred, scores = [[1, 0], [0, 0]], [[1, 1], [0, 1]], [[0.3, 0.1], [0.2, 0.2]]
    >>> evenfold.metrics.count_undefined(evenfold.metrics.recall_score, y_true, y_pred)
    1
    >>> evenfold.metrics.count_undefined("mean_average_precision", y_true, scores)
    1
    """
    function: Any = find_metric(metric).function if isinstance(metric, str) else metric
    function = getattr(function, "func", function)
    function = average_precision_score if function is mean_average_precision else function
    if "average" not in inspect.signature(function).parameters:
        return 0
    return int(np.isnan(function(y_true, y_pred, average=None)).sum())
