"""Quotients of counts of true and predicted labels: precision, recall, F-measure, Jaccard index."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from .._checks.numbers import check_number
from .arguments import check_labels
from .averaging import Average, Undefined, average_values, check_average, check_undefined, divide
from .resampling import average_lists, average_rows, check_counts, sum_samples


class Overlap(NamedTuple):
    """Counts of each label, of each row, or of all cells: both true and predicted, and each.

    Counts of samples are (n, n_samples), whole numbers in float64.
    """

    shared: NDArray[Any]
    true: NDArray[Any]
    predicted: NDArray[Any]


def precision_score(
    y_true: Any, y_pred: Any, *, average: Average = "macro", undefined: Undefined = np.nan
) -> Any:
    """Return the share of the predicted labels that are true.

    Parameters
    ----------
    y_true : array-like or sparse matrix
        The true labels, (n_rows, n_labels) of 0 and 1.
    y_pred : array-like or sparse matrix
        The predicted labels, of the same shape.
    average : {"macro", "micro", "samples"}, default="macro"
        `"macro"`: the mean over labels. `"micro"`: one value over all cells. `"samples"`: the
        mean over rows. None: the value of each label.
    undefined : float or "skip", default=nan
        The value of a label or row for which nothing is predicted. NaN makes the mean NaN;
        `"skip"` leaves it out of the mean.

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
    return _average_quotient(divide_by_predicted, y_true, y_pred, average, undefined)


def recall_score(
    y_true: Any, y_pred: Any, *, average: Average = "macro", undefined: Undefined = np.nan
) -> Any:
    """Return the share of the true labels that are predicted.

    Parameters
    ----------
    y_true : array-like or sparse matrix
        The true labels, (n_rows, n_labels) of 0 and 1.
    y_pred : array-like or sparse matrix
        The predicted labels, of the same shape.
    average : {"macro", "micro", "samples"}, default="macro"
        `"macro"`: the mean over labels. `"micro"`: one value over all cells. `"samples"`: the
        mean over rows. None: the value of each label.
    undefined : float or "skip", default=nan
        The value of a label without rows, or of a row without labels. NaN makes the mean NaN;
        `"skip"` leaves it out of the mean.

    Returns
    -------
    float or ndarray
        The recall; (n_labels,) if `average` is None.

    Examples
    --------
    >>> evenfold.metrics.recall_score([[1, 0], [1, 1], [0, 1]], [[1, 0], [1, 0], [1, 0]])
    0.5
    """
    return _average_quotient(divide_by_true, y_true, y_pred, average, undefined)


def fbeta_score(
    y_true: Any,
    y_pred: Any,
    *,
    beta: float,
    average: Average = "macro",
    undefined: Undefined = np.nan,
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
    average : {"macro", "micro", "samples"}, default="macro"
        `"macro"`: the mean over labels. `"micro"`: one value over all cells. `"samples"`: the
        mean over rows. None: the value of each label.
    undefined : float or "skip", default=nan
        The value of a label without rows, or of a row without labels. NaN makes the mean NaN;
        `"skip"` leaves it out of the mean.

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
    If something is true and nothing is predicted, the value is 0, as in scikit-learn.
    If nothing is true, it is undefined; scikit-learn has 0 if something is predicted.

    Examples
    --------
    >>> round(evenfold.metrics.fbeta_score([[1], [1], [0]], [[1], [0], [0]], beta=2), 4)
    0.5556
    """
    weight = check_number(beta, "beta", "Take 1 for equal weight.", above=True) ** 2
    quotient = partial(divide_by_both, weight=weight)
    return _average_quotient(quotient, y_true, y_pred, average, undefined)


def f1_score(
    y_true: Any, y_pred: Any, *, average: Average = "macro", undefined: Undefined = np.nan
) -> Any:
    """Return the harmonic mean of precision and recall: `fbeta_score` with beta=1.

    Parameters
    ----------
    y_true : array-like or sparse matrix
        The true labels, (n_rows, n_labels) of 0 and 1.
    y_pred : array-like or sparse matrix
        The predicted labels, of the same shape.
    average : {"macro", "micro", "samples"}, default="macro"
        `"macro"`: the mean over labels. `"micro"`: one value over all cells. `"samples"`: the
        mean over rows. None: the value of each label.
    undefined : float or "skip", default=nan
        The value of a label without rows, or of a row without labels. NaN makes the mean NaN;
        `"skip"` leaves it out of the mean.

    Returns
    -------
    float or ndarray
        The F-measure; (n_labels,) if `average` is None.

    Examples
    --------
    >>> y_true, y_pred = [[1, 0], [1, 1], [0, 1]], [[1, 0], [1, 1], [0, 0]]
    >>> evenfold.metrics.f1_score(y_true, y_pred, average="micro")
    0.8571428571428571
    >>> evenfold.metrics.f1_score([[1, 0], [0, 0]], [[1, 0], [0, 1]], average=None)
    array([ 1., nan])
    """
    return fbeta_score(y_true, y_pred, beta=1, average=average, undefined=undefined)


def jaccard_score(
    y_true: Any, y_pred: Any, *, average: Average = "samples", undefined: Undefined = np.nan
) -> Any:
    """Return the share of the labels that are true or predicted which are both.

    The mean over rows is often called multi-label accuracy.

    Parameters
    ----------
    y_true : array-like or sparse matrix
        The true labels, (n_rows, n_labels) of 0 and 1.
    y_pred : array-like or sparse matrix
        The predicted labels, of the same shape.
    average : {"macro", "micro", "samples"}, default="samples"
        `"macro"`: the mean over labels. `"micro"`: one value over all cells. `"samples"`: the
        mean over rows. None: the value of each label.
    undefined : float or "skip", default=nan
        The value of a row or label for which nothing is true nor predicted. NaN makes the mean
        NaN; `"skip"` leaves it out of the mean.

    Returns
    -------
    float or ndarray
        The Jaccard index; (n_labels,) if `average` is None.

    Examples
    --------
    >>> evenfold.metrics.jaccard_score([[1, 0, 1], [0, 1, 0]], [[1, 0, 0], [0, 1, 0]])
    0.75
    """
    return _average_quotient(divide_by_union, y_true, y_pred, average, undefined)


def divide_by_predicted(overlap: Overlap) -> NDArray[np.float64]:
    """Return the precision."""
    return divide(overlap.shared, overlap.predicted)


def divide_by_true(overlap: Overlap) -> NDArray[np.float64]:
    """Return the recall."""
    return divide(overlap.shared, overlap.true)


def divide_by_both(overlap: Overlap, weight: float = 1) -> NDArray[np.float64]:
    """Return the F-measure; the weight is the square of beta."""
    values = divide((1 + weight) * overlap.shared, weight * overlap.true + overlap.predicted)
    return np.where(overlap.true == 0, np.nan, values)


def divide_by_union(overlap: Overlap) -> NDArray[np.float64]:
    """Return the Jaccard index."""
    return divide(overlap.shared, overlap.true + overlap.predicted - overlap.shared)


def resample_quotient(
    quotient: Callable[[Overlap], NDArray[np.float64]],
    y_true: Any,
    y_pred: Any,
    counts: Any,
    *,
    average: Average,
    undefined: Undefined = np.nan,
) -> NDArray[np.float64]:
    """Return the average of a quotient over the rows of each sample.

    Parameters
    ----------
    quotient : callable
        One of the functions above, which returns the quotient of counts.
    y_true : array-like or sparse matrix
        The true labels, (n_rows, n_labels) of 0 and 1.
    y_pred : array-like or sparse matrix
        The predicted labels, of the same shape.
    counts : array-like
        How often each sample has each row, (n_rows, n_samples).
    average : {"macro", "micro", "samples"}
        As in the function.
    undefined : float or "skip", default=nan
        As in the function.

    Returns
    -------
    ndarray
        The value of each sample, (n_samples,); NaN where it is undefined.
    """
    check_undefined(undefined)
    truth, predicted = check_labels(y_true, y_pred)
    if average == "samples":
        return average_rows(quotient(_count(truth, predicted, average)), counts, undefined)
    counts = check_counts(counts, truth.shape[0])
    if average == "micro":
        of_rows = _count(truth, predicted, "samples")
        values = quotient(Overlap(*(sum_samples(count, counts)[None] for count in of_rows)))
    else:
        shared = sparse.csr_array(truth.multiply(predicted))
        values = quotient(
            Overlap(*(sum_samples(matrix.T, counts) for matrix in (shared, truth, predicted)))
        )
    is_undefined = np.isnan(values)
    total = np.where(is_undefined, 0.0, values).sum(axis=0)
    return average_lists(total, len(values), is_undefined.sum(axis=0), counts, undefined)


def _average_quotient(
    quotient: Callable[[Overlap], NDArray[np.float64]],
    y_true: Any,
    y_pred: Any,
    average: Average,
    undefined: Undefined,
) -> Any:
    """Compute a quotient for each label, each row or all cells, and average it."""
    check_average(average)
    check_undefined(undefined)
    truth, predicted = check_labels(y_true, y_pred)
    return average_values(quotient(_count(truth, predicted, average)), average, undefined)


def _count(truth: sparse.csr_array, predicted: sparse.csr_array, average: Average) -> Overlap:
    matrices = (sparse.csr_array(truth.multiply(predicted)), truth, predicted)
    if average == "micro":
        return Overlap(*(np.array([matrix.nnz]) for matrix in matrices))
    if average == "samples":
        return Overlap(*(np.diff(matrix.indptr).astype(np.int64) for matrix in matrices))
    return Overlap(*(np.bincount(matrix.indices, minlength=truth.shape[1]) for matrix in matrices))
