"""Nearest rows by Euclidean distance, the same whatever the number of threads.

Rows are rounded to whole numbers so small that all sums of their products are exact. So the order
in which a library adds does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from .._kernels.nearest_rows import take_nearest

# Distances of so many pairs of rows are computed at once, which limits the memory for them.
_PAIRS_AT_ONCE = 1 << 24
# Floats have whole numbers up to 2 ** 53. A squared distance is at most 4 squared lengths.
_BITS_OF_SQUARED_LENGTH = 51
# The least standard deviation of features of at most 1 that is no rounding error.
_LEAST_DEVIATION = 1e-7
# The inverse of a smaller number may be infinite.
_TINY = float(np.finfo(np.float64).tiny)


def find_nearest_rows(
    rows: Any, group_of_row: NDArray[Any], k: int
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Yield the k nearest rows of other groups, block by block of rows.

    Parameters
    ----------
    rows : ndarray or csr_array
        The features, (n_rows, n_features). They are divided by their standard deviations.
    group_of_row : ndarray
        The number of the group of each row, (n_rows,).
    k : int
        The number of nearest rows; fewer if other groups have fewer. Of rows at the same
        distance, the first ones are taken.

    Yields
    ------
    tuple of ndarray
        Two arrays of equal length: rows, in increasing order, and one of the nearest rows of each,
        the nearest first.
    """
    n_rows = len(group_of_row)
    points = _round(rows)
    squared_length = _square_lengths(points)
    k = min(k, n_rows)
    step = max(1, _PAIRS_AT_ONCE // n_rows)
    for start in range(0, n_rows, step):
        product = points[start : start + step] @ points.T
        if not isinstance(product, np.ndarray):
            product = product.toarray()
        near = np.empty((len(product), k), np.int64)
        n_near = np.empty(len(product), np.int64)
        take_nearest.for_work(product.size)(
            np.ascontiguousarray(product), squared_length, group_of_row, start, near, n_near
        )
        row = np.repeat(np.arange(start, start + len(product)), n_near)
        yield row, near[np.arange(k) < n_near[:, None]]


def _round(rows: Any) -> Any:
    """Divide features by their standard deviations, and round to whole numbers."""
    # First to values of at most 1, so that no square is too large or too small for a float.
    largest = abs(rows).max(axis=0)
    scaled = _divide(rows, largest if isinstance(rows, np.ndarray) else largest.toarray().ravel())
    mean = _average(scaled)
    deviation = np.sqrt(np.maximum(_average(scaled * scaled) - mean**2, 0.0))
    # Smaller ones are rounding errors of constant features.
    deviation[deviation <= _LEAST_DEVIATION] = 0.0
    if isinstance(scaled, np.ndarray):
        scaled = scaled - mean
    scaled = _divide(scaled, deviation)
    longest = float(_square_lengths(scaled).max(initial=0.0))
    # Rounding moves each feature by half a unit at most, for which two bits are left.
    n_bits = (_BITS_OF_SQUARED_LENGTH - 2 - int(np.ceil(np.log2(longest or 1.0)))) // 2
    rounded = scaled * 2.0**n_bits
    if isinstance(rounded, np.ndarray):
        return np.rint(rounded)
    rounded.data = np.rint(rounded.data)
    return rounded


def _divide(rows: Any, divisor: NDArray[np.float64]) -> Any:
    """Divide each feature; one whose divisor is 0, or nearly, becomes 0."""
    factor = np.divide(1.0, divisor, out=np.zeros_like(divisor), where=divisor >= _TINY)
    if isinstance(rows, np.ndarray):
        return rows * factor
    return sparse.csr_array(rows @ sparse.diags_array(factor))


def _average(rows: Any) -> NDArray[np.float64]:
    return np.asarray(rows.mean(axis=0)).ravel()


def _square_lengths(rows: Any) -> NDArray[np.float64]:
    return np.asarray((rows * rows).sum(axis=1)).ravel()
