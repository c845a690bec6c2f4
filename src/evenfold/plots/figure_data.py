"""The data of each figure, as plain lists that stay short for any number of rows and labels."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._tables.table import shorten
from ..labels.balances import MISSING, N_BINS, Balance
from ..quality import Quality
from ..quality.deviations import find_deviations, rank_labels

# One point is drawn for each cell of a grid. The grids are tried from fine to coarse until at most
# this many points are left.
_MAX_POINTS = 600
_GRIDS = (256, 128, 64, 32, 24)
# More parts cannot be distinguished by colour, and more names cannot be read.
_MAX_PARTS = 8
_MAX_NAMES = 30
_MAX_RANKS = 120
_MAX_STEPS = 32
_WIDTH_OF_NAME = 20
# Values of a balanced column, and steps of one with more numbers.
_MAX_VALUES, _N_STEPS = 12, 16
# A measure whose largest value is more than this many times its least is on a logarithmic scale.
_MAX_LINEAR_RATIO = 100


def find_evenness(quality: Quality, measure: str) -> dict[str, Any]:
    """Return labels as points: rows, the measure and its bound; and the measure's mean."""
    per_label = quality.per_label
    defined = np.flatnonzero(~np.isnan(per_label[measure]))
    defined = defined[np.argsort(-per_label[measure][defined], kind="stable")]
    rows, value, bound = (
        per_label[name][defined] for name in ("rows", measure, f"{measure}_bound")
    )
    kept = _thin_out(np.log(rows), _to_axis(value))
    return {
        "measure": measure,
        "labels": len(defined),
        "mean": float(value.mean()) if len(value) else 0.0,
        "rows": rows[kept].tolist(),
        "value": value[kept].tolist(),
        "bound": [None if np.isnan(own) else own for own in bound[kept].tolist()],
    }


def find_distribution(quality: Quality) -> dict[str, Any]:
    """Return the percentage of rows that hold each label, in all rows and in each part.

    The most common label comes first. Of many labels, ranks evenly spaced on a logarithmic scale
    are shown; of many parts, the lowest and the highest value.
    """
    split = quality.part_counts
    count, size = split.count_labels(), split.count_known()
    rows = count.sum(axis=0)
    n_held = int((rows > 0).sum())
    few = n_held <= _MAX_NAMES
    rank = (
        np.arange(n_held)
        if few
        else np.unique(np.geomspace(1, n_held, _MAX_RANKS).astype(np.int64)) - 1
    )
    order = np.argsort(-rows, kind="stable")[rank]
    known = np.broadcast_to(size, count.shape)[:, order]
    whole = 100 * rows[order] / np.maximum(known.sum(axis=0), 1)
    return {
        "ranks": (rank + 1).tolist(),
        "names": [shorten(split.label_names[label], _WIDTH_OF_NAME) for label in order]
        if few
        else [],
        "all": whole.tolist(),
        **_list_parts(quality, 100 * count[:, order] / np.maximum(known, 1)),
    }


def find_cardinality(quality: Quality) -> dict[str, Any]:
    """Return the percentage of rows that hold 0, 1, 2, … labels, in all rows and in each part.

    If rows hold many labels, the numbers are counted in steps of equal width; the few rows beyond
    the last step are counted in it.
    """
    placement = quality.placement
    n_labels_of_row = np.diff(placement.labels.indptr)
    most = int(n_labels_of_row.max())
    last = most if most < _MAX_STEPS else int(np.quantile(n_labels_of_row, 0.995))
    width = last // _MAX_STEPS + 1
    n_steps = last // width + 1
    count = placement.count_values(np.minimum(n_labels_of_row // width, n_steps - 1), n_steps)
    share = 100 * count / np.maximum(placement.sizes, 1)[:, None]
    return {
        "numbers": [width * step for step in range(n_steps)],
        "width": width,
        "or_more": most // width >= n_steps,
        "all": (100 * count.sum(axis=0) / len(n_labels_of_row)).tolist(),
        **_list_parts(quality, share),
    }


def find_balance(quality: Quality, at: int) -> dict[str, Any]:
    """Return the percentage of rows with each value of a balanced column, in all and in each part.

    Numbers of many values are counted in steps of equal width, from the value that 1 % of the rows
    are below to the one that 1 % are above; rows beyond are counted in the first and last step.
    """
    placement = quality.placement
    column = placement.balance[at]
    named = _name_values(column)
    code, names = named if named is not None else _count_in_steps(column)
    count = placement.count_values(code, len(names))
    share = 100 * count / np.maximum(placement.sizes, 1)[:, None]
    return {
        "column": shorten(column.name, _WIDTH_OF_NAME),
        "names": names,
        "is_number": column.amount is not None,
        "all": (100 * count.sum(axis=0) / len(code)).tolist(),
        **_list_parts(quality, share),
    }


def _name_values(column: Balance) -> tuple[NDArray[np.int64], list[str]] | None:
    """Return the value of each row and the names of the values; None if steps show more."""
    if column.amount is not None:
        number, missing = column.lowest + column.amount, column.code == N_BINS
        found = np.unique(number[~missing])
        if len(found) > _MAX_VALUES:
            return None
        code = np.where(missing, len(found), np.searchsorted(found, number))
        names = [_show_amount(value, 6) for value in found]
        return code, [*names, MISSING] if missing.any() else names
    values, code = np.unique(column.code, return_inverse=True)
    order = order_names([str(column.values[value]) for value in values])
    code = np.argsort(order)[code]
    names = [shorten(column.values[value], _WIDTH_OF_NAME) for value in values[order]]
    if len(values) <= _MAX_VALUES:
        return code, names
    # The most common values, and the others together.
    order = np.argsort(-np.bincount(code), kind="stable")
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    kept = [names[value] for value in order[: _MAX_VALUES - 1]]
    return np.minimum(rank, _MAX_VALUES - 1)[code], [*kept, "others"]


def order_names(names: Sequence[str]) -> NDArray[np.int64]:
    """Return the order in which a reader looks for names: numbers in them count as numbers.

    Examples
    --------
    >>> order_names(["70-79", "100-109", "missing", "8-9"]).tolist()
    [3, 0, 1, 2]
    """
    keys = [
        [int(piece) if at % 2 else piece.casefold() for at, piece in enumerate(pieces)]
        for pieces in (re.split("([0-9]{1,15})", name) for name in names)
    ]
    return np.array(sorted(range(len(names)), key=lambda at: (names[at] == MISSING, keys[at])), int)


def _show_amount(value: float, digits: int) -> str:
    """Show a number; four digits, which may be a year, without a comma."""
    return f"{value:.{digits}g}" if abs(value) < 10_000 else f"{value:,.0f}"


def _count_in_steps(column: Balance) -> tuple[NDArray[np.int64], list[str]]:
    """Return the step of each row, and where each step begins; missing numbers come last."""
    assert column.amount is not None
    number = column.lowest + column.amount
    missing = column.code == N_BINS
    low, high = np.quantile(number[~missing], (0.01, 0.99))
    low, high = (low, high) if high > low else (float(number.min()), float(number.max()))
    width = (high - low) / _N_STEPS
    if (number == np.round(number)).all():
        # Steps of whole numbers hold equally many of them.
        low, width = float(np.floor(low)), float(max(1, np.ceil(width)))
    step = np.clip((number - low) // width, 0, _N_STEPS - 1).astype(np.int64)
    last = int(step[~missing].max()) + 1
    names = [_show_amount(low + width * at, 4) for at in range(last)]
    step[missing] = last
    return step, [*names, MISSING] if missing.any() else names


def find_deviation(quality: Quality, n_labels: int) -> dict[str, Any]:
    """Return the least even labels and how many percent each is off its share of every part."""
    worst = rank_labels(quality.per_label)[:n_labels]
    split = quality.part_counts
    return {
        "names": [shorten(split.label_names[label], _WIDTH_OF_NAME) for label in worst],
        "parts": [shorten(name, _WIDTH_OF_NAME) for name in split.parts.names],
        "percent": find_deviations(split).of(worst).percent.T.tolist(),
    }


def _list_parts(quality: Quality, share: NDArray[np.float64]) -> dict[str, Any]:
    """Return the shares of each part, unless there are many, and the lowest and highest."""
    few = len(share) <= _MAX_PARTS
    return {
        "parts": [
            {"part": shorten(name, _WIDTH_OF_NAME), "share": own.tolist()}
            for name, own in zip(quality.part_counts.parts.names, share, strict=True)
        ]
        if few
        else [],
        "lowest": share.min(axis=0).tolist(),
        "highest": share.max(axis=0).tolist(),
    }


def is_wide(values: NDArray[np.float64]) -> bool:
    """Return whether values are to be drawn on a logarithmic scale."""
    positive = values[values > 0]
    return bool(len(positive) and positive.max() > _MAX_LINEAR_RATIO * positive.min())


def _to_axis(value: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the positions of values on their axis; on a logarithmic one 0 is below the least."""
    if not is_wide(value):
        return value
    least = value[value > 0].min()
    return np.asarray(np.where(value > 0, np.log10(np.maximum(value, least)), np.log10(least) - 1))


def _thin_out(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the points to draw, in order: one for each cell of the finest grid that is enough."""
    kept = np.arange(len(x))
    for grid in _GRIDS if len(x) > _MAX_POINTS else ():
        cell = _cells(x, grid) * grid + _cells(y, grid)
        kept = np.sort(np.unique(cell, return_index=True)[1])
        if len(kept) <= _MAX_POINTS:
            break
    return kept


def _cells(values: NDArray[np.float64], grid: int) -> NDArray[np.int64]:
    span = float(np.ptp(values)) or 1.0
    return np.asarray(np.minimum((values - values.min()) / span * grid, grid - 1), dtype=np.int64)
