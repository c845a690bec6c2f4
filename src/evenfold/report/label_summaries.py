"""The least even labels, and the labels that some part lacks."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._tables.table import shorten
from ..quality import Quality
from ..quality.deviations import Deviations, count_over_bound, rank_labels
from ..quality.groups_of_label import count_groups_of_label
from ..quality.measures import MEASURES_OF_EACH_LABEL
from ..quality.records import to_plain

# With these limits a page stays below 1 MB, whatever the number of labels and parts.
MAX_IN_MAP = 40
_MAX_WORST = 500
_MAX_LACKING = 40
_MAX_IN_GROUPS = 30
_MAX_PARTS_NAMED = 5
_WIDTH_OF_LABEL = 40
# Decimals kept of the rows that a label is off its share.
_DECIMALS = 4
_ROUNDING = 1e-9


def summarize_worst_labels(
    quality: Quality, deviations: Deviations, shown: NDArray[np.int64]
) -> dict[str, Any]:
    """Return the least even labels with their rows in the parts shown.

    The first ones, those of the heat map, also have how far they are off their share.
    """
    worst = rank_labels(quality.per_label)[:_MAX_WORST]
    off = deviations.of(worst)
    rows, percent = np.round(off.rows, _DECIMALS), np.round(off.percent, _DECIMALS)
    groups = quality.part_counts.find_groups_of_label()
    lines = []
    for at, label in enumerate(worst):
        own = quality.per_label[label]
        line = {
            "label": shorten(own.label, _WIDTH_OF_LABEL),
            "rows": int(own.rows),
            **{measure.name: to_plain(own[measure.name]) for measure in MEASURES_OF_EACH_LABEL},
            "rld_bound": float(own.rld_bound),
            "lacking": int(own.flz),
            "most_off": float(np.abs(rows[:, at]).max()),
            "counts": off.count[shown, at].tolist(),
            "groups": None if groups is None else int(groups.n_groups[label]),
            "rows_of_largest_group": None if groups is None else int(groups.most_rows[label]),
        }
        if at < MAX_IN_MAP:
            line["off_rows"] = rows[shown, at].tolist()
            line["off_percent"] = percent[shown, at].tolist()
        lines.append(line)
    return {
        "labels": int((quality.per_label.rows > 0).sum()),
        "over_bound": count_over_bound(quality.per_label),
        "lines": lines,
    }


def summarize_groups_of_labels(
    quality: Quality, judged: NDArray[np.int64], shown: NDArray[np.int64]
) -> list[dict[str, Any]]:
    """Return the labels that lie in the fewest groups of some part, of those that are judged.

    Many rows of a label in a part say little if they belong to one group.
    """
    groups, placement = quality.part_counts.find_groups_of_label(), quality.part_counts.rows
    if groups is None or placement is None or placement.group_of_row is None:
        return []
    count = count_groups_of_label(
        placement.labels, placement.group_of_row, placement.part_of_row, len(placement.parts)
    )
    rows = quality.per_label.rows
    fewest = count[placement.sizes > 0].min(axis=0)
    order = judged[np.lexsort((-rows[judged], fewest[judged]))]
    return [
        {
            "label": shorten(quality.per_label.label[label], _WIDTH_OF_LABEL),
            "rows": int(rows[label]),
            "groups": int(groups.n_groups[label]),
            "rows_of_largest_group": int(groups.most_rows[label]),
            "in_part": count[shown, label].tolist(),
        }
        for label in order[:_MAX_IN_GROUPS]
    ]


def summarize_lacking_labels(quality: Quality, deviations: Deviations) -> dict[str, Any]:
    """Return the labels that some part lacks, those first for which that could be avoided."""
    per_label, parts = quality.per_label, quality.part_counts.parts
    avoidable = per_label.flz - per_label.flz_bound
    # Where the share is at most half a row, no row is as near to it as one.
    is_above_half = deviations.share > 0.5 + _ROUNDING
    lacks_above_half = ((deviations.count == 0) & is_above_half).any(axis=0)
    lacked = np.flatnonzero(per_label.flz > 0)
    order = lacked[np.lexsort((-per_label.rows[lacked], -avoidable[lacked]))]
    lines = []
    for label in order[:_MAX_LACKING]:
        lacking = np.flatnonzero(deviations.count[:, label] == 0)
        lines.append(
            {
                "label": shorten(per_label.label[label], _WIDTH_OF_LABEL),
                "rows": int(per_label.rows[label]),
                "parts": len(lacking),
                "names": [shorten(parts.names[part]) for part in lacking[:_MAX_PARTS_NAMED]],
                "unavoidable": int(per_label.flz_bound[label]),
            }
        )
    return {
        "labels": len(lacked),
        "avoidable_labels": int((avoidable > 0).sum()),
        "avoidable_above_half": int(((avoidable > 0) & lacks_above_half).sum()),
        "times": int(per_label.flz.sum()),
        "avoidable_times": int(avoidable.sum()),
        "lines": lines,
    }
