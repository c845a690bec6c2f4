"""Costs of even: weights, targets and deviations in whole numbers, and a lower bound."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._kernels.entries import find_highest_price
from ...problem.criteria import Level
from ...problem.problem import Problem
from .tuning import GROUPS_WEIGHT, MOST_GROUPS_WEIGHT

# A row counts 2 to this power, so that targets keep fractions of a row: if the sizes of two parts
# differ by one row, their targets of a rare label differ by a small fraction of a row.
ROW_BITS = 14
# No cost may pass 63 bits: the price of a unit is kept below 2 to this power.
PRICE_BITS = 58
# The least deviation of a part that need not hold a criterion: below every deviation.
_NO_LEAST = -(2**60)


class Cost(NamedTuple):
    """Costs, in rows times weight: of what parts lack, of labels, and of the rest."""

    shortage: float
    labels: float
    rest: float


def make_weights(
    problem: Problem, rest_weight: float, label_exponent: float = 1.0
) -> NDArray[np.float64]:
    """Return the weight w_l of each criterion.

    Let m be min(rows with, rows without), and M the median of m over labels. A label has the weight
    (M / m)^a / M, where a is the label exponent: with 1 that is 1 / m. The number of groups has the
    weight GROUPS_WEIGHT / groups, but at most MOST_GROUPS_WEIGHT / M. Criteria of later levels have
    `rest_weight` / m. For amounts, m is their total.
    """
    return weigh_rest(problem, find_divisors(problem, label_exponent), rest_weight)


def weigh_rest(
    problem: Problem, divisor: NDArray[np.float64], rest_weight: float
) -> NDArray[np.float64]:
    """Return the weights for the divisors of `find_divisors`; 0 for a divisor of 0."""
    weight = np.where(problem.is_first_level, 1.0, rest_weight)
    return np.divide(weight, divisor, out=np.zeros(len(divisor)), where=divisor > 0)


def find_divisors(problem: Problem, label_exponent: float) -> NDArray[np.float64]:
    """Return (n_criteria,) what the weight of each criterion is divided by."""
    total = problem.overall if problem.is_section else problem.total_of_criterion
    n_rows = problem.n_overall_rows or problem.n_rows
    is_groups = problem.level_of_criterion == Level.GROUPS
    smaller = np.minimum(total, n_rows - total).astype(np.float64)
    # An amount is counted in finer steps than a row.
    smaller = np.where(problem.is_amount, total / 2.0**ROW_BITS, smaller)
    is_label = (problem.level_of_criterion == Level.LABELS) & ~problem.is_amount & (smaller > 0)
    smaller[is_groups] = total[is_groups] / GROUPS_WEIGHT
    if is_label.any():
        least = float(np.median(smaller[is_label])) / MOST_GROUPS_WEIGHT
        smaller[is_groups] = np.maximum(smaller[is_groups], least)
    if label_exponent != 1 and is_label.any():
        median = float(np.median(smaller[is_label]))
        smaller[is_label] *= (median / smaller[is_label]) ** (1 - label_exponent)
    return smaller


def find_least_deviation(problem: Problem, sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return (n_criteria, n_parts) the deviation below which a part lacks rows; or empty."""
    if not problem.least.size:
        return problem.least
    target = find_targets(problem, sizes)
    return np.where(problem.least > 0, (problem.least << ROW_BITS) - target, _NO_LEAST)


def bound_of_cost(problem: Problem, label_exponent: float = 1.0) -> Cost:
    """Return lower bounds of the costs, as `Refinement.cost` has them.

    Each criterion is rounded to whole rows where that costs least. No part lacks rows of a label
    that has enough for all parts. Amounts are assumed to meet their targets, and groups to be no
    obstacle.
    """
    kept = ~problem.is_amount
    total, factor = problem.total_of_criterion[kept], find_part_factors(problem)
    target = find_targets(problem, problem.sizes)[kept]
    remainder = target % (1 << ROW_BITS) / 2.0**ROW_BITS
    nearest = (target >> ROW_BITS) + (remainder > 0.5)
    least = problem.least[kept] if problem.least.size else np.zeros_like(nearest)
    n_lacking = np.maximum(0, least.sum(axis=1) - total)
    least = np.where(n_lacking[:, None] > 0, 0, least)
    held = np.maximum(nearest, least)
    n_over = held.sum(axis=1) - total
    # If the parts hold more than there is, or less, rows are taken away or added. The first row of
    # a part may cost little; any number of them cost at least as much as in the cheapest part.
    cheapest = factor.min()
    has_more = (n_over > 0)[:, None]
    is_near = (held == nearest) & np.where(
        has_more, (remainder > 0.5) & (held > least), remainder <= 0.5
    )
    step = np.where(is_near, np.abs(1 - 2 * remainder), 1.0) * factor
    step = np.sort(np.minimum(step, cheapest), axis=1)
    n_steps = np.abs(n_over)
    is_made = np.arange(problem.n_parts) < n_steps[:, None]
    weight = make_weights(problem, 1.0, label_exponent)[kept]
    cost = weight * (
        (np.abs(held - target / 2.0**ROW_BITS) * factor).sum(axis=1)
        + (step * is_made).sum(axis=1)
        + np.maximum(0, n_steps - problem.n_parts) * cheapest
    )
    first = problem.is_first_level[kept]
    shortage = problem.price_of_lacking * add_sorted(weight * n_lacking * cheapest)
    return Cost(shortage, add_sorted(cost[first]), add_sorted(cost[~first]))


def add_sorted(terms: NDArray[np.float64]) -> float:
    """Add up in sorted order, so that the order of the criteria cannot change a comparison."""
    return float(np.sort(terms).sum())


def find_scale(problem: Problem, weight: NDArray[np.float64], factor: NDArray[np.int64]) -> float:
    """Return the power of 2 that turns these weights, or lower ones, into whole numbers.

    They are as fine as 63 bits allow.
    """
    highest = np.empty(1)
    price = np.where(problem.is_amount, weight / 2.0**ROW_BITS, weight)
    find_highest_price.for_work(len(problem.indices))(
        problem.indptr, problem.indices, problem.amounts, price, highest
    )
    sized = find_sized(problem)
    if len(sized):
        # A unit moves as well the targets of all labels, in two parts.
        moved = float((weight[sized] * problem.total_of_criterion[sized]).sum())
        highest[0] += 2 * moved * int(problem.rows_of_unit.max()) / problem.n_rows
    # One bit more than the most expensive unit needs, because two units swap at once; a thousandth
    # more, for sums that are powers of 2 except for rounding; and room for rows that a part lacks.
    shortage_bits = problem.price_of_lacking.bit_length() if problem.least.size else 0
    return float(
        2.0
        ** (
            PRICE_BITS
            - ROW_BITS
            - 3
            - shortage_bits
            - np.ceil(np.log2(1.001 * max(float(highest[0]), 1.0) * float(factor.max())))
        )
    )


def find_part_factors(problem: Problem) -> NDArray[np.int64]:
    """Return 1 / (k r_j) as whole numbers: an extra row is a larger share of a small part."""
    if problem.has_equal_parts:
        return np.ones(problem.n_parts, np.int64)
    share = problem.weights / problem.weights.sum()
    return np.asarray(np.maximum(1, np.round(16 * share.max() / share)), dtype=np.int64)


def count_deviation(
    problem: Problem, part_of_unit: NDArray[np.int32], sizes: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return (n_criteria, n_parts) what each part holds minus its target, in fractions of a row."""
    step = np.where(problem.is_amount, 1, 1 << ROW_BITS)[:, None]
    return problem.count_held(part_of_unit) * step - find_targets(problem, sizes)


def find_sized(problem: Problem) -> NDArray[np.int64]:
    """Return the criteria whose targets follow the actual sizes: labels, if sizes may be off."""
    if not problem.size_slack.any():
        return np.empty(0, np.int64)
    return np.flatnonzero((problem.level_of_criterion == Level.LABELS) & ~problem.is_amount)


def find_targets(problem: Problem, sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return (n_criteria, n_parts) what each part should hold, m_l S_j / n, in fractions of a row.

    Labels should be in proportion to `sizes`, the other criteria to the wanted sizes.

    Parts that are one row larger should hold slightly more of every label. Where labels are the
    only criteria, targets are exact. Otherwise they are rounded to a 64th of a row: exact targets
    would pull all very rare labels into the larger parts.
    """
    step = np.where(problem.is_amount, 1, 1 << ROW_BITS)[:, None]
    if problem.is_section:
        return np.asarray(np.round(problem.wanted * step), dtype=np.int64)
    exact = problem.total_of_criterion[:, None] * step * (problem.sizes / problem.n_rows)
    sized = find_sized(problem)
    exact[sized] = problem.total_of_criterion[sized, None] * step[sized] * (sizes / problem.n_rows)
    grain = 1 if problem.is_first_level.all() else 1 << (ROW_BITS - 6)
    return np.asarray(
        np.where(problem.is_amount[:, None], np.round(exact), np.round(exact / grain) * grain),
        dtype=np.int64,
    )
