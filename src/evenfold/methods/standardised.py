"""Real amounts as standardised whole numbers, so that sums are exact on every machine."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ..problem.problem import Problem


def standardise(problem: Problem, scale: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return units × criteria with mean 0 and the standard deviation `scale` (n_criteria,).

    The mean is that of the rows: a unit of several rows deviates by the sum over its rows. Criteria
    with scale 0, and criteria that are the same for all rows, are left out.
    """
    wanted = scale > 0
    number_of = np.cumsum(wanted) - 1
    held = wanted[problem.indices]
    unit = np.repeat(np.arange(problem.n_units), np.diff(problem.indptr))[held]
    whole = np.zeros((problem.n_units, int(wanted.sum())), np.int64)
    whole[unit, number_of[problem.indices[held]]] = problem.amounts[held]
    mean = problem.total_of_criterion[wanted] / problem.n_rows
    deviation = np.array([_find_deviation(column, problem) for column in whole.T])
    varies = deviation > 0
    values = whole[:, varies] - problem.rows_of_unit[:, None] * mean[varies]
    return np.asarray(values / deviation[varies] * scale[wanted][varies])


def _find_deviation(whole: NDArray[np.int64], problem: Problem) -> float:
    """Return the root of Σ (amount - rows · mean)² / n_rows; sums in whole numbers are exact."""
    rows, n_rows = problem.rows_of_unit, problem.n_rows
    total = int(whole.sum())
    # n_rows² times the sum of squares.
    squares = (
        n_rows**2 * _sum_products(whole, whole)
        - 2 * n_rows * total * _sum_products(whole, rows)
        + total**2 * _sum_products(rows, rows)
    )
    return math.sqrt(squares / n_rows**3)


def _sum_products(left: NDArray[np.int64], right: NDArray[np.int64]) -> int:
    """Return the exact sum. Each product must be below 2 ** 63; the sum may be larger."""
    products = left * right
    return (int((products >> 32).sum()) << 32) + int((products & 0xFFFFFFFF).sum())


def to_whole(
    values: NDArray[np.float64], largest_factor: int, most_bits: int, fraction_bits: int
) -> NDArray[np.int64]:
    """Return the values in steps of 2 to minus `fraction_bits`, or coarser ones.

    The steps are coarse enough that every product of a unit with a part's deviation, times the
    factor of the part, fits in `most_bits` bits.
    """
    largest = np.abs(values).sum(axis=1).max(initial=1.0)
    total = np.abs(values).sum(axis=0).max(initial=1.0)
    needed = np.log2(4.0 * largest_factor * largest * total)
    bits = min(fraction_bits, int((most_bits - needed) // 2))
    return np.round(values * 2.0**bits).astype(np.int64)
