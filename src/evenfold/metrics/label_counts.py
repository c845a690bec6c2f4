"""Counts of true and predicted labels, quotients of counts, and their values on samples of rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from .arguments import check_labels
from .averaging import Average, Undefined, check_undefined, divide
from .resampling import average_lists, average_rows, check_counts, sum_samples


class Overlap(NamedTuple):
    """Counts of each label, of each row, or of all cells: both true and predicted, and each.

    Counts of samples are (n, n_samples), whole numbers in float64.
    """

    shared: NDArray[Any]
    true: NDArray[Any]
    predicted: NDArray[Any]


def count_overlap(
    truth: sparse.csr_array, predicted: sparse.csr_array, average: Average
) -> Overlap:
    """Count for each label, each row (samples) or all cells (micro)."""
    matrices = (sparse.csr_array(truth.multiply(predicted)), truth, predicted)
    if average == "micro":
        return Overlap(*(np.array([matrix.nnz]) for matrix in matrices))
    if average == "samples":
        return Overlap(*(np.diff(matrix.indptr).astype(np.int64) for matrix in matrices))
    return Overlap(*(np.bincount(matrix.indices, minlength=truth.shape[1]) for matrix in matrices))


def divide_by_predicted(overlap: Overlap) -> NDArray[np.float64]:
    """Return the precision."""
    return divide(overlap.shared, overlap.predicted)


def divide_by_true(overlap: Overlap) -> NDArray[np.float64]:
    """Return the recall."""
    return divide(overlap.shared, overlap.true)


def divide_by_both(overlap: Overlap, weight: float = 1) -> NDArray[np.float64]:
    """Return the F-measure; the weight is the square of beta."""
    return divide((1 + weight) * overlap.shared, weight * overlap.true + overlap.predicted)


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
        return average_rows(quotient(count_overlap(truth, predicted, average)), counts, undefined)
    counts = check_counts(counts, truth.shape[0])
    if average == "micro":
        of_rows = count_overlap(truth, predicted, "samples")
        values = quotient(Overlap(*(sum_samples(count, counts)[None] for count in of_rows)))
    else:
        shared = sparse.csr_array(truth.multiply(predicted))
        values = quotient(
            Overlap(*(sum_samples(matrix.T, counts) for matrix in (shared, truth, predicted)))
        )
    is_undefined = np.isnan(values)
    total = np.where(is_undefined, 0.0, values).sum(axis=0)
    return average_lists(total, len(values), is_undefined.sum(axis=0), counts, undefined)
