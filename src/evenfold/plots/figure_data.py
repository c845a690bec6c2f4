"""What each figure shows, as plain lists short enough to draw and to keep, whatever the number of rows, labels and parts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._tables.table import shorten
from ..quality.deviations import find_deviations, rank_labels
from ..quality.placement import Measured

# Points closer than can be told apart are drawn once; grids from fine to coarse until no more are left than this.
_MOST_POINTS = 600
_GRIDS = (256, 128, 64, 32, 24)
_MOST_PARTS = 8
_MOST_NAMES = 30
_MOST_RANKS = 120
_MOST_NUMBERS = 32
_WIDTH_OF_NAME = 20
# A measure that spans more than this is drawn on a logarithmic scale.
WIDE = 100


def find_evenness(quality: Measured, measure: str) -> dict[str, Any]:
    """Return labels as points: rows, the measure, and the least it could be; the measure's mean over all labels."""
    per_label = quality.per_label
    defined = np.flatnonzero(~np.isnan(per_label[measure]))
    defined = defined[np.argsort(-per_label[measure][defined], kind="stable")]
    rows, value, bound = (
        per_label[name][defined] for name in ("rows", measure, f"{measure}_bound")
    )
    kept = _thin_out(np.log(rows), _as_seen(value))
    return {
        "measure": measure,
        "labels": len(defined),
        "mean": float(value.mean()) if len(value) else 0.0,
        "rows": rows[kept].tolist(),
        "value": value[kept].tolist(),
        "bound": [None if np.isnan(own) else own for own in bound[kept].tolist()],
    }


def find_distribution(quality: Measured) -> dict[str, Any]:
    """Return the percentage of rows that hold each label, in all rows and in each part, commonest label first.

    Of many labels, some ranks are shown, evenly spaced on a logarithmic scale; of many parts, the lowest and the highest.
    """
    placement = quality.placement
    count, size = placement.count_labels(), placement.count_known()
    rows = count.sum(axis=0)
    n_held = int((rows > 0).sum())
    few = n_held <= _MOST_NAMES
    rank = (
        np.arange(n_held)
        if few
        else np.unique(np.geomspace(1, n_held, _MOST_RANKS).astype(np.int64)) - 1
    )
    order = np.argsort(-rows, kind="stable")[rank]
    known = np.broadcast_to(size, count.shape)[:, order]
    whole = 100 * rows[order] / np.maximum(known.sum(axis=0), 1)
    return {
        "ranks": (rank + 1).tolist(),
        "names": [shorten(placement.labels.names[label], _WIDTH_OF_NAME) for label in order]
        if few
        else [],
        "all": whole.tolist(),
        **_by_part(quality, 100 * count[:, order] / np.maximum(known, 1)),
    }


def find_cardinality(quality: Measured) -> dict[str, Any]:
    """Return the percentage of rows that hold 0, 1, 2, … labels, in all rows and in each part.

    Where rows hold many labels, numbers are taken together in steps of one width, and the few beyond the last step are counted to it.
    """
    placement = quality.placement
    number = np.diff(placement.labels.indptr)
    most = int(number.max())
    last = most if most < _MOST_NUMBERS else int(np.quantile(number, 0.995))
    width = last // _MOST_NUMBERS + 1
    n_steps = last // width + 1
    n_parts = len(placement.parts)
    cell = placement.part_of_row.astype(np.int64) * n_steps + np.minimum(
        number // width, n_steps - 1
    )
    count = np.bincount(cell, minlength=n_parts * n_steps).reshape(n_parts, n_steps)
    share = 100 * count / np.maximum(placement.sizes, 1)[:, None]
    return {
        "numbers": [width * step for step in range(n_steps)],
        "width": width,
        "or_more": most // width >= n_steps,
        "all": (100 * count.sum(axis=0) / len(number)).tolist(),
        **_by_part(quality, share),
    }


def find_deviation(quality: Measured, n_labels: int) -> dict[str, Any]:
    """Return the least even labels and how many percent each is off its share of every part."""
    worst = rank_labels(quality.per_label)[:n_labels]
    placement = quality.placement
    return {
        "names": [shorten(placement.labels.names[label], _WIDTH_OF_NAME) for label in worst],
        "parts": [shorten(name, _WIDTH_OF_NAME) for name in placement.parts.names],
        "percent": find_deviations(placement).of(worst).percent.T.tolist(),
    }


def _by_part(quality: Measured, share: NDArray[np.float64]) -> dict[str, Any]:
    few = len(share) <= _MOST_PARTS
    return {
        "parts": [
            {"part": shorten(name, _WIDTH_OF_NAME), "share": own.tolist()}
            for name, own in zip(quality.placement.parts.names, share, strict=True)
        ]
        if few
        else [],
        "lowest": share.min(axis=0).tolist(),
        "highest": share.max(axis=0).tolist(),
    }


def is_wide(values: NDArray[np.float64]) -> bool:
    """Tell whether values are better seen on a logarithmic scale."""
    positive = values[values > 0]
    return bool(len(positive) and positive.max() > WIDE * positive.min())


def _as_seen(value: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return where values are on their axis; on a logarithmic one, 0 is a step below the least."""
    if not is_wide(value):
        return value
    least = value[value > 0].min()
    return np.asarray(np.where(value > 0, np.log10(np.maximum(value, least)), np.log10(least) - 1))


def _thin_out(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return one point for each place that can be told apart, in order."""
    kept = np.arange(len(x))
    for grid in _GRIDS if len(x) > _MOST_POINTS else ():
        cell = _cells(x, grid) * grid + _cells(y, grid)
        kept = np.sort(np.unique(cell, return_index=True)[1])
        if len(kept) <= _MOST_POINTS:
            break
    return kept


def _cells(values: NDArray[np.float64], grid: int) -> NDArray[np.int64]:
    span = float(np.ptp(values)) or 1.0
    return np.asarray(np.minimum((values - values.min()) / span * grid, grid - 1), dtype=np.int64)
