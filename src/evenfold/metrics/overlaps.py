"""Quotients of counts of true and predicted labels: precision, recall, F-measure, Jaccard index."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._checks.numbers import check_number
from .arguments import check_labels, leave_out_unweighted
from .averaging import Average, Undefined, average_values, check_average, choose_undefined
from .label_counts import (
    Overlap,
    count_overlap,
    divide_by_both,
    divide_by_predicted,
    divide_by_true,
    divide_by_union,
)


def precision_score(
    y_true: Any,
    y_pred: Any,
    *,
    average: Average = "macro",
    undefined: Undefined | None = None,
    zero_division: float | None = None,
    sample_weight: Any = None,
) -> Any:
    """Return the share of the predicted labels that are true.

    Parameters
    ----------
    y_true : array-like or sparse matrix
        The true labels, (n_rows, n_labels) of 0 and 1.
    y_pred : array-like or sparse matrix
        The predicted labels, of the same shape.
    average : {"macro", "micro", "samples", "weighted"}, default="macro"
        `"macro"`: the mean over labels. `"micro"`: one value over all cells. `"samples"`: the
        mean over rows. `"weighted"`: the mean over labels, weighted by their true rows. None: the
        value of each label.
    undefined : float or "skip", default=None
        The value of a label or row for which nothing is predicted. None and NaN make the mean
        NaN; `"skip"` leaves it out of the mean.
    zero_division : float, default=None
        scikit-learn's name of `undefined`. NaN leaves the value out of the mean, as there.
    sample_weight : array-like, default=None
        How much each row counts, (n_rows,). None: all the same.

    Returns
    -------
    float or ndarray
        The precision; (n_labels,) if `average` is None.

    Examples
    --------
    No row is predicted to have the second label:

    >>> y_true, y_pred = [[1, 0], [1, 1], [0, 1]], [[1, 0], [1, 0], [1, 0]]
    >>> evenfold.metrics.precision_score(y_true, y_pred, average="samples")
    0.6666666666666666
    >>> evenfold.metrics.precision_score(y_true, y_pred)
    nan
    """
    return _average_quotient(
        divide_by_predicted, y_true, y_pred, average, undefined, zero_division, sample_weight
    )


def recall_score(
    y_true: Any,
    y_pred: Any,
    *,
    average: Average = "macro",
    undefined: Undefined | None = None,
    zero_division: float | None = None,
    sample_weight: Any = None,
) -> Any:
    """Return the share of the true labels that are predicted.

    Parameters
    ----------
    y_true : array-like or sparse matrix
        The true labels, (n_rows, n_labels) of 0 and 1.
    y_pred : array-like or sparse matrix
        The predicted labels, of the same shape.
    average : {"macro", "micro", "samples", "weighted"}, default="macro"
        `"macro"`: the mean over labels. `"micro"`: one value over all cells. `"samples"`: the
        mean over rows. `"weighted"`: the mean over labels, weighted by their true rows. None: the
        value of each label.
    undefined : float or "skip", default=None
        The value of a label without rows, or of a row without labels. None and NaN make the mean
        NaN; `"skip"` leaves it out of the mean.
    zero_division : float, default=None
        scikit-learn's name of `undefined`. NaN leaves the value out of the mean, as there.
    sample_weight : array-like, default=None
        How much each row counts, (n_rows,). None: all the same.

    Returns
    -------
    float or ndarray
        The recall; (n_labels,) if `average` is None.

    Examples
    --------
    >>> evenfold.metrics.recall_score([[1, 0], [1, 1], [0, 1]], [[1, 0], [1, 0], [1, 0]])
    0.5
    """
    return _average_quotient(
        divide_by_true, y_true, y_pred, average, undefined, zero_division, sample_weight
    )


def fbeta_score(
    y_true: Any,
    y_pred: Any,
    *,
    beta: float,
    average: Average = "macro",
    undefined: Undefined | None = None,
    zero_division: float | None = None,
    sample_weight: Any = None,
) -> Any:
    """Return the weighted harmonic mean of precision and recall.

    Parameters
    ----------
    y_true : array-like or sparse matrix
        The true labels, (n_rows, n_labels) of 0 and 1.
    y_pred : array-like or sparse matrix
        The predicted labels, of the same shape.
    beta : float
        How many times as much recall counts as precision; above 0.
    average : {"macro", "micro", "samples", "weighted"}, default="macro"
        `"macro"`: the mean over labels. `"micro"`: one value over all cells. `"samples"`: the
        mean over rows. `"weighted"`: the mean over labels, weighted by their true rows. None: the
        value of each label.
    undefined : float or "skip", default=None
        The value of a label or row for which nothing is true nor predicted. None and NaN make the
        mean NaN; `"skip"` leaves it out of the mean.
    zero_division : float, default=None
        scikit-learn's name of `undefined`. NaN leaves the value out of the mean, as there.
    sample_weight : array-like, default=None
        How much each row counts, (n_rows,). None: all the same.

    Returns
    -------
    float or ndarray
        The F-measure; (n_labels,) if `average` is None.

    Raises
    ------
    InputError
        If `beta` is not above 0 and finite.

    Notes
    -----
    If something is true and nothing is predicted, or the reverse, the value is 0, as in
    scikit-learn. If nothing is true nor predicted, it is undefined.

    Examples
    --------
    >>> round(evenfold.metrics.fbeta_score([[1], [1], [0]], [[1], [0], [0]], beta=2), 4)
    0.5556
    """
    weight = check_number(beta, "beta", "Take 1 for equal weight.", above=True) ** 2
    quotient = partial(divide_by_both, weight=weight)
    return _average_quotient(
        quotient, y_true, y_pred, average, undefined, zero_division, sample_weight
    )


def f1_score(
    y_true: Any,
    y_pred: Any,
    *,
    average: Average = "macro",
    undefined: Undefined | None = None,
    zero_division: float | None = None,
    sample_weight: Any = None,
) -> Any:
    """Return the harmonic mean of precision and recall: `fbeta_score` with beta=1.

    Parameters
    ----------
    y_true : array-like or sparse matrix
        The true labels, (n_rows, n_labels) of 0 and 1.
    y_pred : array-like or sparse matrix
        The predicted labels, of the same shape.
    average : {"macro", "micro", "samples", "weighted"}, default="macro"
        `"macro"`: the mean over labels. `"micro"`: one value over all cells. `"samples"`: the
        mean over rows. `"weighted"`: the mean over labels, weighted by their true rows. None: the
        value of each label.
    undefined : float or "skip", default=None
        The value of a label or row for which nothing is true nor predicted. None and NaN make the
        mean NaN; `"skip"` leaves it out of the mean.
    zero_division : float, default=None
        scikit-learn's name of `undefined`. NaN leaves the value out of the mean, as there.
    sample_weight : array-like, default=None
        How much each row counts, (n_rows,). None: all the same.

    Returns
    -------
    float or ndarray
        The F-measure; (n_labels,) if `average` is None.

    Examples
    --------
    >>> y_true, y_pred = [[1, 0], [1, 1], [0, 1]], [[1, 0], [1, 1], [0, 0]]
    >>> evenfold.metrics.f1_score(y_true, y_pred, average="micro")
    0.8571428571428571
    >>> evenfold.metrics.f1_score([[1, 0, 0]], [[1, 1, 0]], average=None)
    array([ 1.,  0., nan])
    """
    return fbeta_score(
        y_true,
        y_pred,
        beta=1,
        average=average,
        undefined=undefined,
        zero_division=zero_division,
        sample_weight=sample_weight,
    )


def jaccard_score(
    y_true: Any,
    y_pred: Any,
    *,
    average: Average = "samples",
    undefined: Undefined | None = None,
    zero_division: float | None = None,
    sample_weight: Any = None,
) -> Any:
    """Return the share of the labels that are true or predicted which are both.

    The mean over rows is often called multi-label accuracy.

    Parameters
    ----------
    y_true : array-like or sparse matrix
        The true labels, (n_rows, n_labels) of 0 and 1.
    y_pred : array-like or sparse matrix
        The predicted labels, of the same shape.
    average : {"macro", "micro", "samples", "weighted"}, default="samples"
        `"macro"`: the mean over labels. `"micro"`: one value over all cells. `"samples"`: the
        mean over rows. `"weighted"`: the mean over labels, weighted by their true rows. None: the
        value of each label.
    undefined : float or "skip", default=None
        The value of a row or label for which nothing is true nor predicted. None and NaN make the
        mean NaN; `"skip"` leaves it out of the mean.
    zero_division : float, default=None
        scikit-learn's name of `undefined`. NaN leaves the value out of the mean, as there.
    sample_weight : array-like, default=None
        How much each row counts, (n_rows,). None: all the same.

    Returns
    -------
    float or ndarray
        The Jaccard index; (n_labels,) if `average` is None.

    Examples
    --------
    >>> evenfold.metrics.jaccard_score([[1, 0, 1], [0, 1, 0]], [[1, 0, 0], [0, 1, 0]])
    0.75
    """
    return _average_quotient(
        divide_by_union, y_true, y_pred, average, undefined, zero_division, sample_weight
    )


def _average_quotient(
    quotient: Callable[[Overlap], NDArray[np.float64]],
    y_true: Any,
    y_pred: Any,
    average: Average,
    undefined: Undefined | None,
    zero_division: float | None,
    sample_weight: Any,
) -> Any:
    """Compute a quotient for each label, each row or all cells, and average it."""
    check_average(average)
    undefined = choose_undefined(undefined, zero_division)
    truth, predicted, weights = leave_out_unweighted(*check_labels(y_true, y_pred), sample_weight)
    overlap = count_overlap(truth, predicted, average, weights)
    weight_of_value = {"samples": weights, "weighted": overlap.true}.get(str(average))
    return average_values(quotient(overlap), average, undefined, weight_of_value)
