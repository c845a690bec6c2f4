"""How far what is predicted and what is true overlap: precision, recall, F-measure, Jaccard index."""

from __future__ import annotations

import numbers
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ..exceptions import InputError
from .averaging import Average, Undefined, check_choices, divide, reduce_values
from .checking import check_labels


class Overlap(NamedTuple):
    """Counts of each label, each row, or (one number) all cells."""

    shared: NDArray[np.int64]
    true: NDArray[np.int64]
    predicted: NDArray[np.int64]


def precision_score(
    y_true: Any, y_pred: Any, *, average: Average = "macro", undefined: Undefined = np.nan
) -> Any:
    """Return the share of what is predicted that is true.

    Parameters
    ----------
    y_true, y_pred : (n_rows, n_labels) 0/1, dense or SciPy sparse
    average : "macro" mean over labels, "micro" over all cells, "samples" mean over rows; None: each label's own, an array
    undefined : what a label or row counts for of which nothing is predicted: NaN (the mean is NaN too), a number, or "skip" (left out of the mean)

    Examples
    --------
    >>> truth, predicted = [[1, 0], [1, 1], [0, 1]], [[1, 0], [1, 0], [1, 0]]
    >>> evenfold.metrics.precision_score(truth, predicted, average="samples")
    0.6666666666666666
    >>> evenfold.metrics.precision_score(truth, predicted)                       # nobody is predicted to hold the second label
    nan
    """
    check_choices(average, undefined)
    overlap = _count(*check_labels(y_true, y_pred), average)
    return reduce_values(divide(overlap.shared, overlap.predicted), average, undefined)


def recall_score(
    y_true: Any, y_pred: Any, *, average: Average = "macro", undefined: Undefined = np.nan
) -> Any:
    """Return the share of what is true that is predicted.

    Parameters
    ----------
    y_true, y_pred : (n_rows, n_labels) 0/1, dense or SciPy sparse
    average : "macro" mean over labels, "micro" over all cells, "samples" mean over rows; None: each label's own, an array
    undefined : what a label without rows, or a row without labels, counts for: NaN (the mean is NaN too), a number, or "skip" (left out of the mean)

    Examples
    --------
    >>> evenfold.metrics.recall_score([[1, 0], [1, 1], [0, 1]], [[1, 0], [1, 0], [1, 0]])
    0.5
    """
    check_choices(average, undefined)
    overlap = _count(*check_labels(y_true, y_pred), average)
    return reduce_values(divide(overlap.shared, overlap.true), average, undefined)


def fbeta_score(
    y_true: Any,
    y_pred: Any,
    *,
    beta: float,
    average: Average = "macro",
    undefined: Undefined = np.nan,
) -> Any:
    """Return the weighted harmonic mean of precision and recall, recall weighing `beta` times as much.

    Parameters
    ----------
    y_true, y_pred : (n_rows, n_labels) 0/1, dense or SciPy sparse
    beta : above 0
    average : "macro" mean over labels, "micro" over all cells, "samples" mean over rows; None: each label's own, an array
    undefined : what a label without rows, or a row without labels, counts for: NaN (the mean is NaN too), a number, or "skip" (left out of the mean)

    Notes
    -----
    Where something is true and nothing predicted the value is 0, as in scikit-learn.
    Where nothing is true it is undefined, whatever is predicted; scikit-learn has 0 where something is.

    Examples
    --------
    >>> round(evenfold.metrics.fbeta_score([[1], [1], [0]], [[1], [0], [0]], beta=2), 4)
    0.5556
    """
    check_choices(average, undefined)
    if isinstance(beta, bool) or not isinstance(beta, numbers.Real) or not 0 < beta < np.inf:
        raise InputError(
            f"must be a number above 0, got {beta!r}. Take 1 for equal weight.", parameter="beta"
        )
    overlap = _count(*check_labels(y_true, y_pred), average)
    weight = float(beta) ** 2
    values = divide((1 + weight) * overlap.shared, weight * overlap.true + overlap.predicted)
    return reduce_values(np.where(overlap.true == 0, np.nan, values), average, undefined)


def f1_score(
    y_true: Any, y_pred: Any, *, average: Average = "macro", undefined: Undefined = np.nan
) -> Any:
    """Return the harmonic mean of precision and recall: `fbeta_score` with beta=1.

    Parameters
    ----------
    y_true, y_pred : (n_rows, n_labels) 0/1, dense or SciPy sparse
    average : "macro" mean over labels, "micro" over all cells, "samples" mean over rows; None: each label's own, an array
    undefined : what a label without rows, or a row without labels, counts for: NaN (the mean is NaN too), a number, or "skip" (left out of the mean)

    Examples
    --------
    >>> evenfold.metrics.f1_score([[1, 0], [1, 1], [0, 1]], [[1, 0], [1, 1], [0, 0]], average="micro")
    0.8571428571428571
    >>> evenfold.metrics.f1_score([[1, 0], [0, 0]], [[1, 0], [0, 1]], average=None)
    array([ 1., nan])
    """
    return fbeta_score(y_true, y_pred, beta=1, average=average, undefined=undefined)


def jaccard_score(
    y_true: Any, y_pred: Any, *, average: Average = "samples", undefined: Undefined = np.nan
) -> Any:
    """Return the share of what is true or predicted that is both; over rows it is often called multi-label accuracy.

    Parameters
    ----------
    y_true, y_pred : (n_rows, n_labels) 0/1, dense or SciPy sparse
    average : "samples" mean over rows, "micro" over all cells, "macro" mean over labels; None: each label's own, an array
    undefined : what a row or label counts for of which nothing is true nor predicted: NaN (the mean is NaN too), a number, or "skip" (left out of
        the mean)

    Examples
    --------
    >>> evenfold.metrics.jaccard_score([[1, 0, 1], [0, 1, 0]], [[1, 0, 0], [0, 1, 0]])
    0.75
    """
    check_choices(average, undefined)
    overlap = _count(*check_labels(y_true, y_pred), average)
    return reduce_values(
        divide(overlap.shared, overlap.true + overlap.predicted - overlap.shared),
        average,
        undefined,
    )


def _count(truth: sparse.csr_array, predicted: sparse.csr_array, average: Average) -> Overlap:
    matrices = (sparse.csr_array(truth.multiply(predicted)), truth, predicted)
    if average == "micro":
        return Overlap(*(np.array([matrix.nnz]) for matrix in matrices))
    if average == "samples":
        return Overlap(*(np.diff(matrix.indptr).astype(np.int64) for matrix in matrices))
    return Overlap(*(np.bincount(matrix.indices, minlength=truth.shape[1]) for matrix in matrices))
