"""Metrics by name, as evaluations ask for them."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable
from functools import partial
from typing import Any, Literal, NamedTuple

import numpy as np

from ..exceptions import InputError
from .losses import hamming_loss, log_loss, subset_accuracy, zero_one_loss
from .overlaps import f1_score, jaccard_score, precision_score, recall_score
from .ranked_lists import average_precision_score, mean_average_precision, roc_auc_score
from .rankings import coverage, label_ranking_average_precision_score, one_error, ranking_loss


class Metric(NamedTuple):
    """A metric as evaluations use it.

    Attributes
    ----------
    function : called with the truth and what `needs` says; returns a float, NaN where it is undefined
    needs : "labels" what is predicted, "scores" of any scale, or "probabilities"
    greater_is_better : whether it is a score, not a loss

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


def find_metric(name: str) -> Metric:
    """Return the metric of that name."""
    if name not in METRICS:
        near = difflib.get_close_matches(str(name), METRICS, n=1)
        hint = f"Did you mean {near[0]!r}?" if near else "Take one of these."
        raise InputError(
            f"must be of {', '.join(METRICS)}, got {name!r}. {hint}", parameter="metrics"
        )
    return METRICS[name]


def count_undefined(metric: Callable[..., Any] | str, y_true: Any, y_pred: Any) -> int:
    """Return for how many labels a metric is undefined; 0 for metrics that are not computed label by label.

    Parameters
    ----------
    metric : a function of `evenfold.metrics`, or a name of `METRICS`
    y_true : (n_rows, n_labels) 0/1, dense or SciPy sparse
    y_pred : labels or scores, whichever the metric takes

    Examples
    --------
    >>> evenfold.metrics.count_undefined(evenfold.metrics.recall_score, [[1, 0], [0, 0]], [[1, 1], [0, 1]])
    1
    >>> evenfold.metrics.count_undefined("mean_average_precision", [[1, 0], [0, 0]], [[0.3, 0.1], [0.2, 0.2]])
    1
    """
    function: Any = find_metric(metric).function if isinstance(metric, str) else metric
    function = getattr(function, "func", function)
    function = average_precision_score if function is mean_average_precision else function
    if "average" not in inspect.signature(function).parameters:
        return 0
    return int(np.isnan(function(y_true, y_pred, average=None)).sum())
