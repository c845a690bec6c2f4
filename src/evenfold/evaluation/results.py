"""Evaluation: what learners scored on the folds of several methods, as tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._tables.frames import make_frame
from .._tables.numbers import show_number
from .._tables.table import Report, Table, shorten

# What is too long for the head of a column.
_TITLES = {
    "average_precision_micro": "micro-AP",
    "average_precision_samples": "example AP",
    "label_ranking_average_precision": "LRAP",
    "mean_average_precision": "MAP",
    "roc_auc_macro": "macro-AUC",
    "roc_auc_micro": "micro-AUC",
}
_CAPTIONS = {
    "mean": "mean ± std over folds",
    "std": "std over folds ± its standard error",
    "rank": "average rank of the std over folds; 1 is the lowest",
}
# Three columns of figures fit a terminal of 80 columns.
_COLUMNS = 3
_WIDTH_OF_HEAD = 17
_WIDTH_OF_LEARNER = 40
_WIDTH_OF_TITLE = 20
_LEVEL = 0.95


@dataclass(frozen=True, eq=False)
class Estimate:
    """What one learner scored on the folds of one method.

    Attributes
    ----------
    learner, method : their titles
    metrics : the names of the metrics
    values : (n_repeats, n_folds, n_metrics) NaN where a metric is undefined; repeats in which the learner failed are not there
    errors : what it failed with, once for every such repeat

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> y = np.arange(60).reshape(20, 3) % 7 < 3
    >>> result = evenfold.evaluate({"prior": DummyClassifier()}, np.zeros((20, 1)), y, parts=2, repeats=3, methods=["even"], metrics=["hamming_loss"])
    >>> estimate = result["prior", "even"]
    >>> estimate.values.shape, estimate.n_undefined("hamming_loss")
    ((3, 2, 1), 0)
    """

    learner: str
    method: str
    metrics: Sequence[str]
    values: NDArray[np.float64]
    errors: Sequence[str]

    @property
    def n_repeats(self) -> int:
        """Number of repeats that have values."""
        return len(self.values)

    def mean(self, metric: str) -> float:
        """Mean over folds and repeats; NaN where one fold has no value."""
        return _mean(self._folds(metric).ravel())

    def std(self, metric: str) -> float:
        """Standard deviation over the folds of a repeat, averaged over repeats: what Sechidis et al. (2011) judge methods by."""
        return _mean(self._stds(metric))

    def std_error(self, metric: str) -> float:
        """Standard error of `std`, from its differences between repeats; NaN for fewer than two."""
        return (
            float(np.std(self._stds(metric), ddof=1) / np.sqrt(self.n_repeats))
            if self.n_repeats > 1
            else float("nan")
        )

    def std_interval(self, metric: str) -> tuple[float, float]:
        """95 % interval of `std`, by Student's t over repeats; NaN for fewer than two."""
        from scipy import stats

        reach = float(stats.t.ppf((1 + _LEVEL) / 2, max(1, self.n_repeats - 1))) * self.std_error(
            metric
        )
        return self.std(metric) - reach, self.std(metric) + reach

    def mean_spread(self, metric: str) -> float:
        """Standard deviation over repeats of the mean over folds, that is of the cross-validation estimate; NaN for fewer than two."""
        return (
            float(np.std(self._folds(metric).mean(axis=1), ddof=1))
            if self.n_repeats > 1
            else float("nan")
        )

    def n_undefined(self, metric: str) -> int:
        """Number of folds on which the metric has no value."""
        return int(np.isnan(self._folds(metric)).sum())

    def _folds(self, metric: str) -> NDArray[np.float64]:
        if metric not in self.metrics:
            raise KeyError(f"{metric!r} was not measured. Metrics: {', '.join(self.metrics)}")
        return self.values[:, :, self.metrics.index(metric)]

    def _stds(self, metric: str) -> NDArray[np.float64]:
        return np.asarray(np.std(self._folds(metric), axis=1, ddof=1))


class Evaluation(Report):
    """Several learners on the folds of several methods. Made by `evenfold.evaluate`; printed as tables.

    Attributes
    ----------
    about : rows, labels, features, parts, repeats, groups
    estimates : one `Estimate` per learner and method, in the order asked for
    learners, methods, metrics : their titles

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> y = np.arange(60).reshape(20, 3) % 7 < 3
    >>> result = evenfold.evaluate({"prior": DummyClassifier()}, np.zeros((20, 1)), y, parts=2, repeats=2, metrics=["hamming_loss"])
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
            f"{key!r} was not evaluated. Learners: {', '.join(self.learners)}; methods: {', '.join(self.methods)}"
        )

    def __iter__(self) -> Iterator[Estimate]:
        return iter(self.estimates)

    def __len__(self) -> int:
        return len(self.estimates)

    def ranks(self, learner: str, metric: str) -> dict[str, float]:
        """Return the rank of each method by its std, 1 for the lowest, equal ones sharing theirs; NaN for all where one std is undefined."""
        from scipy import stats

        stds = [self[learner, method].std(metric) for method in self.methods]
        return dict(
            zip(self.methods, stats.rankdata(stds, nan_policy="propagate").tolist(), strict=True)
        )

    def average_ranks(self) -> dict[str, dict[str, float]]:
        """Return metric → method → mean rank over learners, as `average_ranks` of this evaluation alone."""
        return average_ranks([self])

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers, strings and lists, fit for JSON; what is undefined is None."""
        ranks = {
            metric: {method: _plain(rank) for method, rank in own.items()}
            for metric, own in self.average_ranks().items()
        }
        return {
            **self.about,
            "estimates": self._records(),
            "average_ranks": ranks,
            "notes": self.notes(),
        }

    def to_frame(self, backend: str | None = None) -> Any:
        """Return a frame with one line per learner, method and metric.

        Parameters
        ----------
        backend : "pandas", "polars" or "pyarrow"; default the first of these that is installed
        """
        records = self._records()
        return make_frame(
            {name: [record[name] for record in records] for name in records[0]}, backend
        )

    def title(self) -> str:
        """Say what was evaluated."""
        groups = f" in {self.about['groups']:,} groups" if self.about["groups"] else ""
        repeats = f"{self.about['repeats']} repeat{'' if self.about['repeats'] == 1 else 's'}"
        return f"{self.about['parts']} folds of {self.about['rows']:,} rows{groups}, {self.about['labels']:,} labels, {repeats}"

    def tables(self) -> list[Table]:
        """Return what `print` and notebooks show: means and standard deviations over folds, their standard errors, average ranks."""
        shown = [
            self._table(learner, "mean", "std", metrics)
            for learner in self.learners
            for metrics in _cut(self.metrics)
        ]
        if self.about["repeats"] > 1:
            shown += [
                self._table(learner, "std", "std_error", metrics)
                for learner in self.learners
                for metrics in _cut(self.metrics)
            ]
        ranks = self.average_ranks()
        if len(self.methods) > 1:
            shown += [self._rank_table(ranks, metrics) for metrics in _cut(self.metrics)]
        return shown

    def notes(self) -> list[str]:
        """Say on how many folds a metric has no value, and which learner failed why."""
        said = []
        for estimate in self.estimates:
            n_folds = estimate.n_repeats * self.about["parts"]
            counts = [
                f"no {name} on {estimate.n_undefined(name)}"
                for name in self.metrics
                if estimate.n_undefined(name)
            ]
            if counts:
                said.append(f"{_name(estimate)}: {', '.join(counts)} of {n_folds} folds.")
            if estimate.errors:
                said.append(
                    f"{_name(estimate)}: failed in {len(estimate.errors)} of {self.about['repeats']} repeats, first with {estimate.errors[0]}"
                )
        return said

    def __repr__(self) -> str:
        return f"<Evaluation of {', '.join(self.learners)} on {', '.join(self.methods)}>"

    def _table(self, learner: str, value: str, spread: str, metrics: Sequence[str]) -> Table:
        rows = []
        for method in self.methods:
            estimate = self[learner, method]
            cells = [
                _show_pair(getattr(estimate, value)(metric), getattr(estimate, spread)(metric))
                for metric in metrics
            ]
            rows.append([shorten(method, _WIDTH_OF_TITLE), *cells])
        return Table(
            ["", *map(_head, metrics)],
            rows,
            f"{shorten(learner, _WIDTH_OF_LEARNER)}: {_CAPTIONS[value]}",
        )

    def _rank_table(self, ranks: dict[str, dict[str, float]], metrics: Sequence[str]) -> Table:
        rows = [
            [
                shorten(method, _WIDTH_OF_TITLE),
                *(show_number(ranks[metric][method]) for metric in metrics),
            ]
            for method in self.methods
        ]
        return Table(["", *map(_head, metrics)], rows, _CAPTIONS["rank"])

    def _records(self) -> list[dict[str, Any]]:
        records = []
        for estimate in self.estimates:
            for metric in self.metrics:
                low, high = estimate.std_interval(metric)
                figures = {
                    "mean": estimate.mean(metric),
                    "std": estimate.std(metric),
                    "std_error": estimate.std_error(metric),
                }
                figures |= {
                    "std_low": low,
                    "std_high": high,
                    "mean_spread": estimate.mean_spread(metric),
                }
                figures["rank"] = self.ranks(estimate.learner, metric)[estimate.method]
                record: dict[str, Any] = {
                    "learner": estimate.learner,
                    "method": estimate.method,
                    "metric": metric,
                }
                record |= {name: _plain(figure) for name, figure in figures.items()}
                record |= {"undefined": estimate.n_undefined(metric), "repeats": estimate.n_repeats}
                records.append({**record, "error": estimate.errors[0] if estimate.errors else ""})
        return records


def average_ranks(evaluations: Iterable[Evaluation]) -> dict[str, dict[str, float]]:
    """Return metric → method → mean rank of its std over all learners of all evaluations, as in Tables 4 and 5 of Sechidis et al. (2011).

    Where the std of one method is undefined, no rank counts; the mean is NaN where nothing is left.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> y = np.arange(60).reshape(20, 3) % 7 < 3
    >>> result = evenfold.evaluate({"prior": DummyClassifier()}, np.zeros((20, 1)), y, parts=2, metrics=["hamming_loss"], methods=["random", "even"])
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
        metric: {method: _mean(np.array(own)[~np.isnan(own)]) for method, own in methods.items()}
        for metric, methods in collected.items()
    }


def _mean(values: NDArray[np.float64]) -> float:
    return float(values.mean()) if len(values) else float("nan")


def _show_pair(value: float, spread: float) -> str:
    """Show as many decimals as give the spread three digits."""
    if np.isnan(value) or np.isnan(spread):
        return f"{show_number(value)} ± {show_number(spread)}"
    decimals = min(6, max(0, 2 - math.floor(math.log10(spread)))) if spread > 0 else 4
    return f"{value:,.{decimals}f} ± {spread:.{decimals}f}"


def _cut(metrics: Sequence[str]) -> list[Sequence[str]]:
    return [metrics[start : start + _COLUMNS] for start in range(0, len(metrics), _COLUMNS)]


def _head(metric: str) -> str:
    return shorten(_TITLES.get(metric, metric.replace("_", " ")), _WIDTH_OF_HEAD)


def _name(estimate: Estimate) -> str:
    return f"{shorten(estimate.learner, _WIDTH_OF_LEARNER)}, {shorten(estimate.method, _WIDTH_OF_TITLE)}"


def _plain(value: float) -> float | None:
    return value if np.isfinite(value) else None
