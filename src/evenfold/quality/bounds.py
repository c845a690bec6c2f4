"""How even the best possible split could be: in whole rows, whole groups, and parts of given sizes.

Arrays: `count_of_label` (n_labels,) has the rows of each label, `size` (n_parts, n_labels or 1) the
rows of each part in which the label is known, `weights` (n_parts,) the wanted shares as whole
numbers, `most_in_one_group` (n_labels,) the most rows of a label in one group.
"""

from __future__ import annotations

import numpy as np

from .._kernels.bounds import spread_odds, spread_relative
from .counts import Limits
from .values import Floats, Ints

# The exact bound of LD takes time cubic in the parts: 50 parts of 1,000 labels take about 0.1 s.
MAX_PARTS_FOR_LD = 50


def least_size_difference(limits: Limits) -> Floats:
    """Return the least ED for the wanted shares, as own values of the parts.

    The parts whose wanted rows have the largest remainders are rounded up.
    """
    total = int(limits.parts.weights.sum())
    exact = [limits.n_rows * int(weight) for weight in limits.parts.weights]
    remainder = np.sort(np.array([rows % total for rows in exact]))[::-1]
    n_rounded_up = int(remainder.sum()) // total
    remainder[:n_rounded_up] = total - remainder[:n_rounded_up]
    return np.asarray(remainder / total)


def least_odds_difference(limits: Limits) -> Floats:
    """Return the least LD of each label; NaN for labels that every row holds."""
    return limits.if_held(limits.bound_once(bound_odds))


def least_relative_difference(limits: Limits) -> Floats:
    """Return the least rLD of each label, the groups whole."""
    bound = limits.bound_once(bound_relative)
    if limits.groups is not None:
        of_groups = bound_relative_of_groups(limits.rows, limits.size, limits.groups.most_rows)
        bound = np.maximum(bound, of_groups)
    return limits.if_held(bound)


def least_share_difference(limits: Limits) -> Floats:
    """Return the least mean over parts of |share in the part - share in the data| of each label."""
    share = limits.rows / limits.size.sum(axis=0)
    return np.asarray(least_relative_difference(limits) * share)


def least_proportion_excess(limits: Limits) -> Floats:
    """Return the least DCP of each label for the wanted shares, the groups whole.

    Like DCP itself, it does not depend on the sizes that the parts have.
    """
    weights = limits.parts.weights
    bound = limits.bound_once(lambda rows, _: bound_proportion(rows, weights))
    if limits.groups is not None:
        of_groups = bound_proportion_of_groups(limits.rows, weights, limits.groups.most_rows)
        bound = np.maximum(bound, of_groups)
    return limits.if_held(bound)


def least_lacking(limits: Limits) -> Ints:
    """Return the least number of parts that lack each label.

    The rows of a label, or its groups, reach at most as many parts as there are of them. The sizes
    do not matter: a part without rows could have had each label.
    """
    n_holders = limits.rows if limits.groups is None else limits.groups.n_groups
    return np.where(limits.rows > 0, np.maximum(0, len(limits.parts) - n_holders), 0)


def bound_relative(count_of_label: Ints, size: Ints) -> Floats:
    """Return the least rLD of each label over parts of these sizes."""
    cost = np.empty(len(count_of_label), np.float64)
    n_parts = size.shape[0]
    spread_relative.for_work(20 * len(cost) * n_parts)(
        count_of_label, np.ascontiguousarray(size.T), cost
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(cost / (count_of_label * n_parts))


def bound_odds(count_of_label: Ints, size: Ints) -> Floats:
    """Return the least LD of each label over parts of these sizes.

    NaN for labels that every row holds.
    """
    n_parts = size.shape[0]
    bound = np.full(len(count_of_label), np.nan)
    n = np.broadcast_to(size.sum(axis=0), bound.shape)
    partial = np.flatnonzero(count_of_label < n)
    if len(partial):
        cost = np.empty(len(partial), np.float64)
        sizes = np.ascontiguousarray(size.T if size.shape[1] == 1 else size.T[partial])
        spread_odds.for_work(len(partial) * n_parts**3)(count_of_label[partial], sizes, cost)
        bound[partial] = cost / n_parts
    return bound


def bound_proportion(count_of_label: Ints, weights: Ints) -> Floats:
    """Return the least DCP of each label for the wanted shares, whatever the sizes of the parts.

    The rows that the floors of the wanted shares leave go to the parts with the largest remainders.
    """
    total = int(weights.sum())
    exact = count_of_label[:, None] * weights
    remainder = np.sort(exact % total, axis=1)[:, ::-1]
    left = count_of_label - (exact // total).sum(axis=1)
    last = np.take_along_axis(remainder, np.maximum(left - 1, 0)[:, None], axis=1)[:, 0]
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(left > 0, (total - last) / (total * count_of_label), 0.0)


def bound_relative_of_groups(count_of_label: Ints, size: Ints, most_in_one_group: Ints) -> Floats:
    """Return the least rLD of each label that its largest group allows.

    Some part must take that group whole.
    """
    n_parts = size.shape[0]
    if n_parts == 1:
        return np.zeros(len(count_of_label))
    n = size.sum(axis=0)
    largest = size.max(axis=0)
    second = np.sort(size, axis=0)[-2]
    is_largest = np.arange(n_parts)[:, None] == size.argmax(axis=0)
    largest_other = np.where(is_largest, second, largest)
    with np.errstate(invalid="ignore", divide="ignore"):
        surplus = np.maximum(most_in_one_group - count_of_label * size / n, 0)
        cost = np.where(surplus > 0, surplus * (1 / size + 1 / largest_other), 0.0).min(axis=0)
        return np.asarray(cost / (n_parts * count_of_label / n))


def bound_proportion_of_groups(
    count_of_label: Ints, weights: Ints, most_in_one_group: Ints
) -> Floats:
    """Return the least DCP of each label that its largest group allows."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(most_in_one_group / count_of_label - weights.max() / weights.sum())
