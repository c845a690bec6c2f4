"""Costs of even: weights, targets and deviations in whole numbers, and a lower bound."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..._kernels.entries import count_in_parts, find_highest_price
from ...problem.problem import Problem

# A row counts 2 to this power, so that targets keep fractions of a row: if the sizes of two parts
# differ by one row, their targets of a rare label differ by a small fraction of a row.
ROW_BITS = 14
# No cost may pass 63 bits: the price of a unit is kept below 2 to this power.
PRICE_BITS = 58


def make_weights(problem: Problem, rest_weight: float) -> NDArray[np.float64]:
    """Return w_l: 1 / min(rows with, rows without), or 1 / total for amounts.

    Criteria after the first level are multiplied by `rest_weight`.
    """
    total = problem.total_of_criterion
    # An amount is counted in finer steps than a row.
    smaller = np.where(
        problem.is_amount, total / 2.0**ROW_BITS, np.minimum(total, problem.n_rows - total)
    )
    weight = np.where(problem.is_first_level, 1.0, rest_weight)
    return np.divide(weight, smaller, out=np.zeros(len(smaller)), where=smaller > 0)


def bound_of_cost(problem: Problem) -> float:
    """Return a lower bound of the cost of labels, in the units of `Refinement.cost`.

    Each label is rounded to whole rows where that costs least. Amounts are assumed to meet their
    targets, and groups to be no obstacle.
    """
    kept = problem.is_first_level & ~problem.is_amount
    total, factor = problem.total_of_criterion[kept], find_part_factors(problem)
    target = _targets(problem)[kept]
    remainder = target % (1 << ROW_BITS) / 2.0**ROW_BITS
    n_up = total - (target >> ROW_BITS).sum(axis=1)
    gain = np.sort((1 - 2 * remainder) * factor, axis=1)
    rounded_up = np.arange(problem.n_parts) < n_up[:, None]
    return add_sorted(
        make_weights(problem, 1.0)[kept]
        * ((remainder * factor).sum(axis=1) + (gain * rounded_up).sum(axis=1))
    )


def add_sorted(terms: NDArray[np.float64]) -> float:
    """Add up in sorted order, so that the order of the criteria cannot change a comparison."""
    return float(np.sort(terms).sum())


def find_scale(problem: Problem, weight: NDArray[np.float64], factor: NDArray[np.int64]) -> float:
    """Return the power of 2 that turns weights into whole numbers as fine as 63 bits allow."""
    highest = np.empty(1)
    price = np.where(problem.is_amount, weight / 2.0**ROW_BITS, weight)
    find_highest_price.for_work(len(problem.indices))(
        problem.indptr, problem.indices, problem.amounts, price, highest
    )
    # One bit more than the most expensive unit needs, because two units swap at once; a thousandth
    # more, for sums that are powers of 2 except for rounding.
    return float(
        2.0
        ** (
            PRICE_BITS
            - ROW_BITS
            - 3
            - np.ceil(np.log2(1.001 * max(float(highest[0]), 1.0) * float(factor.max())))
        )
    )


def find_part_factors(problem: Problem) -> NDArray[np.int64]:
    """Return 1 / (k r_j) as whole numbers: an extra row is a larger share of a small part."""
    if (problem.weights == problem.weights[0]).all():
        return np.ones(problem.n_parts, np.int64)
    share = problem.weights / problem.weights.sum()
    return np.asarray(np.maximum(1, np.round(16 * share.max() / share)), dtype=np.int64)


def count_deviation(problem: Problem, part_of_unit: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return (n_criteria, n_parts) what each part holds minus its target, in fractions of a row."""
    held = np.zeros((problem.n_criteria, problem.n_parts), np.int64)
    count_in_parts.for_work(len(problem.indices))(
        problem.indptr, problem.indices, problem.amounts, part_of_unit, held
    )
    step = np.where(problem.is_amount, 1, 1 << ROW_BITS)[:, None]
    return held * step - _targets(problem)


def _targets(problem: Problem) -> NDArray[np.int64]:
    """Return (n_criteria, n_parts) what each part should hold, m_l S_j / n, in fractions of a row.

    Parts that are one row larger should hold slightly more of every label. Where labels are the
    only criteria, targets are exact. Otherwise they are rounded to a 64th of a row: exact targets
    would pull all very rare labels into the larger parts.
    """
    step = np.where(problem.is_amount, 1, 1 << ROW_BITS)[:, None]
    exact = problem.total_of_criterion[:, None] * step * (problem.sizes / problem.n_rows)
    grain = 1 if problem.is_first_level.all() else 1 << (ROW_BITS - 6)
    return np.asarray(
        np.where(problem.is_amount[:, None], np.round(exact), np.round(exact / grain) * grain),
        dtype=np.int64,
    )
