"""The measures of a split, each beside its bound and its value for random splits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..quality import Quality
from ..quality.measure_record import Measure, excess_over
from ..quality.measures import MEASURES
from ..quality.records import to_plain
from .baseline import Baseline
from .judged_labels import MAX_TIGHT_WORK

# Label pairs of all rows times parts, and rows times parts: up to here pairs and labelsets of the
# split and of three random ones are measured in about a second.
_MAX_PAIR_WORK = 2_000_000
_MAX_LABELSET_WORK = 5_000_000

_COMBINED = {"pairs": "Label pairs", "labelsets": "Labelsets"}
_NEEDS_ROWS = "are not measured here: this needs the rows, of which only counts are known."


def summarize_measures(
    quality: Quality, baseline: Baseline, skipped: Mapping[str, str]
) -> list[dict[str, Any]]:
    """Return one record per measure, but for those of the levels that are skipped."""
    labelled = quality.per_label.rows.any()
    records = []
    for measure in MEASURES:
        if measure.level in skipped or (measure.needs_labels and not labelled):
            continue
        value, bound = quality.value_of(measure), quality.bound_of(measure)
        records.append(
            {
                "key": measure.name,
                "name": measure.title,
                "level": measure.level,
                "meaning": measure.meaning,
                "value": value,
                "bound": to_plain(bound),
                "excess": to_plain(excess_over(value, bound)),
                **_summarize_tight_bound(quality, measure),
                "random": baseline.mean(measure.name),
                "random_std": baseline.spread(measure.name),
                "worse_than_random": baseline.is_above(measure.name, value),
            }
        )
    return records


def _summarize_tight_bound(quality: Quality, measure: Measure[Any]) -> dict[str, Any]:
    # From counts alone no bound is found that is above the cheap one.
    if not measure.has_tight_bound or quality.part_counts.rows is None:
        return {"tight_bound": None, "tight_excess": None, "tight_seconds": None, "tight_note": ""}
    tight = quality.find_tight_bound(measure, MAX_TIGHT_WORK)
    return {
        "tight_bound": tight.bound,
        "tight_excess": to_plain(excess_over(quality.value_of(measure), tight.bound)),
        "tight_seconds": tight.seconds,
        "tight_note": tight.note,
    }


def find_skipped_levels(quality: Quality) -> dict[str, str]:
    """Return the levels that cannot be measured or would take long, with a sentence on each."""
    if quality.part_counts.rows is None:
        return {level: f"{what} {_NEEDS_ROWS}" for level, what in _COMBINED.items()}
    n_labels_of_row = np.diff(quality.part_counts.rows.labels.indptr)
    n_parts = len(quality.per_part)
    n_pairs = int((n_labels_of_row * (n_labels_of_row - 1) // 2).sum())
    skipped = {}
    if n_pairs * n_parts > _MAX_PAIR_WORK:
        skipped["pairs"] = (
            f"Label pairs are not measured here: the rows hold {n_pairs:,}, which would take a "
            "while. Quality.rld_pairs and the other measures of pairs measure them."
        )
    if len(n_labels_of_row) * n_parts > _MAX_LABELSET_WORK:
        skipped["labelsets"] = (
            f"Labelsets are not measured here: there are {len(n_labels_of_row):,} rows, which "
            "would take a while. Quality.rld_labelsets and Quality.labelset measure them."
        )
    return skipped
