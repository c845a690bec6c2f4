"""Quality: the measures of one split beside their bounds."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from os import PathLike
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .._tables.table import Table, shorten
from ..problem.combinations import Combinations
from .deviations import excess_over
from .placement import Placement
from .records import Records

_MOST_PARTS_SHOWN = 12


class SecondOrder(Protocol):
    """Quality of label pairs and of labelsets, each taken as labels and measured when first asked for."""

    combinations: Combinations

    @property
    def pairs(self) -> Quality:
        """Of label pairs."""
        ...

    @property
    def labelsets(self) -> Quality:
        """Of labelsets."""
        ...


class _Combined(ABC):
    """Measures of label pairs and labelsets, computed when first asked for; shared by values and their bounds."""

    @abstractmethod
    def _pairs(self) -> Quality | Bound: ...

    @abstractmethod
    def _labelsets(self) -> Quality | Bound: ...

    @property
    def lpd(self) -> float:
        """LD over the label pairs that occur."""
        return self._pairs().ld

    @property
    def rld_pairs(self) -> float:
        """Relative LD over the label pairs that occur."""
        return self._pairs().rld

    @property
    def fzlp(self) -> int:
        """Parts that lack at least one label pair."""
        return self._pairs().fz

    @property
    def flpz(self) -> int:
        """(part, label pair) without a row."""
        return self._pairs().flz

    @property
    def rld_labelsets(self) -> float:
        """Relative LD over the distinct labelsets."""
        return self._labelsets().rld


@dataclass(frozen=True)
class Bound(_Combined):
    """The least value each measure could have for these labels, sizes and groups, whatever the split.

    `ld` is NaN past 50 parts, where it is not computed. `lpd`, `rld_pairs`, `fzlp`, `flpz`, `labelset` and `rld_labelsets` are
    computed when first asked for.

    Examples
    --------
    >>> evenfold.measure([["a"], ["a"], ["a"]], [0, 1, 1]).bound.flz
    0
    """

    ed: float
    ld: float
    rld: float
    dcp: float
    fz: int
    flz: int
    _second: SecondOrder = field(repr=False, compare=False)

    def _pairs(self) -> Bound:
        return self._second.pairs.bound

    def _labelsets(self) -> Bound:
        return self._second.labelsets.bound

    @property
    def labelset(self) -> float:
        """Least mean over labelsets and parts of |share in the part - share in all rows|."""
        return _unrelative(self._second.labelsets, "rld_bound")


@dataclass(frozen=True, eq=False)
class Quality(_Combined):
    """How even a split is; smaller is better for every measure.

    Attributes
    ----------
    ed : examples distribution: rows a part is off its wanted size, on average
    ld, rld, dcp : labels distribution, its relative form, delta class proportion; means over labels
    fz, flz : parts that lack at least one label; (part, label) pairs without a row
    kl : Kullback-Leibler divergence of a part's label mass from that of all rows, mean over parts
    residual : of the shares of the labels in a part, the largest over parts (RandomSplit)
    bound : the least each could be
    excess : rLD over its bound, minus 1: 0 means no split can be more even
    per_label : record array, one record per label: label, rows, ld, rld, dcp, flz, their bounds, NaN where undefined
    per_part : record array, one record per part: part, rows, wanted, flz, kl, kl_of_all, residual
    n_cut_groups : groups that are in more than one part
    placement : the rows that are measured, and the part each is in
    per_balance : record array, one record per balanced column's categories, bins and total: criterion, rld
    lpd, rld_pairs, fzlp, flpz : LD, rLD, FZ and FLZ over label pairs that occur; with the next two computed when first asked for
    labelset, rld_labelsets : mean over distinct labelsets of |share in the part - share in all rows|, and relative to the latter

    Examples
    --------
    >>> quality = evenfold.measure([["a"], ["a"], ["a", "b"], ["b"]], [0, 1, 0, 1])
    >>> quality.rld, quality.bound.rld, quality.excess
    (0.1666..., 0.1666..., 0.0)
    """

    ed: float
    ld: float
    rld: float
    dcp: float
    fz: int
    flz: int
    kl: float
    residual: float
    bound: Bound
    per_label: Records
    per_part: Records
    per_balance: Records
    n_cut_groups: int
    placement: Placement = field(repr=False)
    _second: SecondOrder = field(repr=False)

    @property
    def excess(self) -> float:
        """RLD over its bound, minus 1."""
        return excess_over(self.rld, self.bound.rld)

    def _pairs(self) -> Quality:
        return self._second.pairs

    def _labelsets(self) -> Quality:
        return self._second.labelsets

    @property
    def labelset(self) -> float:
        """Mean over labelsets and parts of |share in the part - share in all rows|."""
        return _unrelative(self._second.labelsets, "rld")

    @property
    def left_out(self) -> str:
        """What was left out of the pairs to stay within memory; empty if nothing."""
        return self._second.combinations.pairs.left_out

    def measure_other(self, part_of_row: NDArray[np.int32]) -> Quality:
        """Measure another split of the same rows into the same parts: (n_rows,) the number of each row's part."""
        from .measuring import measure_labels

        own = self.placement
        return measure_labels(
            own.labels,
            part_of_row,
            own.parts,
            own.group_of_row,
            own.balance,
            self._second.combinations,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers, strings and lists, fit for JSON: undefined is None, infinite the string "Infinity"."""
        measures = {
            name: _plain(getattr(self, name))
            for name in ("ed", "ld", "rld", "dcp", "fz", "flz", "kl", "residual", "excess")
        }
        bound = {
            name: _plain(getattr(self.bound, name))
            for name in ("ed", "ld", "rld", "dcp", "fz", "flz")
        }
        tables = {
            name: _records(getattr(self, name)) for name in ("per_label", "per_part", "per_balance")
        }
        return {**measures, "bound": bound, **tables}

    def report(
        self,
        path: str | PathLike[str],
        *,
        title: str | None = None,
        call: str | None = None,
        notes: Sequence[str] = (),
    ) -> None:
        """Write a report that a person can judge the split by.

        Parameters
        ----------
        path : ends in .html (a page that needs nothing else), .md or .json
        title : what the report is called
        call : what made the split, to be shown
        notes : sentences to show beside the verdict

        Examples
        --------
        >>> evenfold.measure([["a"], ["a"], ["a", "b"], ["b"]], [0, 1, 0, 1]).report(tmp_path / "report.html")
        """
        from ..report import Making, write_report

        write_report(path, self, Making(call or "evenfold.measure(y, part_of_row)"), title, notes)

    def tables(self) -> list[Table]:
        """Return what `print` and notebooks show: the parts, the measures, what was balanced besides labels."""
        balanced = [
            [shorten(record.criterion, 40), f"{record.rld:.5f}"] for record in self.per_balance
        ]
        return [
            self._part_table(),
            self._measure_table(),
            *([Table(["balanced", "rLD"], balanced)] if balanced else []),
        ]

    def _part_table(self) -> Table:
        rows = [
            [shorten(part.part), f"{part.rows:,}", f"{part.wanted:,.1f}", f"{part.flz:,}"]
            for part in self.per_part[:_MOST_PARTS_SHOWN]
        ]
        more = len(self.per_part) - len(rows)
        if more:
            rows.append([f"and {more:,} more", "", "", ""])
        return Table(["part", "rows", "wanted", "labels it lacks"], rows)

    def _measure_table(self) -> Table:
        rows = []
        for name, title in TITLES.items():
            value, bound = getattr(self, name), getattr(self.bound, name, math.nan)
            rows.append([title, show_number(value), show_number(bound), show_excess(value, bound)])
        return Table(["measure", "value", "bound", "over bound"], rows)

    def remarks(self) -> list[str]:
        """Say in words what the numbers mean for this split."""
        said = []
        n_parts = len(self.per_part)
        if self.n_cut_groups:
            said.append(
                f"{_count(self.n_cut_groups, 'group')} in more than one part: the bounds do not allow for groups."
            )
        rare = int(((self.per_label.rows > 0) & (self.per_label.rows < n_parts)).sum())
        if rare:
            said.append(
                f"{rare:,} of {_count(len(self.per_label), 'label')} with fewer rows than parts: some part must lack them."
            )
        in_few_groups = int(
            ((self.per_label.rows >= n_parts) & (self.per_label.flz_bound > 0)).sum()
        )
        if in_few_groups:
            said.append(
                f"{in_few_groups:,} of {_count(len(self.per_label), 'label')} in fewer groups than parts: some part must lack them."
            )
        empty = int((self.per_label.rows == 0).sum())
        if empty:
            said.append(f"{_count(empty, 'label')} without a row, which no measure counts.")
        if self.flz > self.bound.flz:
            said.append(
                f"{_count(self.flz - self.bound.flz, 'time')} a part lacks a label that it could have had."
            )
        return said

    def __str__(self) -> str:
        blocks = [table.to_text() for table in self.tables()]
        return "\n\n".join([*blocks, *(["\n".join(self.remarks())] if self.remarks() else [])])

    def __repr__(self) -> str:
        return f"Quality(ed={self.ed:.4g}, rld={self.rld:.4g}, bound.rld={self.bound.rld:.4g}, excess={self.excess:.4g})"

    def _repr_html_(self) -> str:
        from html import escape

        return "".join(table.to_html() for table in self.tables()) + "".join(
            f"<p>{escape(remark)}</p>" for remark in self.remarks()
        )


TITLES = {
    "ed": "ED   rows off the wanted size",
    "ld": "LD   labels distribution",
    "rld": "rLD  relative LD",
    "dcp": "DCP  delta class proportion",
    "fz": "FZ   parts that lack a label",
    "flz": "FLZ  (part, label) without a row",
    "kl": "KL   label mass, part from all",
    "residual": "residual, largest",
}


def show_number(value: float) -> str:
    """Show a measure in at most seven characters where it can be."""
    if math.isnan(value):
        return "-"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.5f}" if abs(value) < 10 else f"{value:,.2f}"


def show_excess(value: float, bound: float) -> str:
    """Show how far a measure is over its bound."""
    excess = excess_over(value, bound)
    if math.isnan(excess):
        return ""
    return "infinite" if math.isinf(excess) else f"{100 * excess:.1f} %"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def _unrelative(labelsets: Quality, column: str) -> float:
    """Return the mean over labelsets of their difference of shares, not relative to their own share."""
    rows = labelsets.per_label.rows
    return float(np.mean(labelsets.per_label[column] * rows / rows.sum()))


def _plain(value: Any) -> Any:
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "Infinity"
    return value if isinstance(value, str | int | float) else str(value)


def _records(array: Records) -> list[dict[str, Any]]:
    names = array.dtype.names or ()
    return [dict(zip(names, map(_plain, record), strict=True)) for record in array.tolist()]
