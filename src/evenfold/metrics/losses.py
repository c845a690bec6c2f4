"""Losses over cells and rows: Hamming loss, 0/1 loss, log loss."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from .arguments import check_labels, check_probabilities


def hamming_loss(y_true: Any, y_pred: Any) -> float:
    """Return the share of cells, rows × labels, that are predicted wrongly.

    Parameters
    ----------
    y_true : array-like or sparse matrix
        The true labels, (n_rows, n_labels) of 0 and 1.
    y_pred : array-like or sparse matrix
        The predicted labels, of the same shape.

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
    n_wrong = truth.nnz + predicted.nnz - 2 * truth.multiply(predicted).nnz
    return float(n_wrong / (truth.shape[0] * truth.shape[1]))


def zero_one_loss(y_true: Any, y_pred: Any) -> float:
    """Return the share of rows in which a label is predicted wrongly: 1 - `subset_accuracy`.

    Parameters
    ----------
    y_true : array-like or sparse matrix
        The true labels, (n_rows, n_labels) of 0 and 1.
    y_pred : array-like or sparse matrix
        The predicted labels, of the same shape.

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
    return 1.0 - subset_accuracy(y_true, y_pred)


def subset_accuracy(y_true: Any, y_pred: Any) -> float:
    """Return the share of rows whose labels are all predicted right.

    It is scikit-learn's `accuracy_score` of a label matrix.

    Parameters
    ----------
    y_true : array-like or sparse matrix
        The true labels, (n_rows, n_labels) of 0 and 1.
    y_pred : array-like or sparse matrix
        The predicted labels, of the same shape.

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
    truth, predicted = check_labels(y_true, y_pred)
    n_shared = np.diff(sparse.csr_array(truth.multiply(predicted)).indptr)
    is_right = (np.diff(truth.indptr) == n_shared) & (np.diff(predicted.indptr) == n_shared)
    return float(is_right.mean())


def log_loss(y_true: Any, scores: Any) -> float:
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
    truth, numbers = check_probabilities(y_true, scores)
    n_cells = truth.shape[0] * truth.shape[1]
    if isinstance(numbers, np.ndarray):
        row = np.repeat(np.arange(truth.shape[0]), np.diff(truth.indptr))
        stored, of_true = numbers.ravel(), numbers[row, truth.indices]
    else:
        # True cells that are not stored have probability 0.
        stored, both = numbers.data, sparse.csr_array(numbers.multiply(truth)).data
        of_true = np.append(both, np.zeros(truth.nnz - len(both), numbers.dtype))
    # The loss as if no cell were true, then the difference at the cells that are.
    loss = _negative_log(1 - stored).sum()
    loss += (n_cells - stored.size) * _negative_log(np.ones(1, numbers.dtype)).sum()
    loss += (_negative_log(of_true) - _negative_log(1 - of_true)).sum()
    return float(loss / n_cells)


def _negative_log(probability: NDArray[Any]) -> NDArray[np.float64]:
    eps = np.finfo(probability.dtype).eps
    return np.asarray(-np.log(np.clip(probability, eps, 1 - eps).astype(np.float64)))
