"""Losses counted over cells and rows: Hamming loss, 0/1 loss, log loss."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from .checking import check_labels, check_probabilities


def hamming_loss(y_true: Any, y_pred: Any) -> float:
    """Return the share of cells, rows × labels, that are predicted wrongly.

    Parameters
    ----------
    y_true, y_pred : (n_rows, n_labels) 0/1, dense or SciPy sparse

    Examples
    --------
    >>> evenfold.metrics.hamming_loss([[1, 0, 1, 0], [0, 1, 0, 1]], [[1, 0, 0, 1], [0, 1, 0, 1]])
    0.25
    """
    truth, predicted = check_labels(y_true, y_pred)
    n_wrong = truth.nnz + predicted.nnz - 2 * truth.multiply(predicted).nnz
    return float(n_wrong / (truth.shape[0] * truth.shape[1]))


def zero_one_loss(y_true: Any, y_pred: Any) -> float:
    """Return the share of rows whose labels are not all predicted right: 1 - `subset_accuracy`.

    Parameters
    ----------
    y_true, y_pred : (n_rows, n_labels) 0/1, dense or SciPy sparse

    Examples
    --------
    >>> evenfold.metrics.zero_one_loss([[1, 0, 1, 0], [0, 1, 0, 1]], [[1, 0, 0, 1], [0, 1, 0, 1]])
    0.5
    """
    return 1.0 - subset_accuracy(y_true, y_pred)


def subset_accuracy(y_true: Any, y_pred: Any) -> float:
    """Return the share of rows whose labels are all predicted right; scikit-learn's `accuracy_score`.

    Parameters
    ----------
    y_true, y_pred : (n_rows, n_labels) 0/1, dense or SciPy sparse

    Examples
    --------
    >>> evenfold.metrics.subset_accuracy([[1, 0, 1, 0], [0, 1, 0, 1]], [[1, 0, 0, 1], [0, 1, 0, 1]])
    0.5
    """
    truth, predicted = check_labels(y_true, y_pred)
    n_shared = np.diff(sparse.csr_array(truth.multiply(predicted)).indptr)
    is_right = (np.diff(truth.indptr) == n_shared) & (np.diff(predicted.indptr) == n_shared)
    return float(is_right.mean())


def log_loss(y_true: Any, scores: Any) -> float:
    """Return the mean cross-entropy of the cells, rows × labels, each a probability that the row holds the label.

    It is scikit-learn's `log_loss` of all cells in one column. Given a matrix, that function takes the labels for classes, one of which holds.

    Parameters
    ----------
    y_true : (n_rows, n_labels) 0/1, dense or SciPy sparse
    scores : (n_rows, n_labels) probabilities, dense or SciPy sparse

    Notes
    -----
    Probabilities are kept the rounding error of their type away from 0 and 1, as in scikit-learn.

    Examples
    --------
    >>> round(evenfold.metrics.log_loss([[1, 0]], [[0.5, 0.5]]), 4)
    0.6931
    """
    truth, numbers = check_probabilities(y_true, scores)
    n_cells = truth.shape[0] * truth.shape[1]
    if isinstance(numbers, np.ndarray):
        row = np.repeat(np.arange(truth.shape[0]), np.diff(truth.indptr))
        stored, of_held = numbers.ravel(), numbers[row, truth.indices]
    else:
        # What is held and not stored has probability 0.
        stored, both = numbers.data, sparse.csr_array(numbers.multiply(truth)).data
        of_held = np.append(both, np.zeros(truth.nnz - len(both), numbers.dtype))
    nothing = np.zeros(1, numbers.dtype)
    as_if_none_held = (
        _surprise(1 - stored).sum() + (n_cells - stored.size) * _surprise(1 - nothing).sum()
    )
    return float((as_if_none_held + (_surprise(of_held) - _surprise(1 - of_held)).sum()) / n_cells)


def _surprise(probability: NDArray[Any]) -> NDArray[np.float64]:
    nearest = np.finfo(probability.dtype).eps
    return np.asarray(-np.log(np.clip(probability, nearest, 1 - nearest).astype(np.float64)))
