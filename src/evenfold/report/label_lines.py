"""Labels that are least even, and labels that some part lacks."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._tables.table import shorten
from ..quality.deviations import Deviations, count_over_bound, rank_labels
from ..quality.placement import Measured

N_WORST = 500
N_IN_MAP = 40
_N_LACKING = 40
_N_PARTS_NAMED = 5
WIDTH_OF_LABEL = 40
# Digits past which the rows that a label is off do not matter.
_DIGITS = 4


def make_worst(
    quality: Measured, deviations: Deviations, shown: NDArray[np.int64]
) -> dict[str, Any]:
    """Return the least even labels with their rows in the parts shown; the first ones also with what they are off."""
    worst = rank_labels(quality.per_label)[:N_WORST]
    off = deviations.of(worst)
    rows, percent = np.round(off.rows, _DIGITS), np.round(off.percent, _DIGITS)
    lines = []
    for at, label in enumerate(worst):
        own = quality.per_label[label]
        line = {
            "label": shorten(own.label, WIDTH_OF_LABEL),
            "rows": int(own.rows),
            "rld": float(own.rld),
            "rld_bound": float(own.rld_bound),
            "ld": None if np.isnan(own.ld) else float(own.ld),
            "dcp": float(own.dcp),
            "lacking": int(own.flz),
            "most_off": float(np.abs(rows[:, at]).max()),
            "counts": off.count[shown, at].tolist(),
        }
        if at < N_IN_MAP:
            line |= {
                "off_rows": rows[shown, at].tolist(),
                "off_percent": percent[shown, at].tolist(),
            }
        lines.append(line)
    return {
        "labels": int((quality.per_label.rows > 0).sum()),
        "over_bound": count_over_bound(quality.per_label),
        "lines": lines,
    }


def make_lacking(quality: Measured, deviations: Deviations) -> dict[str, Any]:
    """Return which labels some part lacks, those first that it need not lack."""
    per_label = quality.per_label
    avoidable = per_label.flz - per_label.flz_bound
    lacked = np.flatnonzero(per_label.flz > 0)
    order = lacked[np.lexsort((-per_label.rows[lacked], -avoidable[lacked]))]
    lines = []
    for label in order[:_N_LACKING]:
        names = [
            quality.placement.parts.names[part]
            for part in np.flatnonzero(deviations.count[:, label] == 0)
        ]
        lines.append(
            {
                "label": shorten(per_label.label[label], WIDTH_OF_LABEL),
                "rows": int(per_label.rows[label]),
                "parts": len(names),
                "names": [shorten(name) for name in names[:_N_PARTS_NAMED]],
                "unavoidable": int(per_label.flz_bound[label]),
            }
        )
    return {
        "labels": len(lacked),
        "avoidable_labels": int((avoidable > 0).sum()),
        "times": int(per_label.flz.sum()),
        "avoidable_times": int(avoidable.sum()),
        "lines": lines,
    }
