"""How even the best possible split could be: whole rows, whole groups, the sizes as they are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .._kernels.bounds import spread_odds, spread_relative
from .measures import Floats, Ints

# Past this many parts the exact bound of LD, cubic in the parts, is not worth its time.
MOST_PARTS_FOR_LD = 50


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
    """Return the least LD of each label over parts of these sizes; NaN for labels that every row holds, or past 50 parts."""
    n_parts = size.shape[0]
    bound = np.full(len(count_of_label), np.nan)
    n = np.broadcast_to(size.sum(axis=0), bound.shape)
    partial = np.flatnonzero(count_of_label < n)
    if n_parts <= MOST_PARTS_FOR_LD and len(partial):
        cost = np.empty(len(partial), np.float64)
        sizes = np.ascontiguousarray(size.T if size.shape[1] == 1 else size.T[partial])
        spread_odds.for_work(len(partial) * n_parts**3)(count_of_label[partial], sizes, cost)
        bound[partial] = cost / n_parts
    return bound


def bound_proportion(count_of_label: Ints, weights: Ints) -> Floats:
    """Return the least DCP of each label: with d rows left over from the floors, the d largest remainders are rounded up."""
    total = int(weights.sum())
    exact = count_of_label[:, None] * weights
    remainder = np.sort(exact % total, axis=1)[:, ::-1]
    left = count_of_label - (exact // total).sum(axis=1)
    last = np.take_along_axis(remainder, np.maximum(left - 1, 0)[:, None], axis=1)[:, 0]
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(left > 0, (total - last) / (total * count_of_label), 0.0)


def bound_relative_of_groups(count_of_label: Ints, size: Ints, most_in_one_group: Ints) -> Floats:
    """Return the least rLD of each label that its largest group allows: some part must take that group whole."""
    n_parts = size.shape[0]
    if n_parts == 1:
        return np.zeros(len(count_of_label))
    n = size.sum(axis=0)
    largest = size.max(axis=0)
    second = np.sort(size, axis=0)[-2]
    is_largest = np.arange(n_parts)[:, None] == size.argmax(axis=0)
    widest_other = np.where(is_largest, second, largest)
    with np.errstate(invalid="ignore", divide="ignore"):
        surplus = np.maximum(most_in_one_group - count_of_label * size / n, 0)
        cost = np.where(surplus > 0, surplus * (1 / size + 1 / widest_other), 0.0).min(axis=0)
        return np.asarray(cost / (n_parts * count_of_label / n))


def bound_proportion_of_groups(
    count_of_label: Ints, weights: Ints, most_in_one_group: Ints
) -> Floats:
    """Return the least DCP of each label that its largest group allows."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(most_in_one_group / count_of_label - weights.max() / weights.sum())


def bound_sizes(n_rows: int, weights: Ints) -> float:
    """Return the least ED: whole sizes by largest remainder."""
    total = int(weights.sum())
    remainder = np.sort(np.array([n_rows * int(weight) % total for weight in weights]))[::-1]
    n_up = int(remainder.sum()) // total
    return float(((total - remainder[:n_up]).sum() + remainder[n_up:].sum()) / total / len(weights))


def bound_empty(n_holders: NDArray[np.int64], n_parts: int) -> Ints:
    """Return the least number of parts that lack each label: a label's rows, or groups, can reach only so many parts."""
    return np.maximum(0, n_parts - n_holders)
