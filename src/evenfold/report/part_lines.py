"""What each part holds: rows, labels, groups, and shares of what was balanced besides labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._tables.table import shorten
from ..labels.balances import Balance
from ..quality.placement import Measured, Placement
from .baseline import Baseline

# Past this many parts, tables have a column for those only that are least even.
_MOST_PARTS = 50
_MOST_LINES = 200
_MOST_COLUMNS = 30
_MOST_VALUES = 12


def choose_parts(quality: Measured) -> NDArray[np.int64]:
    """Return the parts that tables have columns for."""
    n_parts = len(quality.per_part)
    if n_parts <= _MOST_PARTS:
        return np.arange(n_parts)
    return np.sort(np.argsort(-quality.per_part.residual, kind="stable")[:_MOST_PARTS])


def make_part_lines(quality: Measured) -> list[dict[str, Any]]:
    """Return one record for each part, of very many the first."""
    placement = quality.placement
    n_entries = np.bincount(
        placement.part_of_row, np.diff(placement.labels.indptr), minlength=len(placement.parts)
    )
    return [
        {
            "part": shorten(own.part),
            "wanted": float(own.wanted),
            "rows": int(own.rows),
            "share": float(own.rows / placement.labels.n_rows),
            "cardinality": float(n_entries[at] / own.rows) if own.rows else 0.0,
            "lacking": int(own.flz),
            "kl": None if np.isnan(own.kl) else float(own.kl),
        }
        for at, own in enumerate(quality.per_part[:_MOST_LINES])
    ]


def make_groups(quality: Measured, shown: NDArray[np.int64]) -> dict[str, Any] | None:
    """Return how many groups there are, how large, and how many are in each part; None where there are none."""
    placement = quality.placement
    if placement.group_of_row is None:
        return None
    n_parts = len(placement.parts)
    n_rows = np.bincount(placement.group_of_row)
    n_rows = n_rows[n_rows > 0]
    held = np.unique(placement.group_of_row * n_parts + placement.part_of_row) % n_parts
    return {
        "number": len(n_rows),
        "smallest": int(n_rows.min()),
        "median": float(np.median(n_rows)),
        "largest": int(n_rows.max()),
        "straddling": quality.n_cut_groups,
        "in_part": np.bincount(held, minlength=n_parts)[shown].tolist(),
    }


def make_balance(
    quality: Measured, baseline: Baseline, shown: NDArray[np.int64]
) -> list[dict[str, Any]]:
    """Return the mean of each balanced amount and the percentage of each category or bin, in all rows and in the parts shown."""
    columns = []
    for column in quality.placement.balance[:_MOST_COLUMNS]:
        random = [_find_unevenness(column, other) for other in baseline.qualities]
        columns.append(
            {
                "column": shorten(column.name, 40),
                "rld": _find_unevenness(column, quality),
                "random": float(np.mean(random)) if random else None,
                "lines": [
                    *_mean_line(column, quality.placement, shown),
                    *_value_lines(column, quality.placement, shown),
                ],
            }
        )
    return columns


def _find_unevenness(column: Balance, quality: Measured) -> float:
    """Return the rLD of a column, the larger one where it has a total as well as bins."""
    names = {column.name, *(f"{column.name}: {kind}" for kind in ("bins", "categories", "total"))}
    return max(
        (float(own.rld) for own in quality.per_balance if own.criterion in names), default=0.0
    )


def _mean_line(
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


def _value_lines(
    column: Balance, placement: Placement, shown: NDArray[np.int64]
) -> list[dict[str, Any]]:
    """Return a line for each value that rows have; of very many values, the commonest."""
    if column.code is None:
        return []
    n_values = int(column.code.max()) + 1
    cell = placement.part_of_row.astype(np.int64) * n_values + column.code
    count = np.bincount(cell, minlength=len(placement.parts) * n_values).reshape(-1, n_values)
    rows = count.sum(axis=0)
    commonest = np.argsort(-rows, kind="stable")[:_MOST_VALUES]
    percent = 100 * count / np.maximum(placement.sizes, 1)[:, None]
    return [
        {
            "value": shorten(column.values[value], 40),
            "unit": "%",
            "all": float(100 * rows[value] / len(column.code)),
            "parts": percent[shown, value].tolist(),
        }
        for value in np.sort(commonest)
        if rows[value]
    ]
