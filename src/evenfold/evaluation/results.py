"""Evaluation: the estimates of several learners and methods, as tables and plain data."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from .._tables.frames import make_frame
from .._tables.numbers import show_count
from .._tables.table import Report, Table
from .estimates import Estimate, compute_mean
from .notes import make_notes
from .tables import make_tables


class Evaluation(Report):
    """The estimates of several learners on the folds of several methods.

    It is made by `evenfold.evaluate` and printed as tables.

    Parameters
    ----------
    about : dict
        What was evaluated: the numbers of rows, labels, features (None for text), parts, folds (0
        for train/test), repeats, groups and bootstrap samples; whether there is a holdout; the
        names of the parts, of the columns of `balance`, of the metrics that compare scores of
        different rows, and of those that are better as means over folds.
    estimates : sequence of Estimate
        One for each learner and method.

    Attributes
    ----------
    about : dict
        What was evaluated.
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
        parts = f"{about['parts']} folds" if about.get("folds", True) else "/".join(about["names"])
        holdout = " and a holdout" if about.get("holdout") else ""
        rows = f"{parts}{holdout} of {about['rows']:,} rows{groups}"
        return f"{rows}, {about['labels']:,} labels, {repeats}"

    def tables(self) -> list[Table]:
        """Return the tables that `print` and notebooks show.

        Returns
        -------
        list of Table
            Estimates with their intervals, means and standard deviations over folds, standard
            errors of these, average ranks.
        """
        return make_tables(self)

    def notes(self) -> list[str]:
        """Describe what is balanced, undefined metrics and failed learners.

        Returns
        -------
        list of str
            A line with the columns of `balance`; for each estimate, what a metric needs and the
            learner lacks, on how many folds or holdouts a metric is undefined, whether scores
            differ between folds, and the first error of the learner; which metrics to report as
            means over folds; what undefined values mean.
        """
        return make_notes(self)

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
            **_list_scores("pooled", estimate.pooled(metric), estimate.interval(metric)),
            "pooled_spread": estimate.pooled_spread(metric),
            **_list_scores("holdout", estimate.holdout(metric), estimate.holdout_interval(metric)),
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


def _list_scores(name: str, value: float, interval: tuple[float, float]) -> dict[str, float]:
    return {name: value, f"{name}_low": interval[0], f"{name}_high": interval[1]}


def _to_plain(value: float) -> float | None:
    return value if np.isfinite(value) else None
