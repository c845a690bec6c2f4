"""The list of all metrics, and metrics by name, as evaluations use them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._checks.choices import check_choice
from .averaging import Average
from .curves import PrecisionRecall, plot_pr_curve, precision_recall_curve
from .label_counts import (
    divide_by_both,
    divide_by_predicted,
    divide_by_true,
    divide_by_union,
    resample_quotient,
)
from .losses import (
    hamming_loss,
    hamming_losses,
    log_loss,
    log_losses,
    subset_accuracies,
    subset_accuracy,
    zero_one_loss,
    zero_one_losses,
)
from .overlaps import f1_score, fbeta_score, jaccard_score, precision_score, recall_score
from .ranked_lists import (
    areas,
    average_precision_score,
    average_precisions,
    mean_average_precision,
    resample_rankings,
    roc_auc_score,
)
from .rankings import (
    coverage,
    coverage_error,
    coverage_errors,
    coverages,
    label_ranking_average_precision_score,
    label_ranking_precisions,
    one_error,
    one_errors,
    ranking_loss,
    ranking_losses,
)
from .resampling import resample_rows
from .tie_orders import TieRule

__all__ = [
    "METRICS",
    "Metric",
    "PrecisionRecall",
    "average_precision_score",
    "count_undefined",
    "coverage",
    "coverage_error",
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
    resample : callable, default=None
        Called with the true labels, the prediction and counts, (n_rows, n_samples) whole numbers:
        how often each row is drawn in each sample. Returns the value on the rows of each sample,
        (n_samples,), as `function` does on repeated rows. None: call `function`.
    compares_rows : bool, default=False
        True if the scores of different rows are compared. Then they must have one scale, also if
        several models made them.
    values_of_rows : callable, default=None
        If `function` is a mean over rows: called as it is, it returns the value of each row,
        (n_rows,). So evaluations compute each row once. None: `function` is no such mean.
    is_better_as_mean : bool, default=False
        True if the mean of the values of all folds is closer to the truth than the value of all
        out-of-fold predictions together.

    Examples
    --------
    >>> evenfold.metrics.METRICS["coverage"].needs
    'scores'

    The value of two samples of three rows: each row once, and the first row three times:

    >>> counts = [[1, 3], [1, 0], [1, 0]]
    >>> truth, scores = [[1, 0], [0, 1], [1, 0]], [[0.9, 0.1], [0.5, 0.4], [0.1, 0.6]]
    >>> evenfold.metrics.METRICS["ranking_loss"].resample(truth, scores, counts).round(2)
    array([0.67, 0.  ])
    """

    function: Callable[..., float]
    needs: Literal["labels", "scores", "probabilities"]
    greater_is_better: bool
    resample: Callable[..., NDArray[np.float64]] | None = None
    compares_rows: bool = False
    values_of_rows: Callable[..., NDArray[np.float64]] | None = None
    is_better_as_mean: bool = False


def _of_rows(
    function: Callable[..., float],
    values_of_rows: Callable[..., NDArray[np.float64]],
    needs: Literal["labels", "scores", "probabilities"],
    greater_is_better: bool,
) -> Metric:
    """Return a metric that is the mean of a value of each row."""
    return Metric(
        function,
        needs,
        greater_is_better,
        partial(resample_rows, values_of_rows),
        values_of_rows=values_of_rows,
    )


def _of_ties(
    function: Callable[..., float],
    values_of_rows: Callable[..., NDArray[np.float64]],
    ties: TieRule,
) -> Metric:
    """Return a loss of rankings with another order of equal scores than by default.

    A row's random order depends on the rows before it, so it has no value of its own.
    """
    own, of_rows = partial(function, ties=ties), partial(values_of_rows, ties=ties)
    if ties == "random":
        return Metric(own, "scores", False, partial(resample_rows, of_rows))
    return _of_rows(own, of_rows, "scores", False)


def _of_labels(
    function: Callable[..., Any], quotient: Callable[..., Any], average: Average
) -> Metric:
    """Return a metric of predicted labels that is a quotient of counts."""
    resample = partial(resample_quotient, quotient, average=average)
    return Metric(partial(function, average=average), "labels", True, resample)


def _of_scores(
    function: Callable[..., Any], measure: Callable[..., Any], average: Average
) -> Metric:
    """Return a metric of ranked cells."""
    own = partial(function, average=average)
    resample = partial(resample_rankings, measure, average=average)
    return Metric(own, "scores", True, resample, compares_rows=average != "samples")


METRICS: dict[str, Metric] = {
    # The quotient of two counts, which may differ from the mean over rows by a rounding error.
    "hamming_loss": Metric(hamming_loss, "labels", False, partial(resample_rows, hamming_losses)),
    "zero_one_loss": _of_rows(zero_one_loss, zero_one_losses, "labels", False),
    "subset_accuracy": _of_rows(subset_accuracy, subset_accuracies, "labels", True),
    "jaccard_samples": _of_labels(jaccard_score, divide_by_union, "samples"),
    "jaccard_micro": _of_labels(jaccard_score, divide_by_union, "micro"),
    "jaccard_macro": _of_labels(jaccard_score, divide_by_union, "macro"),
    "jaccard_weighted": _of_labels(jaccard_score, divide_by_union, "weighted"),
    "precision_samples": _of_labels(precision_score, divide_by_predicted, "samples"),
    "precision_micro": _of_labels(precision_score, divide_by_predicted, "micro"),
    "precision_macro": _of_labels(precision_score, divide_by_predicted, "macro"),
    "precision_weighted": _of_labels(precision_score, divide_by_predicted, "weighted"),
    "recall_samples": _of_labels(recall_score, divide_by_true, "samples"),
    "recall_micro": _of_labels(recall_score, divide_by_true, "micro"),
    "recall_macro": _of_labels(recall_score, divide_by_true, "macro"),
    "recall_weighted": _of_labels(recall_score, divide_by_true, "weighted"),
    "f1_samples": _of_labels(f1_score, divide_by_both, "samples"),
    "f1_micro": _of_labels(f1_score, divide_by_both, "micro"),
    "f1_macro": _of_labels(f1_score, divide_by_both, "macro"),
    "f1_weighted": _of_labels(f1_score, divide_by_both, "weighted"),
    "ranking_loss": _of_rows(ranking_loss, ranking_losses, "scores", False),
    "ranking_loss_average_ties": _of_ties(ranking_loss, ranking_losses, "average"),
    "ranking_loss_random_ties": _of_ties(ranking_loss, ranking_losses, "random"),
    "one_error": _of_rows(one_error, one_errors, "scores", False),
    "one_error_worst_ties": _of_ties(one_error, one_errors, "worst"),
    "one_error_random_ties": _of_ties(one_error, one_errors, "random"),
    "coverage": _of_rows(coverage, coverages, "scores", False),
    "coverage_average_ties": _of_ties(coverage, coverages, "average"),
    "coverage_random_ties": _of_ties(coverage, coverages, "random"),
    "coverage_error": _of_rows(coverage_error, coverage_errors, "scores", False),
    "label_ranking_average_precision": _of_rows(
        label_ranking_average_precision_score, label_ranking_precisions, "scores", True
    ),
    "mean_average_precision": Metric(
        mean_average_precision,
        "scores",
        True,
        partial(resample_rankings, average_precisions, average="macro"),
        compares_rows=True,
    ),
    "average_precision_micro": _of_scores(average_precision_score, average_precisions, "micro"),
    "average_precision_samples": _of_scores(average_precision_score, average_precisions, "samples"),
    "average_precision_weighted": _of_scores(
        average_precision_score, average_precisions, "weighted"
    ),
    "roc_auc_micro": _of_scores(roc_auc_score, areas, "micro"),
    # `python -m benchmarks.run --only populations` measures both.
    "roc_auc_macro": _of_scores(roc_auc_score, areas, "macro")._replace(is_better_as_mean=True),
    "roc_auc_weighted": _of_scores(roc_auc_score, areas, "weighted"),
    "log_loss": _of_rows(log_loss, log_losses, "probabilities", False),
}


def find_metric(name: Any, parameter: str = "metrics") -> Metric:
    """Return the metric of that name, which came as this parameter."""
    return METRICS[check_choice(name, parameter, METRICS)]


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
    function: Any = metric if callable(metric) else find_metric(metric, "metric").function
    function = getattr(function, "func", function)
    function = average_precision_score if function is mean_average_precision else function
    if "average" not in inspect.signature(function).parameters:
        return 0
    return int(np.isnan(function(y_true, y_pred, average=None)).sum())
