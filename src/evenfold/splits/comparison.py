"""Comparison: the results of several methods on the same rows, as a table."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._tables.frames import make_frame
from .._tables.numbers import NO_VALUE, show_count, show_excess, show_number, show_with_spread
from .._tables.table import Report, Table, shorten
from ..labels.balances import describe_balance
from ..quality.measure_record import Measure, excess_over
from ..quality.measures import MEASURES, find_measure

# Measures in one table at most, and the columns of a terminal.
_MAX_COLUMNS = 6
_MAX_WIDTH = 80
_WIDTH_OF_TITLE = 20


@dataclass(frozen=True, eq=False)
class Outcome:
    """The result of one method: measures and bounds of each repeat, and the time.

    Attributes
    ----------
    title : str
        The method, with what is set to other than its default.
    measured : sequence of dict
        For each repeat, value and bound of each measure by name.
    seconds : sequence of float
        The time that each repeat took.
    note : str
        Why the method was skipped or not repeated; else empty.

    Examples
    --------
    >>> outcome = evenfold.compare([["a"], ["b"]] * 10, 2, methods=["even"], repeats=2)["even"]
    >>> outcome.mean("rld"), outcome.spread("rld"), outcome.bound("rld")
    (0.0, 0.0, 0.0)
    """

    title: str
    measured: Sequence[dict[str, tuple[float, float]]]
    seconds: Sequence[float]
    note: str

    @property
    def n_runs(self) -> int:
        """Number of splits made; 0 if the method was skipped."""
        return len(self.measured)

    def mean(self, measure: Measure[Any] | str) -> float:
        """Return the mean of a measure over repeats.

        Parameters
        ----------
        measure : Measure or str
            The measure or its name, such as `Quality.rld` or "rld".

        Returns
        -------
        float
            The mean; NaN if the method was skipped.
        """
        return _mean(self._list_values(measure))

    def spread(self, measure: Measure[Any] | str) -> float:
        """Return the standard deviation of a measure over repeats.

        Parameters
        ----------
        measure : Measure or str
            The measure or its name, such as `Quality.rld` or "rld".

        Returns
        -------
        float
            The standard deviation; NaN for fewer than two repeats.
        """
        values = self._list_values(measure)
        return float(np.std(values, ddof=1)) if len(values) > 1 else math.nan

    def bound(self, measure: Measure[Any] | str) -> float:
        """Return the mean of a measure's bound over repeats.

        Parameters
        ----------
        measure : Measure or str
            The measure or its name, such as `Quality.rld` or "rld".

        Returns
        -------
        float
            The mean bound; NaN if the measure has none or the method was skipped.
        """
        name = find_measure(measure).name
        return _mean([own[name][1] for own in self.measured])

    def _list_values(self, measure: Measure[Any] | str) -> list[float]:
        """Return the value of a measure in each repeat."""
        name = find_measure(measure).name
        return [own[name][0] for own in self.measured]

    def mean_seconds(self) -> float:
        """Return the mean time of one split, without the time to measure it.

        Returns
        -------
        float
            Seconds; NaN if the method was skipped.
        """
        return _mean(list(self.seconds))

    def excess(self) -> float:
        """Return how far the mean rLD is above its mean bound.

        Returns
        -------
        float
            Mean rLD / mean bound - 1; infinite if only the bound is 0.
        """
        return excess_over(self.mean("rld"), self.bound("rld"))


class Comparison(Report):
    """Several methods on the same rows, printed as a table; smaller is better.

    Made by `evenfold.compare`.

    Attributes
    ----------
    outcomes : list of Outcome
        One for each method, in the order of the call.
    about : dict
        Rows, labels, parts, shares, repeats, groups, the names of balanced columns, and what was
        left out of the label pairs.

    Examples
    --------
    >>> labels = [["a", "b"], ["a"], ["b"], []] * 25
    >>> table = evenfold.compare(labels, 5, methods=["even", "random"], repeats=2)
    >>> [outcome.title for outcome in table]
    ['even', 'random']
    >>> table.to_frame("pyarrow").column_names[:3]
    ['method', 'runs', 'seconds']
    """

    def __init__(self, about: dict[str, Any], outcomes: Sequence[Outcome]) -> None:
        self.about = about
        self.outcomes = list(outcomes)

    def __getitem__(self, title: str) -> Outcome:
        for outcome in self.outcomes:
            if outcome.title == title:
                return outcome
        raise KeyError(f"{title!r} was not compared. Methods: {self._list_titles()}")

    def __iter__(self) -> Iterator[Outcome]:
        return iter(self.outcomes)

    def __len__(self) -> int:
        return len(self.outcomes)

    def __repr__(self) -> str:
        return f"<Comparison of {self._list_titles()}>"

    def _list_titles(self) -> str:
        return ", ".join(outcome.title for outcome in self.outcomes)

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers, strings and lists, fit for JSON.

        Returns
        -------
        dict
            What was compared, and a record for each method. Undefined and infinite numbers are
            None.
        """
        return {**self.about, "methods": [_make_record(outcome) for outcome in self.outcomes]}

    def to_frame(self, backend: str | None = None) -> Any:
        """Return a frame with one line per method.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default=None
            The library of the frame; None: the first of these that is installed.

        Returns
        -------
        frame
            Method, runs, seconds, excess, and for each measure its mean, `_std` over repeats and
            `_bound`.
        """
        columns: dict[str, list[Any]] = {}
        for record in map(_make_record, self.outcomes):
            note = record.pop("note")
            for name, value in record.items():
                if isinstance(value, dict):
                    for suffix, key in (("", "mean"), ("_std", "std"), ("_bound", "bound")):
                        columns.setdefault(name + suffix, []).append(value[key])
                else:
                    columns.setdefault(name, []).append(value)
            columns.setdefault("note", []).append(note)
        return make_frame(columns, backend)

    def title(self) -> str:
        """Return what was compared."""
        about = self.about
        groups = f" in {about['groups']:,} groups" if about["groups"] else ""
        return (
            f"{about['parts']} parts of {about['rows']:,} rows{groups}, {about['labels']:,} "
            f"labels, {show_count(about['repeats'], 'repeat')}; smaller is better"
        )

    def tables(self) -> list[Table]:
        """Return what `print` and notebooks show: means and bounds, with the std over repeats."""
        return [self._make_table(measures) for measures in self._group_measures()]

    def _group_measures(self) -> list[list[Measure[Any]]]:
        """Return the measures of each table, as many as fit; label pairs have their own."""
        groups: list[list[Measure[Any]]] = []
        for of_pairs in (False, True):
            groups.append([])
            for measure in MEASURES:
                if (measure.level == "pairs") == of_pairs:
                    wider = [*groups[-1], measure]
                    if (
                        len(wider) > _MAX_COLUMNS
                        or _find_width(self._make_table(wider)) > _MAX_WIDTH
                    ):
                        groups.append([])
                    groups[-1].append(measure)
        return groups

    def notes(self) -> list[str]:
        """Return what is balanced, methods that were skipped or not repeated, what was left out."""
        noted = [f"{outcome.title} {outcome.note}." for outcome in self.outcomes if outcome.note]
        left_out = [self.about["left_out"]] if self.about["left_out"] else []
        return [*describe_balance(self.about["balance"]), *noted, *left_out]

    def _make_table(self, measures: Sequence[Measure[Any]]) -> Table:
        names = [measure.name for measure in measures]
        with_seconds = "rld" in names
        is_repeated = any(outcome.n_runs > 1 for outcome in self.outcomes)
        heading = [
            "mean ± std" if is_repeated else "mean",
            *(measure.title for measure in measures),
        ]
        rows = []
        for outcome in self.outcomes:
            cells = [show_with_spread(outcome.mean(name), outcome.spread(name)) for name in names]
            if with_seconds:
                seconds = f"{outcome.mean_seconds():.2g}" if outcome.n_runs else NO_VALUE
                excess = show_excess(outcome.mean("rld"), outcome.bound("rld"), outcome.excess())
                cells += [excess, seconds]
            rows.append([shorten(outcome.title, _WIDTH_OF_TITLE), *cells])
        run = [outcome for outcome in self.outcomes if outcome.n_runs]
        if run:
            # The bound depends on the sizes that a method reaches; that of the first is shown.
            bounds = [show_number(run[0].bound(name)) for name in names]
            rows.append(["bound", *bounds, *(["", ""] if with_seconds else [])])
        return Table([*heading, *(["excess", "s"] if with_seconds else [])], rows)


def _make_record(outcome: Outcome) -> dict[str, Any]:
    measured = {
        measure.name: {
            "mean": _finite_or_none(outcome.mean(measure.name)),
            "std": _finite_or_none(outcome.spread(measure.name)),
            "bound": _finite_or_none(outcome.bound(measure.name)),
        }
        for measure in MEASURES
    }
    return {
        "method": outcome.title,
        "runs": outcome.n_runs,
        "seconds": _finite_or_none(outcome.mean_seconds()),
        "excess": _finite_or_none(outcome.excess()),
        **measured,
        "note": outcome.note,
    }


def _find_width(table: Table) -> int:
    return max(map(len, table.to_text().splitlines()))


def _mean(values: list[float]) -> float:
    return float(np.mean(values)) if values else math.nan


def _finite_or_none(value: float) -> float | None:
    return value if math.isfinite(value) else None
