"""Losses over cells and rows: Hamming loss, 0/1 loss, log loss."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from .arguments import check_labels, check_probabilities, check_sample_weight
from .averaging import take_mean


def hamming_loss(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> float:
    """Return the share of cells, rows × labels, that are predicted wrongly.

    Parameters
    ----------
    y_true : array-like or sparse matrix
        The true labels, (n_rows, n_labels) of 0 and 1.
    y_pred : array-like or sparse matrix
        The predicted labels, of the same shape.
    sample_weight : array-like, default=None
        How much each row counts, (n_rows,). None: all the same.

    Returns
    -------
    float
        The loss, from 0 to 1.

    Examples
    --------
    >>> y_true, y_pred = [[1, 0, 1, 0], [0, 1, 0, 1]], [[1, 0, 0, 1], [0, 1, 0, 1]]
    >>> evenfold.metrics.hamming_loss(y_true, y_pred)
    0.25
    """
    truth, predicted = check_labels(y_true, y_pred)
    n_wrong = _count_wrong(truth, predicted)
    if sample_weight is None:
        return float(n_wrong.sum() / (truth.shape[0] * truth.shape[1]))
    weights = check_sample_weight(sample_weight, len(n_wrong))
    return take_mean(n_wrong / truth.shape[1], weights)


def zero_one_loss(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> float:
    """Return the share of rows in which a label is predicted wrongly: 1 - `subset_accuracy`.

    Parameters
    ----------
    y_true : array-like or sparse matrix
        The true labels, (n_rows, n_labels) of 0 and 1.
    y_pred : array-like or sparse matrix
        The predicted labels, of the same shape.
    sample_weight : array-like, default=None
        How much each row counts, (n_rows,). None: all the same.

    Returns
    -------
    float
        The loss, from 0 to 1.

    Examples
    --------
    >>> y_true, y_pred = [[1, 0, 1, 0], [0, 1, 0, 1]], [[1, 0, 0, 1], [0, 1, 0, 1]]
    >>> evenfold.metrics.zero_one_loss(y_true, y_pred)
    0.5
    """
    return 1.0 - subset_accuracy(y_true, y_pred, sample_weight=sample_weight)


def subset_accuracy(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> float:
    """Return the share of rows whose labels are all predicted right.

    It is scikit-learn's `accuracy_score` of a label matrix.

    Parameters
    ----------
    y_true : array-like or sparse matrix
        The true labels, (n_rows, n_labels) of 0 and 1.
    y_pred : array-like or sparse matrix
        The predicted labels, of the same shape.
    sample_weight : array-like, default=None
        How much each row counts, (n_rows,). None: all the same.

    Returns
    -------
    float
        The accuracy, from 0 to 1.

    Examples
    --------
    >>> y_true, y_pred = [[1, 0, 1, 0], [0, 1, 0, 1]], [[1, 0, 0, 1], [0, 1, 0, 1]]
    >>> evenfold.metrics.subset_accuracy(y_true, y_pred)
    0.5
    """
    values = subset_accuracies(y_true, y_pred)
    return take_mean(values, check_sample_weight(sample_weight, len(values)))


def log_loss(y_true: Any, scores: Any, *, sample_weight: Any = None) -> float:
    """Return the mean cross-entropy of the cells, rows × labels.

    It is scikit-learn's `log_loss` of all cells in one column. That function takes the columns of
    a matrix for classes, of which each row has one.

    Parameters
    ----------
    y_true : array-like or sparse matrix
        The true labels, (n_rows, n_labels) of 0 and 1.
    scores : array-like or sparse matrix
        The probability of each cell, of the same shape. In a sparse matrix, cells that are not
        stored have probability 0.
    sample_weight : array-like, default=None
        How much each row counts, (n_rows,). None: all the same.

    Returns
    -------
    float
        The loss, 0 or more.

    Notes
    -----
    Probabilities are clipped to the range from eps to 1 - eps, with the rounding error eps of
    their type, as in scikit-learn.

    Examples
    --------
    >>> round(evenfold.metrics.log_loss([[1, 0]], [[0.5, 0.5]]), 4)
    0.6931
    """
    values = log_losses(y_true, scores)
    return take_mean(values, check_sample_weight(sample_weight, len(values)))


def hamming_losses(y_true: Any, y_pred: Any) -> NDArray[np.float64]:
    """Return the `hamming_loss` of each row, (n_rows,)."""
    truth, predicted = check_labels(y_true, y_pred)
    return np.asarray(_count_wrong(truth, predicted) / truth.shape[1])


def zero_one_losses(y_true: Any, y_pred: Any) -> NDArray[np.float64]:
    """Return the `zero_one_loss` of each row, (n_rows,)."""
    return np.asarray(_count_wrong(*check_labels(y_true, y_pred)) > 0, np.float64)


def subset_accuracies(y_true: Any, y_pred: Any) -> NDArray[np.float64]:
    """Return the `subset_accuracy` of each row, (n_rows,)."""
    return np.asarray(_count_wrong(*check_labels(y_true, y_pred)) == 0, np.float64)


def log_losses(y_true: Any, scores: Any) -> NDArray[np.float64]:
    """Return the mean cross-entropy of the cells of each row, (n_rows,)."""
    truth, numbers = check_probabilities(y_true, scores)
    n_rows, n_labels = truth.shape
    n_true = np.diff(truth.indptr)
    # The loss as if no cell were true, then the difference at the cells that are.
    if isinstance(numbers, np.ndarray):
        loss = _negative_log(1 - numbers).sum(axis=1)
        n_both, of_both = n_true, numbers[np.repeat(np.arange(n_rows), n_true), truth.indices]
    else:
        n_stored, none = np.diff(numbers.indptr), np.zeros(1, numbers.dtype)
        loss = _sum_rows(_negative_log(1 - numbers.data), n_stored)
        both = sparse.csr_array(numbers.multiply(truth))
        n_both, of_both = np.diff(both.indptr), both.data
        # Cells that are not stored have probability 0.
        loss += (n_labels - n_stored) * _negative_log(1 - none)
        loss += (n_true - n_both) * (_negative_log(none) - _negative_log(1 - none))
    loss += _sum_rows(_negative_log(of_both) - _negative_log(1 - of_both), n_both)
    return np.asarray(loss / n_labels)


def _count_wrong(truth: sparse.csr_array, predicted: sparse.csr_array) -> NDArray[np.int64]:
    """Return how many labels of each row are predicted wrongly, (n_rows,)."""
    shared = sparse.csr_array(truth.multiply(predicted))
    n_wrong = np.diff(truth.indptr) + np.diff(predicted.indptr) - 2 * np.diff(shared.indptr)
    return np.asarray(n_wrong, np.int64)


def _sum_rows(values: NDArray[np.float64], n_of_row: NDArray[Any]) -> NDArray[np.float64]:
    row = np.repeat(np.arange(len(n_of_row)), n_of_row)
    return np.asarray(np.bincount(row, values, len(n_of_row)), np.float64)


def _negative_log(probability: NDArray[Any]) -> NDArray[np.float64]:
    eps = np.finfo(probability.dtype).eps
    return np.asarray(-np.log(np.clip(probability, eps, 1 - eps).astype(np.float64)))
