"""Quality: the measures of one split beside their bounds."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from .._table import Table, shorten
from .records import Records

_MOST_PARTS_SHOWN = 12


@dataclass(frozen=True, slots=True)
class Bound:
    """The least value each measure could have for these labels, sizes and groups, whatever the split.

    `ld` is NaN past 50 parts, where it is not computed.
    """

    ed: float
    ld: float
    rld: float
    dcp: float
    fz: int
    flz: int


@dataclass(frozen=True, eq=False, slots=True)
class Quality:
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

    @property
    def excess(self) -> float:
        """RLD over its bound, minus 1."""
        return excess_over(self.rld, self.bound.rld)

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers, strings and lists, fit for JSON: undefined is None, infinite the string "Infinity"."""
        measures = {name: _plain(getattr(self, name)) for name in ("ed", "ld", "rld", "dcp", "fz", "flz", "kl", "residual", "excess")}
        bound = {field.name: _plain(getattr(self.bound, field.name)) for field in fields(Bound)}
        return {**measures, "bound": bound, "per_label": _records(self.per_label), "per_part": _records(self.per_part)}

    def tables(self) -> list[Table]:
        """Return what `print` and notebooks show: the parts, the measures."""
        return [self._part_table(), self._measure_table()]

    def _part_table(self) -> Table:
        rows = [[shorten(part.part), f"{part.rows:,}", f"{part.wanted:,.1f}", f"{part.flz:,}"] for part in self.per_part[:_MOST_PARTS_SHOWN]]
        more = len(self.per_part) - len(rows)
        if more:
            rows.append([f"and {more:,} more", "", "", ""])
        return Table(["part", "rows", "wanted", "labels it lacks"], rows)

    def _measure_table(self) -> Table:
        rows = []
        for name, title in _TITLES.items():
            value, bound = getattr(self, name), getattr(self.bound, name, math.nan)
            rows.append([title, show_number(value), show_number(bound), show_excess(value, bound)])
        return Table(["measure", "value", "bound", "over bound"], rows)

    def remarks(self) -> list[str]:
        """Say in words what the numbers mean for this split."""
        said = []
        n_parts = len(self.per_part)
        rare = int(((self.per_label.rows > 0) & (self.per_label.rows < n_parts)).sum())
        if rare:
            said.append(f"{rare:,} of {len(self.per_label):,} labels have fewer rows than there are parts: some part must lack them.")
        empty = int((self.per_label.rows == 0).sum())
        if empty:
            said.append(f"{empty:,} labels have no row; no measure counts them.")
        if self.flz > self.bound.flz:
            said.append(f"{self.flz - self.bound.flz:,} times a part lacks a label that it could have had.")
        return said

    def __str__(self) -> str:
        blocks = [table.to_text() for table in self.tables()]
        return "\n\n".join([*blocks, *(["\n".join(self.remarks())] if self.remarks() else [])])

    def __repr__(self) -> str:
        return f"Quality(ed={self.ed:.4g}, rld={self.rld:.4g}, bound.rld={self.bound.rld:.4g}, excess={self.excess:.4g})"

    def _repr_html_(self) -> str:
        from html import escape

        return "".join(table.to_html() for table in self.tables()) + "".join(f"<p>{escape(remark)}</p>" for remark in self.remarks())


_TITLES = {
    "ed": "ED   rows off the wanted size",
    "ld": "LD   labels distribution",
    "rld": "rLD  relative LD",
    "dcp": "DCP  delta class proportion",
    "fz": "FZ   parts that lack a label",
    "flz": "FLZ  (part, label) without a row",
    "kl": "KL   label mass, part from all",
    "residual": "residual, largest",
}


def excess_over(value: float, bound: float) -> float:
    """Return value / bound - 1; where the bound is 0, 0 if the value is 0 too, else infinite."""
    if math.isnan(value) or math.isnan(bound):
        return math.nan
    # Sums of many shares: what is equal may differ in the last digits.
    if math.isclose(value, bound, rel_tol=1e-12, abs_tol=1e-15):
        return 0.0
    return value / bound - 1 if bound else math.inf


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


def _plain(value: Any) -> Any:
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "Infinity"
    return value


def _records(array: Records) -> list[dict[str, Any]]:
    names = array.dtype.names or ()
    return [dict(zip(names, map(_plain, record), strict=True)) for record in array.tolist()]
