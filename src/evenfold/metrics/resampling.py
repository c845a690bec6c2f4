"""Means of a metric over samples of the rows: each row counts as often as a sample has it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..exceptions import InputError
from .averaging import Undefined, divide

# How many samples are computed at once. It limits the memory for counts of another type.
MAX_SAMPLES_AT_ONCE = 256


def resample_rows(
    values_of_rows: Callable[[Any, Any], NDArray[Any]], y_true: Any, given: Any, counts: Any
) -> NDArray[np.float64]:
    """Return the mean of the values of rows in each sample, (n_samples,)."""
    return average_rows(values_of_rows(y_true, given), counts, np.nan)


def average_rows(values: NDArray[Any], counts: Any, undefined: Undefined) -> NDArray[np.float64]:
    """Return the mean of the values of rows in each sample; values may be undefined (NaN)."""
    counts = check_counts(counts, len(values))
    is_undefined = np.isnan(values)
    return _finish_means(
        sum_samples(np.where(is_undefined, 0.0, values), counts),
        counts.sum(axis=0, dtype=np.int64),
        counts[is_undefined].sum(axis=0, dtype=np.int64),
        undefined,
    )


def sum_samples(values: Any, counts: NDArray[Any]) -> NDArray[np.float64]:
    """Return the sum of the values of rows in each sample, (..., n_samples).

    The values are an array (n_rows,), or a sparse matrix (n_columns, n_rows). Sums of whole
    numbers are exact up to 2 ** 53.
    """
    sums = [values @ counts[:, block].astype(np.float64) for block in list_blocks(counts)]
    return np.concatenate(sums, axis=-1)


def sum_lists(
    values: NDArray[np.float64], weights: NDArray[np.float64] | None
) -> NDArray[np.float64]:
    """Return sums over the values of labels, or of all cells, in each sample.

    Parameters
    ----------
    values : ndarray
        The values, (n_lists, n_samples), NaN where undefined.
    weights : ndarray or None
        How much each value counts, (n_lists, n_samples). None: all the same.

    Returns
    -------
    ndarray
        The sum of the defined values, the sum of all weights, and that of undefined values,
        (2, 3, n_samples): with the weights, and without.
    """
    is_undefined = np.isnan(values)
    defined = np.where(is_undefined, 0.0, values)
    n_lists = np.full(values.shape[1], float(len(values)))
    plain = [defined.sum(axis=0), n_lists, is_undefined.sum(axis=0)]
    if weights is None:
        return np.array([plain, plain])
    own = [defined * weights, weights, is_undefined * weights]
    return np.array([[part.sum(axis=0) for part in own], plain])


def average_lists(
    sums: NDArray[np.float64], counts: NDArray[Any], undefined: Undefined
) -> NDArray[np.float64]:
    """Return the mean of the values of labels, or of all cells, in each sample.

    Parameters
    ----------
    sums : ndarray
        What `sum_lists` returns, (2, 3, n_samples).
    counts : ndarray
        How often each sample has each row, (n_rows, n_samples).
    undefined : float or "skip"
        What replaces undefined values.

    Returns
    -------
    ndarray
        The means, (n_samples,); NaN for a sample without rows. If all weights are 0, they are not
        used.
    """
    weighted, plain = (_finish_means(own[0], own[1], own[2], undefined) for own in sums)
    means = np.where(sums[0, 1] > 0, weighted, plain)
    return np.where(counts.any(axis=0), means, np.nan)


def _finish_means(
    total: NDArray[Any], n: NDArray[Any], n_undefined: NDArray[Any], undefined: Undefined
) -> NDArray[np.float64]:
    """Return the mean of `n` values, from the total of the defined ones and how many are not."""
    if undefined == "skip":
        return divide(total, n - n_undefined)
    with np.errstate(invalid="ignore"):  # 0 times infinity, which is not taken
        replaced = np.where(n_undefined > 0, total + n_undefined * float(undefined), total)
    return divide(replaced, n)


def list_blocks(counts: NDArray[Any], most: int | None = None) -> Iterator[slice]:
    """Yield the samples that are computed at once, at most `most`.

    Yields
    ------
    slice
        Columns of the counts.
    """
    at_once = max(1, min(MAX_SAMPLES_AT_ONCE, most or MAX_SAMPLES_AT_ONCE))
    for start in range(0, max(1, counts.shape[1]), at_once):
        yield slice(start, start + at_once)


def check_counts(counts: Any, n_rows: int) -> NDArray[Any]:
    """Check that the counts are whole numbers, 0 or more, (n_rows, n_samples)."""
    table = np.asarray(counts)
    is_whole = table.dtype.kind in "iub"
    if not is_whole or table.ndim != 2 or len(table) != n_rows or table.min(initial=0) < 0:
        shape = " × ".join(f"{length:,}" for length in table.shape)
        got = f"{shape} of {table.dtype}" if table.min(initial=0) >= 0 else f"{table.min()}"
        raise InputError(
            f"must be whole numbers of 0 or more, {n_rows:,} rows × samples, got {got}. "
            "Pass how often each sample has each row.",
            parameter="counts",
        )
    return table
