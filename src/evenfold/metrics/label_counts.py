"""Counts of true and predicted labels, quotients of counts, and their values on samples of rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from .arguments import check_labels
from .averaging import Average, Undefined, check_undefined, divide
from .resampling import average_lists, average_rows, check_counts, sum_lists, sum_samples


class Overlap(NamedTuple):
    """Counts of each label, of each row, or of all cells: both true and predicted, and each.

    Counts of samples are (n, n_samples), whole numbers in float64.
    """

    shared: NDArray[Any]
    true: NDArray[Any]
    predicted: NDArray[Any]


def count_overlap(
    truth: sparse.csr_array,
    predicted: sparse.csr_array,
    average: Average,
    weights: NDArray[np.float64] | None = None,
) -> Overlap:
    """Count for each label, each row (samples) or all cells (micro), with the weights of rows.

    The counts of a row are not weighted.
    """
    matrices = (sparse.csr_array(truth.multiply(predicted)), truth, predicted)
    n_labels = truth.shape[1]
    if average == "samples":
        return Overlap(*(np.diff(matrix.indptr).astype(np.int64) for matrix in matrices))
    if weights is None and average == "micro":
        return Overlap(*(np.array([matrix.nnz]) for matrix in matrices))
    if weights is None:
        return Overlap(*(np.bincount(matrix.indices, minlength=n_labels) for matrix in matrices))
    cells = (np.repeat(weights, np.diff(matrix.indptr)) for matrix in matrices)
    if average == "micro":
        return Overlap(*(np.array([own.sum()]) for own in cells))
    return Overlap(
        *(
            np.bincount(matrix.indices, own, n_labels)
            for matrix, own in zip(matrices, cells, strict=True)
        )
    )


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
    average : {"macro", "micro", "samples", "weighted"}
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
        overlap = Overlap(*(sum_samples(count, counts)[None] for count in of_rows))
    else:
        shared = sparse.csr_array(truth.multiply(predicted))
        overlap = Overlap(*(sum_samples(matrix.T, counts) for matrix in (shared, truth, predicted)))
    weights = overlap.true if average == "weighted" else None
    return average_lists(sum_lists(quotient(overlap), weights), counts, undefined)
