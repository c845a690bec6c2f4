"""What each part holds: rows, labels, groups, and what was balanced besides labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._tables.table import shorten
from ..labels.balances import Balance
from ..plots.figure_data import find_balance, order_names
from ..quality import Quality
from ..quality.balance import find_column_rld
from ..quality.group_counts import describe_groups_off, find_group_shares
from ..quality.placement import Placement
from .baseline import GROUPS, Baseline, measure_group_shares, name_column
from .label_summaries import summarize_groups_of_labels

# Of more parts than this, tables have columns for the least even ones only.
_MAX_PART_COLUMNS = 50
_MAX_PARTS = 200
_MAX_BALANCED = 25
# Of more columns, only the first are drawn, so that a page stays small.
_MAX_DRAWN = 4
_MAX_VALUES = 12
_WIDTH_OF_VALUE = 40


def choose_parts(quality: Quality) -> NDArray[np.int64]:
    """Return the parts that tables have columns for: all of few, the least even of many."""
    n_parts = len(quality.per_part)
    if n_parts <= _MAX_PART_COLUMNS:
        return np.arange(n_parts)
    least_even_first = np.argsort(-quality.per_part.residual, kind="stable")
    return np.sort(least_even_first[:_MAX_PART_COLUMNS])


def summarize_parts(quality: Quality) -> list[dict[str, Any]]:
    """Return one record for each part; of very many, the first."""
    n_rows = int(quality.per_part.rows.sum())
    n_entries = quality.part_counts.count_labels().sum(axis=1)
    of_groups = find_group_shares(quality.per_part)
    return [
        {
            "part": shorten(own.part),
            "wanted": float(own.wanted),
            "rows": int(own.rows),
            "share": float(own.rows / n_rows),
            "cardinality": float(n_entries[at] / own.rows) if own.rows else 0.0,
            "lacking": int(own.flz),
            "kl": None if np.isnan(own.kl) else float(own.kl),
            "groups": None if of_groups is None else int(own.groups),
            "share_of_groups": None if of_groups is None else float(of_groups[at]),
        }
        for at, own in enumerate(quality.per_part[:_MAX_PARTS])
    ]


def summarize_groups(
    quality: Quality, baseline: Baseline, judged: NDArray[np.int64], shown: NDArray[np.int64]
) -> dict[str, Any] | None:
    """Return number and sizes of the groups, and how many are in each part; None without groups."""
    groups = quality.part_counts.count_groups()
    if groups is None:
        return None
    off = measure_group_shares(quality.part_counts)
    return {
        "number": groups.number,
        **_summarize_group_sizes(quality.part_counts.rows),
        "straddling": quality.n_cut_groups,
        "in_part": quality.per_part.groups[shown].tolist(),
        "off": off,
        "random": baseline.mean(GROUPS),
        "worse_than_random": baseline.is_above(GROUPS, off),
        "labels": summarize_groups_of_labels(quality, judged, shown),
        "parts_off": describe_groups_off(quality.per_part),
    }


def _summarize_group_sizes(placement: Placement | None) -> dict[str, float | None]:
    """Return the rows of the smallest, median and largest group; None if rows are not known."""
    if placement is None or placement.group_of_row is None:
        return {"smallest": None, "median": None, "largest": None}
    n_rows = np.bincount(placement.group_of_row)
    n_rows = n_rows[n_rows > 0]
    return {
        "smallest": int(n_rows.min()),
        "median": float(np.median(n_rows)),
        "largest": int(n_rows.max()),
    }


def summarize_balance(
    quality: Quality, baseline: Baseline, shown: NDArray[np.int64]
) -> list[dict[str, Any]]:
    """Return what was balanced, in all rows and in the parts shown.

    An amount has its mean, a category or bin the percentage of rows that have it.
    """
    placement, columns = quality.part_counts.rows, []
    if placement is None:
        return []
    for at, column in enumerate(placement.balance[:_MAX_BALANCED]):
        rld, name = find_column_rld(column, quality.per_balance), name_column(column.name)
        lines = [
            *_summarize_mean(column, placement, shown),
            *_summarize_values(column, placement, shown),
        ]
        columns.append(
            {
                "column": shorten(column.name, _WIDTH_OF_VALUE),
                "rld": rld,
                "random": baseline.mean(name),
                "worse_than_random": baseline.is_above(name, rld),
                "lines": lines,
                "figure": _describe_figure(quality, at) if at < _MAX_DRAWN else None,
            }
        )
    return columns


def _describe_figure(quality: Quality, at: int) -> dict[str, Any]:
    """Return what the figure of a balanced column shows, as data and in words."""
    data = find_balance(quality, at)
    ranges = zip(data["highest"], data["lowest"], strict=True)
    difference = max((high - low for high, low in ranges), default=0.0)
    text = (
        f"Chart of {data['column']} in all rows and in each part; parts differ by at most "
        f"{difference:.2g} % of the rows."
    )
    return {"text": text, "data": data}


def _summarize_mean(
    column: Balance, placement: Placement, shown: NDArray[np.int64]
) -> list[dict[str, Any]]:
    if column.amount is None:
        return []
    total = np.bincount(placement.part_of_row, column.amount, minlength=len(placement.parts))
    mean = column.lowest + total / np.maximum(placement.sizes, 1)
    return [
        {
            "value": "mean",
            "unit": "",
            "all": float(column.lowest + column.amount.mean()),
            "parts": mean[shown].tolist(),
        }
    ]


def _summarize_values(
    column: Balance, placement: Placement, shown: NDArray[np.int64]
) -> list[dict[str, Any]]:
    """Return one record for each value that rows have; of very many values, the most common."""
    count = placement.count_values(column.code)
    rows = count.sum(axis=0)
    shown_values = np.sort(np.argsort(-rows, kind="stable")[:_MAX_VALUES])
    if column.amount is None:
        names = [str(column.values[value]) for value in shown_values]
        shown_values = shown_values[order_names(names)]
    percent = 100 * count / np.maximum(placement.sizes, 1)[:, None]
    return [
        {
            "value": shorten(column.values[value], _WIDTH_OF_VALUE),
            "unit": "%",
            "all": float(100 * rows[value] / len(column.code)),
            "parts": percent[shown, value].tolist(),
        }
        for value in shown_values
        if rows[value]
    ]
