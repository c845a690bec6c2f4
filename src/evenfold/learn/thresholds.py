"""Thresholds of scores that are best by a metric: exact where labels separate."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..metrics.label_counts import Overlap, divide_by_both, divide_by_union
from .base_fits import Weights
from .label_models import Scores

Truth = NDArray[np.int64]
Weight = NDArray[Any]
Value = Callable[[Overlap], NDArray[np.float64]]

# A step of the search counts only if it is larger than rounding errors of sums over all cells.
DECIMALS = 9


def _complete(quotient: Value, overlap: Overlap) -> NDArray[np.float64]:
    """Return a quotient of counts; 1 if nothing is true nor predicted."""
    return np.nan_to_num(quotient(overlap), nan=1.0)


def _count_right(overlap: Overlap) -> NDArray[np.float64]:
    """Return minus the number of wrong cells."""
    return np.asarray(2.0 * overlap.shared - overlap.true - overlap.predicted)


def _is_exact(overlap: Overlap) -> NDArray[np.float64]:
    """Return 1 if exactly the true cells are predicted."""
    is_right = (overlap.shared == overlap.true) & (overlap.shared == overlap.predicted)
    return is_right.astype(np.float64)


F1, JACCARD = partial(_complete, divide_by_both), partial(_complete, divide_by_union)
# What is averaged over labels, over rows, or computed once over all cells; higher is better.
THRESHOLD_METRICS: dict[str, tuple[Value, str]] = {
    "f1_macro": (F1, "labels"),
    "f1_micro": (F1, "cells"),
    "f1_samples": (F1, "rows"),
    "jaccard_macro": (JACCARD, "labels"),
    "jaccard_micro": (JACCARD, "cells"),
    "jaccard_samples": (JACCARD, "rows"),
    "hamming_loss": (_count_right, "labels"),
    "subset_accuracy": (_is_exact, "rows"),
    "zero_one_loss": (_is_exact, "rows"),
}


def find_thresholds(
    scores: Scores,
    truth: Truth,
    metric: str,
    *,
    per_label: bool,
    default: float,
    weights: Weights = None,
) -> Scores:
    """Return the score from which each label is predicted, (n_labels,).

    Labels that all rows have get minus infinity, labels that no row has get infinity. Rows count by
    their weights.
    """
    value, unit = THRESHOLD_METRICS[metric]
    # With a mean of 1, so that rounding does not depend on their scale.
    weight = np.ones(len(truth), np.int64) if weights is None else weights / weights.mean()
    n_true = truth.sum(axis=0)
    thresholds = np.where(n_true == 0, np.inf, -np.inf)
    varies = (n_true > 0) & (n_true < len(truth))
    if varies.any():
        # Labels that every row has are predicted rightly; they count in each row.
        n_full = int((n_true == len(truth)).sum())
        own, has = scores[:, varies], truth[:, varies]
        if not per_label:
            thresholds[varies] = _find_common(own, has, weight, value, unit, n_full, default)
        elif unit == "labels":
            thresholds[varies] = [
                _find_common(own[:, [label]], has[:, [label]], weight, value, unit, 0, default)
                for label in range(has.shape[1])
            ]
        elif unit == "cells":
            thresholds[varies] = _search_micro(own, has, weight, n_full, default)
        else:
            thresholds[varies] = _search_rows(own, has, weight, value, n_full, default)
    return thresholds


def _find_common(
    scores: Scores,
    truth: Truth,
    weight: Weight,
    value: Value,
    unit: str,
    n_full: int,
    default: float,
) -> float:
    """Return the best threshold for all columns together."""
    by_cell: Any = np.broadcast_to(weight[:, None], truth.shape)
    full: Any = n_full
    if unit == "labels":
        scores, truth, by_cell, full = scores.T, truth.T, by_cell.T, 0
    elif unit == "cells":
        scores, truth, by_cell = scores.reshape(1, -1), truth.reshape(1, -1), by_cell.reshape(1, -1)
        full = n_full * weight.sum()
    else:
        # The counts of a row are not weighted, but its value.
        by_cell = np.ones_like(truth)
    order = np.argsort(-scores, axis=1, kind="stable")
    own = np.take_along_axis(by_cell, order, axis=1)
    has = np.take_along_axis(truth, order, axis=1) * own
    start = np.zeros((len(has), 1), has.dtype)
    shared = full + np.hstack([start, has.cumsum(axis=1)])
    predicted = full + np.hstack([start, own.cumsum(axis=1)])
    true = full + has.sum(axis=1, keepdims=True)
    steps = np.diff(value(Overlap(shared, true, predicted)), axis=1)
    if unit == "rows":
        steps = steps * weight[:, None]
    return _find_cut(np.take_along_axis(scores, order, axis=1).ravel(), steps.ravel(), default)


def _find_cut(scores: Scores, gains: NDArray[np.floating[Any]], default: float) -> float:
    """Return the threshold with the largest sum of gains of the cells that it predicts.

    Of equally good ones it is the nearest to the default; the default itself if it is as good.
    """
    order = np.argsort(-scores, kind="stable")
    scores = scores[order]
    totals = np.concatenate([[0.0], np.cumsum(gains[order])]).round(DECIMALS)
    # The cut after cell i predicts exactly the thresholds above low[i] and up to high[i].
    high, low = np.append(np.inf, scores), np.append(scores, -np.inf)
    is_best = (high > low) & (totals >= totals[high > low].max())
    high, low = high[is_best], low[is_best]
    distance = np.maximum(0, np.maximum(low - default, default - high))
    return _choose_within(low[distance.argmin()], high[distance.argmin()], default)


def _choose_within(low: float, high: float, default: float) -> float:
    """Return the default if it is above `low` and at most `high`, else a number between them."""
    if low < default <= high:
        return default
    if np.isinf(high):
        return float(np.nextafter(low, np.inf))
    middle = (low + high) / 2
    return float(middle if low < middle <= high else high)


def _search_micro(
    scores: Scores, truth: Truth, weight: Weight, n_full: int, default: float
) -> Scores:
    """Return the thresholds with the largest micro F1, which has the largest micro Jaccard too.

    This is Dinkelbach's method: F1 is at least r if and only if the sum of 2 shared - r (true +
    predicted) is at least 0, and the largest sum is found for each label alone.
    """
    fixed = n_full * weight.sum()
    common = _find_common(scores, truth, weight, F1, "cells", n_full, default)
    thresholds = np.full(truth.shape[1], common)
    ratio = _micro_f1(scores, truth, weight, thresholds, fixed)
    while True:
        found = np.array(
            [
                _find_cut(scores[:, label], weight * (2.0 * truth[:, label] - ratio), default)
                for label in range(truth.shape[1])
            ]
        )
        higher = _micro_f1(scores, truth, weight, found, fixed)
        if higher <= ratio + 10.0**-DECIMALS:
            return thresholds
        thresholds, ratio = found, higher


def _micro_f1(
    scores: Scores, truth: Truth, weight: Weight, thresholds: Scores, fixed: float
) -> float:
    """Return the F1 of all cells, with the weight of further cells, both true and predicted."""
    predicted = scores >= thresholds
    shared, n_true, n_predicted = (
        float(weight @ table.sum(axis=1)) + fixed for table in (truth * predicted, truth, predicted)
    )
    return 2 * shared / (n_true + n_predicted)


def _search_rows(
    scores: Scores, truth: Truth, weight: Weight, value: Value, n_full: int, default: float
) -> Scores:
    """Change one threshold at a time, each to its best, until no change improves the metric.

    The search starts from the best common threshold, so the result is at least as good.
    """
    common = _find_common(scores, truth, weight, value, "rows", n_full, default)
    thresholds = np.full(truth.shape[1], common)
    predicted = (scores >= thresholds).astype(np.int64)
    true = truth.sum(axis=1) + n_full

    def measure(given: Any) -> NDArray[np.float64]:
        shared, predicted = (given * truth).sum(axis=1) + n_full, given.sum(axis=1) + n_full
        return np.asarray(weight * value(Overlap(shared, true, predicted)))

    best, improved = measure(predicted).sum(), True
    while improved:
        improved = False
        for label in range(truth.shape[1]):
            with_label, without = predicted.copy(), predicted.copy()
            with_label[:, label], without[:, label] = 1, 0
            gains = measure(with_label) - measure(without)
            threshold = _find_cut(scores[:, label], gains, default)
            without[:, label] = scores[:, label] >= threshold
            total = measure(without).sum()
            if total > best + 10.0**-DECIMALS:
                thresholds[label], predicted, best, improved = threshold, without, total, True
    return thresholds
