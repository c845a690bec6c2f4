"""What a comparison or an evaluation says, as a headline and a few sentences."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .._tables.numbers import show_count, show_number
from .._tables.table import shorten
from ..evaluation.results import Evaluation
from ..metrics.names import METRICS
from ..quality.measures import find_measure
from ..splits.comparison import Comparison

# What is compared of splits, each with what it says is even.
MEASURES_COMPARED = {"rld": "labels", "rld_pairs": "label pairs", "rld_labelsets": "labelsets"}
_MAX_NAMED = 4
_WIDTH_OF_NAME = 24
# Means that differ by less are equal.
_ROUNDING = 1e-9


def list_measures(comparison: Comparison) -> list[str]:
    """Return the measures of `MEASURES_COMPARED` that some method has a value of."""
    return [
        name
        for name in MEASURES_COMPARED
        if any(math.isfinite(outcome.mean(name)) for outcome in comparison)
    ]


def describe_result(result: Comparison | Evaluation) -> tuple[str, list[str]]:
    """Return a headline, and a sentence on each measure or metric."""
    if isinstance(result, Comparison):
        return _describe_comparison(result)
    return _describe_evaluation(result)


def _describe_comparison(comparison: Comparison) -> tuple[str, list[str]]:
    sentences, headline = [], "No method was run"
    for name in list_measures(comparison):
        mean = {outcome.title: outcome.mean(name) for outcome in comparison}
        mean = {title: value for title, value in mean.items() if math.isfinite(value)}
        least = min(mean.values())
        equal = [title for title, value in mean.items() if value <= least + _ROUNDING]
        bound = next(own.bound(name) for own in comparison if own.title == equal[0])
        if name == "rld":
            headline = f"Most even labels: {_join(equal)}"
        sentences.append(
            f"{find_measure(name).title} ({MEASURES_COMPARED[name]}): lowest with {_join(equal)}, "
            f"{_show_bound(least, bound)}{_describe_random(mean, least)}."
        )
    return headline, sentences


def _show_bound(least: float, bound: float) -> str:
    if not math.isfinite(bound):
        return show_number(least)
    if least <= bound + _ROUNDING:
        return f"{show_number(least)}, the best possible"
    if show_number(least) == show_number(bound):
        return f"{show_number(least)}, nearly the best possible"
    return f"{show_number(least)}; no split is below {show_number(bound)}"


def _describe_random(mean: dict[str, float], least: float) -> str:
    random = mean.get("random", math.nan)
    return "" if math.isnan(random) or random <= least else f"; random {show_number(random)}"


def _describe_evaluation(evaluation: Evaluation) -> tuple[str, list[str]]:
    sentences, best_of_metric = [], {}
    # It is not known of other metrics, which users may pass, whether greater is better.
    for metric in [name for name in evaluation.metrics if name in METRICS]:
        found = {}
        for learner in evaluation.learners:
            own = [evaluation[learner, method].pooled(metric) for method in evaluation.methods]
            known = [value for value in own if math.isfinite(value)]
            if known:
                found[learner] = (min(known), max(known))
        if not found:
            continue
        is_greater_better = METRICS[metric].greater_is_better
        order = sorted(found, key=found.__getitem__, reverse=is_greater_better)
        shown = [f"{shorten(name, _WIDTH_OF_NAME)} {_show_range(*found[name])}" for name in order]
        direction = "higher" if is_greater_better else "lower"
        name = metric.replace("_", " ")
        sentences.append(f"{name} ({direction} is better): {'; '.join(shown[:_MAX_NAMED])}.")
        best_of_metric[metric] = order[0]
    n_learners, best = len(evaluation.learners), set(best_of_metric.values())
    on = f"on the folds of {show_count(len(evaluation.methods), 'method')}"
    if not evaluation.about.get("folds", True):
        on = f"on the parts of {show_count(len(evaluation.methods), 'method')}"
    if n_learners == 1:
        headline = f"{shorten(evaluation.learners[0], _WIDTH_OF_NAME)} {on}"
    elif len(best) == 1:
        named = shorten(best.pop(), _WIDTH_OF_NAME)
        headline = f"Best in {_count_all(len(best_of_metric))}: {named}"
    else:
        headline = f"{show_count(n_learners, 'learner')} {on}: the best differs by metric"
    return headline, sentences


def _count_all(n_metrics: int) -> str:
    return "the metric" if n_metrics == 1 else f"all {n_metrics} metrics"


def _show_range(lowest: float, highest: float) -> str:
    low, high = show_number(lowest), show_number(highest)
    return low if low == high else f"{low} to {high}"


def _join(names: Sequence[str]) -> str:
    shown = [shorten(name, _WIDTH_OF_NAME) for name in names]
    if len(shown) > _MAX_NAMED:
        shown = [*shown[:_MAX_NAMED], f"{len(shown) - _MAX_NAMED} more"]
    *first, last = shown
    return f"{', '.join(first)} and {last}" if first else last
