"""Comparison: what several methods made of the same rows, as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._tables.frames import make_frame
from .._tables.table import Report, Table, shorten, show_number
from ..quality.deviations import excess_over
from ..quality.quality import show_excess

# Every measure, as its column is called.
MEASURES = {
    "ed": "ED",
    "ld": "LD",
    "rld": "rLD",
    "dcp": "DCP",
    "fz": "FZ",
    "flz": "FLZ",
    "kl": "KL",
    "residual": "residual",
    "lpd": "LPD",
    "rld_pairs": "rLD pairs",
    "fzlp": "FZLP",
    "flpz": "FLPZ",
    "labelset": "labelset",
    "rld_labelsets": "rLD labelsets",
}
# What is shown together: each table fits a terminal of 80 columns.
_GROUPS = (
    ("ed", "ld", "rld", "dcp", "fz", "flz"),
    ("kl", "residual", "labelset", "rld_labelsets"),
    ("lpd", "rld_pairs", "fzlp", "flpz"),
)


@dataclass(frozen=True, eq=False)
class Outcome:
    """What one method made: for each repeat its measures, each beside its bound, and the seconds it took.

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
        """Number of splits made; 0 where the method was skipped."""
        return len(self.measured)

    def mean(self, measure: str) -> float:
        """Mean over repeats; NaN where the method was skipped."""
        return self._reduce(np.mean, [own[measure][0] for own in self.measured])

    def spread(self, measure: str) -> float:
        """Standard deviation over repeats; NaN for fewer than two."""
        return self._reduce(
            lambda values: np.std(values, ddof=1),
            [own[measure][0] for own in self.measured] if self.n_runs > 1 else [],
        )

    def bound(self, measure: str) -> float:
        """Mean over repeats of the bound; NaN where the measure has none."""
        return self._reduce(np.mean, [own[measure][1] for own in self.measured])

    def mean_seconds(self) -> float:
        """Mean time of one split, without its measures."""
        return self._reduce(np.mean, list(self.seconds))

    @staticmethod
    def _reduce(function: Any, values: list[float]) -> float:
        return float(function(values)) if values else float("nan")


class Comparison(Report):
    """Several methods on the same rows. Made by `evenfold.compare`; printed as a table, smaller being better.

    Attributes
    ----------
    outcomes : one `Outcome` per method, in the order asked for
    about : rows, labels, parts, shares, repeats, groups, and what was left out of the pairs

    Examples
    --------
    >>> table = evenfold.compare([["a", "b"], ["a"], ["b"], []] * 25, 5, methods=["even", "random"], repeats=2)
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
        raise KeyError(
            f"{title!r} was not compared. Methods: {', '.join(outcome.title for outcome in self.outcomes)}"
        )

    def __iter__(self) -> Iterator[Outcome]:
        return iter(self.outcomes)

    def __len__(self) -> int:
        return len(self.outcomes)

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers, strings and lists, fit for JSON; what is undefined is None."""
        return {**self.about, "methods": [self._record(outcome) for outcome in self.outcomes]}

    def to_frame(self, backend: str | None = None) -> Any:
        """Return a frame with one line per method: runs, seconds, and for each measure its mean, `_std` over repeats and `_bound`.

        Parameters
        ----------
        backend : "pandas", "polars" or "pyarrow"; default the first of these that is installed
        """
        columns: dict[str, list[Any]] = {"method": [], "runs": [], "seconds": [], "excess": []}
        for record in map(self._record, self.outcomes):
            columns["method"].append(record["method"])
            columns["runs"].append(record["runs"])
            columns["seconds"].append(record["seconds"])
            columns["excess"].append(record["excess"])
            for name in MEASURES:
                for suffix, key in (("", "mean"), ("_std", "std"), ("_bound", "bound")):
                    columns.setdefault(name + suffix, []).append(record[name][key])
            columns.setdefault("note", []).append(record["note"])
        return make_frame(columns, backend)

    def tables(self) -> list[Table]:
        """Return what `print` and notebooks show: means and bounds of labels, labelsets and pairs, then the spread over repeats."""
        repeated = any(outcome.n_runs > 1 for outcome in self.outcomes)
        return [
            self._table(what, measures)
            for what in ("mean", *(["spread"] if repeated else []))
            for measures in _GROUPS
        ]

    def notes(self) -> list[str]:
        """Say which methods were skipped or not repeated, and what was left out."""
        left_out = [self.about["left_out"]] if self.about["left_out"] else []
        return [
            f"{outcome.title} {outcome.note}." for outcome in self.outcomes if outcome.note
        ] + left_out

    def __repr__(self) -> str:
        return f"<Comparison of {', '.join(outcome.title for outcome in self.outcomes)}>"

    def title(self) -> str:
        """Say what was compared."""
        groups = f" in {self.about['groups']:,} groups" if self.about["groups"] else ""
        repeats = f"{self.about['repeats']} repeat{'' if self.about['repeats'] == 1 else 's'}"
        return f"{self.about['parts']} parts of {self.about['rows']:,} rows{groups}, {self.about['labels']:,} labels, {repeats}; smaller is better"

    def _table(self, what: str, measures: Sequence[str]) -> Table:
        """Lay out the means, or the spreads, of some measures; what was skipped has a line too."""
        with_time = what == "mean" and "rld" in measures
        heading = [
            "mean" if what == "mean" else "std over repeats",
            *(MEASURES[name] for name in measures),
            *(["excess", "s"] if with_time else []),
        ]
        rows = []
        for outcome in self.outcomes:
            cells = [show_number(getattr(outcome, what)(name)) for name in measures]
            if with_time:
                cells += [
                    show_excess(outcome.mean("rld"), outcome.bound("rld")),
                    f"{outcome.mean_seconds():.2g}" if outcome.n_runs else "-",
                ]
            rows.append([shorten(outcome.title, 20), *cells])
        run = [outcome for outcome in self.outcomes if outcome.n_runs]
        if what == "mean" and run:
            # The sizes that a method reaches decide the bound; that of the first is shown.
            rows.append(
                [
                    "bound",
                    *(show_number(run[0].bound(name)) for name in measures),
                    *(["", ""] if with_time else []),
                ]
            )
        return Table(heading, rows)

    def _record(self, outcome: Outcome) -> dict[str, Any]:
        record: dict[str, Any] = {
            "method": outcome.title,
            "runs": outcome.n_runs,
            "seconds": _plain(outcome.mean_seconds()),
        }
        record["excess"] = _plain(excess_over(outcome.mean("rld"), outcome.bound("rld")))
        for name in MEASURES:
            record[name] = {
                "mean": _plain(outcome.mean(name)),
                "std": _plain(outcome.spread(name)),
                "bound": _plain(outcome.bound(name)),
            }
        return {**record, "note": outcome.note}


def _plain(value: float) -> float | None:
    return value if np.isfinite(value) else None
