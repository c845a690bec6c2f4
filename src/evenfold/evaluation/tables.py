"""The tables of an evaluation, as they are printed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from .._tables.numbers import show_number, show_with_spread
from .._tables.table import Table, shorten
from .estimates import Estimate

if TYPE_CHECKING:
    from .results import Evaluation

# A function of an estimate and the name of a metric.
_Statistic = Callable[[Estimate, str], float]
# Short names of metrics, for the heads of columns.
_SHORT_NAMES = {
    "average_precision_micro": "micro-AP",
    "average_precision_samples": "example AP",
    "coverage_average_ties": "coverage, average",
    "coverage_random_ties": "coverage, random",
    "label_ranking_average_precision": "LRAP",
    "mean_average_precision": "MAP",
    "one_error_random_ties": "one-error, random",
    "one_error_worst_ties": "one-error, worst",
    "ranking_loss_average_ties": "r. loss, average",
    "ranking_loss_random_ties": "r. loss, random",
    "roc_auc_macro": "macro-AUC",
    "roc_auc_micro": "micro-AUC",
}
_CAPTION_OF_POOLED = "to report: pooled ± half of the 95 % interval"
_CAPTION_OF_TEST = "to report: test rows ± half of the 95 % interval"
_CAPTION_OF_HOLDOUT = "holdout ± half of the 95 % interval"
_CAPTION_OF_MEANS = "to compare splits: mean ± std over folds"
_CAPTION_OF_REPEATS = "mean ± std over repeats"
_CAPTION_OF_STDS = "std over folds ± its standard error"
_CAPTION_OF_RANKS = "average rank of the std over folds; 1 is the lowest"
# With these widths, a title and three metrics fit a terminal of 80 columns.
_MAX_WIDTH = 80
_METRICS_PER_TABLE = 3
_MAX_WIDTH_OF_HEAD = 17
_MAX_WIDTH_OF_METHOD = 20
_MAX_WIDTH_OF_LEARNER = 40


def make_tables(evaluation: Evaluation) -> list[Table]:
    """Return estimates with their intervals, means and std over folds, ranks of the std."""
    about = evaluation.about
    has_folds, has_repeats = bool(about.get("folds", True)), about["repeats"] > 1
    caption = _CAPTION_OF_POOLED if has_folds else _CAPTION_OF_TEST
    shown = _estimate_tables(evaluation, Estimate.pooled, _half_interval, caption)
    if about.get("holdout"):
        shown += _estimate_tables(
            evaluation, Estimate.holdout, _half_holdout_interval, _CAPTION_OF_HOLDOUT
        )
    if not has_folds:
        if has_repeats:
            shown += _estimate_tables(
                evaluation, Estimate.mean, Estimate.mean_spread, _CAPTION_OF_REPEATS
            )
        return shown
    shown += _estimate_tables(evaluation, Estimate.mean, Estimate.std, _CAPTION_OF_MEANS)
    if has_repeats:
        shown += _estimate_tables(evaluation, Estimate.std, Estimate.std_error, _CAPTION_OF_STDS)
    if len(evaluation.methods) > 1:
        shown += [_rank_table(evaluation, metrics) for metrics in _make_groups(evaluation.metrics)]
    return shown


def _estimate_tables(
    evaluation: Evaluation, value: _Statistic, spread: _Statistic, caption: str
) -> list[Table]:
    """Return tables of a value and its spread, for each learner."""
    tables = []
    for learner in evaluation.learners:
        for metrics in _make_groups(evaluation.metrics):
            rows = []
            for method in evaluation.methods:
                own = evaluation[learner, method]
                pairs = [
                    show_with_spread(value(own, name), spread(own, name), 3) for name in metrics
                ]
                rows.append([shorten(method, _MAX_WIDTH_OF_METHOD), *pairs])
            title = f"{shorten(learner, _MAX_WIDTH - len(caption) - 2)}, {caption}"
            tables.append(Table(["", *map(_show_head, metrics)], rows, title))
    return tables


def _rank_table(evaluation: Evaluation, metrics: Sequence[str]) -> Table:
    ranks = evaluation.average_ranks()
    rows = [
        [
            shorten(method, _MAX_WIDTH_OF_METHOD),
            *(show_number(ranks[metric][method]) for metric in metrics),
        ]
        for method in evaluation.methods
    ]
    return Table(["", *map(_show_head, metrics)], rows, _CAPTION_OF_RANKS)


def _half_interval(estimate: Estimate, metric: str) -> float:
    low, high = estimate.interval(metric)
    return (high - low) / 2


def _half_holdout_interval(estimate: Estimate, metric: str) -> float:
    low, high = estimate.holdout_interval(metric)
    return (high - low) / 2


def _make_groups(metrics: Sequence[str]) -> list[Sequence[str]]:
    """Divide the metrics into groups that fit one table."""
    step = _METRICS_PER_TABLE
    return [metrics[start : start + step] for start in range(0, len(metrics), step)]


def _show_head(metric: str) -> str:
    return shorten(_SHORT_NAMES.get(metric, metric.replace("_", " ")), _MAX_WIDTH_OF_HEAD)


def show_name(estimate: Estimate) -> str:
    """Return the names of learner and method, shortened."""
    learner = shorten(estimate.learner, _MAX_WIDTH_OF_LEARNER)
    return f"{learner}, {shorten(estimate.method, _MAX_WIDTH_OF_METHOD)}"
