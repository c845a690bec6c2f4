"""Evaluation: the estimates of several learners and methods, as tables and plain data."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from .._tables.frames import make_frame
from .._tables.numbers import show_count, show_number
from .._tables.table import Report, Table, shorten
from .estimates import Estimate, compute_mean

# A function of an estimate and the name of a metric.
_Statistic = Callable[[Estimate, str], float]
# Short names of metrics, for the heads of columns.
_SHORT_NAMES = {
    "average_precision_micro": "micro-AP",
    "average_precision_samples": "example AP",
    "label_ranking_average_precision": "LRAP",
    "mean_average_precision": "MAP",
    "roc_auc_macro": "macro-AUC",
    "roc_auc_micro": "micro-AUC",
}
_CAPTION_OF_MEANS = "mean ± std over folds"
_CAPTION_OF_STDS = "std over folds ± its standard error"
_CAPTION_OF_RANKS = "average rank of the std over folds; 1 is the lowest"
# With these widths, a title and three metrics fit a terminal of 80 columns.
_METRICS_PER_TABLE = 3
_MAX_WIDTH_OF_HEAD = 17
_MAX_WIDTH_OF_METHOD = 20
_MAX_WIDTH_OF_LEARNER = 40


class Evaluation(Report):
    """The estimates of several learners on the folds of several methods.

    It is made by `evenfold.evaluate` and printed as tables.

    Parameters
    ----------
    about : dict
        The numbers of rows, labels, features, parts, repeats and groups.
    estimates : sequence of Estimate
        One for each learner and method.

    Attributes
    ----------
    about : dict
        The numbers of rows, labels, features, parts, repeats and groups.
    estimates : list of Estimate
        One for each learner and method, in the order of the arguments.
    learners : list of str
        The titles of the learners.
    methods : list of str
        The titles of the methods.
    metrics : list of str
        The names of the metrics.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> X, y = np.zeros((20, 1)), np.arange(60).reshape(20, 3) % 7 < 3
    >>> result = evenfold.evaluate({"prior": DummyClassifier()}, X, y, parts=2, repeats=2)
    >>> result.methods
    ['random', 'labelset', 'iterative', 'even']
    >>> result.to_frame("pyarrow").column_names[:5]
    ['learner', 'method', 'metric', 'mean', 'std']
    """

    def __init__(self, about: dict[str, Any], estimates: Sequence[Estimate]) -> None:
        self.about = about
        self.estimates = list(estimates)
        self.learners = list(dict.fromkeys(estimate.learner for estimate in self.estimates))
        self.methods = list(dict.fromkeys(estimate.method for estimate in self.estimates))
        self.metrics = list(self.estimates[0].metrics)

    def __getitem__(self, key: tuple[str, str]) -> Estimate:
        for estimate in self.estimates:
            if (estimate.learner, estimate.method) == key:
                return estimate
        raise KeyError(
            f"{key!r} was not evaluated. Learners: {', '.join(self.learners)}; "
            f"methods: {', '.join(self.methods)}"
        )

    def __iter__(self) -> Iterator[Estimate]:
        return iter(self.estimates)

    def __len__(self) -> int:
        return len(self.estimates)

    def __repr__(self) -> str:
        return f"<Evaluation of {', '.join(self.learners)} on {', '.join(self.methods)}>"

    def ranks(self, learner: str, metric: str) -> dict[str, float]:
        """Rank the methods by their std, the lowest first.

        Parameters
        ----------
        learner : str
            The title of a learner.
        metric : str
            The name of a metric.

        Returns
        -------
        dict of str to float
            The rank of each method, from 1. Equal values share the mean of their ranks. All
            ranks are NaN if one std is undefined.
        """
        from scipy import stats

        stds = [self[learner, method].std(metric) for method in self.methods]
        ranks = stats.rankdata(stds, nan_policy="propagate").tolist()
        return dict(zip(self.methods, ranks, strict=True))

    def average_ranks(self) -> dict[str, dict[str, float]]:
        """Average the ranks of the methods over learners.

        Returns
        -------
        dict of str to dict
            Metric → method → mean rank: `average_ranks` of this evaluation alone.
        """
        return average_ranks([self])

    def to_dict(self) -> dict[str, Any]:
        """Return plain data that can be written as JSON.

        Returns
        -------
        dict
            Numbers, strings and lists; undefined values are None.
        """
        ranks = {
            metric: {method: _to_plain(rank) for method, rank in own.items()}
            for metric, own in self.average_ranks().items()
        }
        return {
            **self.about,
            "estimates": self._records(),
            "average_ranks": ranks,
            "notes": self.notes(),
        }

    def to_frame(self, backend: str | None = None) -> Any:
        """Return a frame with one row for each learner, method and metric.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default=None
            The package of the frame. None: the first of these that is installed.

        Returns
        -------
        DataFrame or Table
            The frame.
        """
        records = self._records()
        columns = {name: [record[name] for record in records] for name in records[0]}
        return make_frame(columns, backend)

    def title(self) -> str:
        """Describe what was evaluated.

        Returns
        -------
        str
            One line.
        """
        about = self.about
        groups = f" in {about['groups']:,} groups" if about["groups"] else ""
        repeats = show_count(about["repeats"], "repeat")
        rows = f"{about['parts']} folds of {about['rows']:,} rows{groups}"
        return f"{rows}, {about['labels']:,} labels, {repeats}"

    def tables(self) -> list[Table]:
        """Return the tables that `print` and notebooks show.

        Returns
        -------
        list of Table
            Means and standard deviations over folds, their standard errors, average ranks.
        """
        shown = self._estimate_tables(Estimate.mean, Estimate.std, _CAPTION_OF_MEANS)
        if self.about["repeats"] > 1:
            shown += self._estimate_tables(Estimate.std, Estimate.std_error, _CAPTION_OF_STDS)
        if len(self.methods) > 1:
            ranks = self.average_ranks()
            shown += [self._rank_table(ranks, metrics) for metrics in _make_groups(self.metrics)]
        return shown

    def notes(self) -> list[str]:
        """Describe undefined metrics and failed learners.

        Returns
        -------
        list of str
            One line for each estimate with folds on which a metric is undefined, and one for
            each estimate whose learner failed.
        """
        lines = []
        for estimate in self.estimates:
            name = _show_name(estimate)
            n_folds = estimate.n_repeats * self.about["parts"]
            counts = [
                f"no {metric} on {estimate.n_undefined(metric)}"
                for metric in self.metrics
                if estimate.n_undefined(metric)
            ]
            if counts:
                lines.append(f"{name}: {', '.join(counts)} of {n_folds} folds.")
            if estimate.errors:
                lines.append(
                    f"{name}: failed in {len(estimate.errors)} of {self.about['repeats']} repeats, "
                    f"first with {estimate.errors[0]}"
                )
        return lines

    def _estimate_tables(self, value: _Statistic, spread: _Statistic, caption: str) -> list[Table]:
        """Return tables of a value and its spread, for each learner."""
        tables = []
        for learner in self.learners:
            for metrics in _make_groups(self.metrics):
                rows = []
                for method in self.methods:
                    own = self[learner, method]
                    pairs = [_show_pair(value(own, name), spread(own, name)) for name in metrics]
                    rows.append([shorten(method, _MAX_WIDTH_OF_METHOD), *pairs])
                title = f"{shorten(learner, _MAX_WIDTH_OF_LEARNER)}: {caption}"
                tables.append(Table(["", *map(_show_head, metrics)], rows, title))
        return tables

    def _rank_table(self, ranks: dict[str, dict[str, float]], metrics: Sequence[str]) -> Table:
        rows = [
            [
                shorten(method, _MAX_WIDTH_OF_METHOD),
                *(show_number(ranks[metric][method]) for metric in metrics),
            ]
            for method in self.methods
        ]
        return Table(["", *map(_show_head, metrics)], rows, _CAPTION_OF_RANKS)

    def _records(self) -> list[dict[str, Any]]:
        """Return one record for each learner, method and metric, undefined values as None."""
        return [
            self._record(estimate, metric) for estimate in self.estimates for metric in self.metrics
        ]

    def _record(self, estimate: Estimate, metric: str) -> dict[str, Any]:
        low, high = estimate.std_interval(metric)
        numbers = {
            "mean": estimate.mean(metric),
            "std": estimate.std(metric),
            "std_error": estimate.std_error(metric),
            "std_low": low,
            "std_high": high,
            "mean_spread": estimate.mean_spread(metric),
            "rank": self.ranks(estimate.learner, metric)[estimate.method],
        }
        return {
            "learner": estimate.learner,
            "method": estimate.method,
            "metric": metric,
            **{name: _to_plain(number) for name, number in numbers.items()},
            "undefined": estimate.n_undefined(metric),
            "repeats": estimate.n_repeats,
            "error": estimate.errors[0] if estimate.errors else "",
        }


def average_ranks(evaluations: Iterable[Evaluation]) -> dict[str, dict[str, float]]:
    """Average the ranks of methods by their std over all learners of all evaluations.

    These are the ranks of Tables 4 and 5 of Sechidis et al. (2011).

    Parameters
    ----------
    evaluations : iterable of Evaluation
        The evaluations.

    Returns
    -------
    dict of str to dict
        Metric → method → mean rank. If the std of one method is undefined, the ranks of that
        learner do not count. The mean is NaN if no ranks count.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> X, y = np.zeros((20, 1)), np.arange(60).reshape(20, 3) % 7 < 3
    >>> result = evenfold.evaluate(DummyClassifier(), X, y, 2, methods=["random", "even"])
    >>> sum(evenfold.evaluation.average_ranks([result])["hamming_loss"].values())
    3.0
    """
    collected: dict[str, dict[str, list[float]]] = {}
    for evaluation in evaluations:
        for metric in evaluation.metrics:
            for learner in evaluation.learners:
                for method, rank in evaluation.ranks(learner, metric).items():
                    collected.setdefault(metric, {}).setdefault(method, []).append(rank)
    return {
        metric: {
            method: compute_mean(np.array(own)[~np.isnan(own)]) for method, own in methods.items()
        }
        for metric, methods in collected.items()
    }


def _show_pair(value: float, spread: float) -> str:
    """Show both numbers with as many decimals as give the spread three digits."""
    if np.isnan(value) or np.isnan(spread):
        return f"{show_number(value)} ± {show_number(spread)}"
    decimals = min(6, max(0, 2 - math.floor(math.log10(spread)))) if spread > 0 else 4
    return f"{value:,.{decimals}f} ± {spread:.{decimals}f}"


def _make_groups(metrics: Sequence[str]) -> list[Sequence[str]]:
    """Divide the metrics into groups that fit one table."""
    step = _METRICS_PER_TABLE
    return [metrics[start : start + step] for start in range(0, len(metrics), step)]


def _show_head(metric: str) -> str:
    return shorten(_SHORT_NAMES.get(metric, metric.replace("_", " ")), _MAX_WIDTH_OF_HEAD)


def _show_name(estimate: Estimate) -> str:
    learner = shorten(estimate.learner, _MAX_WIDTH_OF_LEARNER)
    return f"{learner}, {shorten(estimate.method, _MAX_WIDTH_OF_METHOD)}"


def _to_plain(value: float) -> float | None:
    return value if np.isfinite(value) else None
