"""The notes of an evaluation: what is balanced, what has no value and why, and what failed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from .._tables.numbers import show_count
from ..labels.balances import describe_balance
from .estimates import Estimate
from .tables import show_name

if TYPE_CHECKING:
    from .results import Evaluation

_NO_MEAN = "A mean over folds needs a value on every fold, the pooled value does not."
_NO_POOLED = (
    "A metric of all test rows has no value if a label is in none of them. The argument "
    "'undefined' says what then counts; \"skip\" leaves such labels out."
)


def make_notes(evaluation: Evaluation) -> list[str]:
    """Return the notes on all estimates, then what they have in common."""
    lines = describe_balance(evaluation.about.get("balance", []))
    for estimate in evaluation.estimates:
        lines += [f"{show_name(estimate)}: {text}" for text in _describe(estimate, evaluation)]
    lines += [
        f"{metric}: report the mean over folds, which is closer to the truth than the pooled value."
        for metric in evaluation.about.get("better_as_mean", [])
        if any(not np.isnan(own.mean(metric)) for own in evaluation if own.values.shape[1] > 1)
    ]
    undefined = [
        (estimate, metric)
        for estimate in evaluation.estimates
        for metric in evaluation.metrics
        if estimate.n_undefined(metric) and metric not in estimate.lacking
    ]
    has_no_pooled = [np.isnan(estimate.pooled(metric)) for estimate, metric in undefined]
    if not all(has_no_pooled):
        lines.append(_NO_MEAN)
    if any(has_no_pooled):
        lines.append(_NO_POOLED)
    return lines


def _describe(estimate: Estimate, evaluation: Evaluation) -> Iterator[str]:
    about, metrics = evaluation.about, evaluation.metrics
    for needs in dict.fromkeys(estimate.lacking.values()):
        names = [metric for metric in metrics if estimate.lacking.get(metric) == needs]
        yield f"no {', '.join(names)}, because the learner has no {needs}."
    n_folds = estimate.n_repeats * estimate.values.shape[1]
    counts = [
        f"no {metric} on {estimate.n_undefined(metric)}"
        for metric in metrics
        if estimate.n_undefined(metric) and metric not in estimate.lacking
    ]
    if counts:
        yield f"{', '.join(counts)} of {show_count(n_folds, 'fold')}."
    if estimate.holdout_scores is not None:
        is_undefined = np.isnan(estimate.holdout_scores.values).sum(axis=0)
        counts = [
            f"no {metric} on {number}"
            for metric, number in zip(metrics, is_undefined, strict=True)
            if number and metric not in estimate.lacking
        ]
        if counts:
            yield f"{', '.join(counts)} of {show_count(estimate.n_repeats, 'holdout')}."
    if estimate.has_shifted_scores():
        yield (
            "the scores of different folds are not on one scale, so the pooled "
            f"{' and '.join(about['compares_rows'])} may be too low. Take the mean "
            "over folds, or a learner with calibrated probabilities."
        )
    if estimate.errors:
        yield (
            f"failed in {len(estimate.errors)} of {about['repeats']} repeats, "
            f"first with {estimate.errors[0]}"
        )
