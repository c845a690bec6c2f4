"""The summary: all that a report shows, as one dict of plain numbers, strings and lists.

docs/report.schema.json describes it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .._tables.numbers import show_count, show_exact
from .._tables.table import shorten
from ..plots import figure_data
from ..quality import Quality
from ..quality.deviations import find_deviations
from ..quality.measure_record import MeasureLevel
from ..quality.measures import MEASURES, MEASURES_OF_EACH_LABEL
from ..quality.records import list_records
from ..splits.certificate import Certificate
from ..splits.comparison import Comparison
from ..splits.origin import Origin
from .baseline import measure_random
from .check_summaries import summarize_checks
from .judged_labels import choose_judged, name_class, summarize_judged
from .label_summaries import summarize_lacking_labels, summarize_worst_labels
from .measure_summaries import find_skipped_levels, summarize_measures
from .origin_summary import describe_origin
from .part_summaries import choose_parts, summarize_balance, summarize_groups, summarize_parts
from .remarks import describe_sizes
from .verdict import make_verdict

WIDTH_OF_TITLE = 100
_WIDTH_OF_METHOD = 40
_WIDTH_OF_NOTE = 400
_MAX_NOTES = 20
_MAX_METHODS = 40


def make_summary(
    quality: Quality,
    call: str,
    *,
    origin: Origin | None = None,
    title: str | None = None,
    notes: Sequence[str] = (),
    comparison: Comparison | None = None,
    certificate: Certificate | None = None,
    date: str | None = None,
) -> dict[str, Any]:
    """Return the summary of a measured split.

    Parameters
    ----------
    quality : Quality
        The measured split.
    call : str
        The call or command that made it.
    origin : Origin, default=None
        How it was made; None if that is not known.
    title : str, default=None
        The title of the report. None: the number of rows and parts.
    notes : sequence of str, default=()
        Sentences to show beside the verdict.
    comparison : Comparison, default=None
        The results of other methods on the same rows.
    certificate : Certificate, default=None
        What was checked for leaks.
    date : str, default=None
        The date to show.

    Returns
    -------
    dict
        The summary.
    """
    deviations = find_deviations(quality.part_counts)
    judged, skipped = choose_judged(quality, deviations), find_skipped_levels(quality)
    combined: list[MeasureLevel] = [
        level for level in ("pairs", "labelsets") if level not in skipped
    ]
    baseline = measure_random(quality, judged.sets, combined)
    shown = choose_parts(quality)
    data = _describe_data(quality)
    default_title = f"{show_count(data['rows'], 'row')} in {show_count(data['parts'], 'part')}"
    summary = {
        "format": "evenfold report",
        "format_version": 3,
        "title": shorten(title or default_title, WIDTH_OF_TITLE),
        "data": data,
        "parts": summarize_parts(quality),
        "judged": summarize_judged(quality, deviations, judged, baseline),
        "measures": summarize_measures(quality, baseline, skipped),
        "size_classes": [
            {**own, "random": baseline.mean(name_class(own["size_class"]))}
            for own in list_records(quality.per_size_class)
        ],
        "random": {
            "seeds": list(range(baseline.n_splits)),
            "seeds_of_pairs": list(range(baseline.n_splits_of_pairs)),
            "note": shorten(baseline.note, _WIDTH_OF_NOTE),
        },
        "pairs_left_out": " ".join(skipped.values()),
        "comparison": None if comparison is None else _summarize_comparison(comparison),
        "part_columns": [shorten(quality.part_counts.parts.names[part]) for part in shown],
        "worst": summarize_worst_labels(quality, deviations, shown),
        "lacking": summarize_lacking_labels(quality, deviations),
        "balance": summarize_balance(quality, baseline, shown),
        "groups": summarize_groups(quality, baseline, judged.labels, shown),
        "figures": _describe_figures(quality) if data["entries"] else {},
        "checks": summarize_checks(certificate),
        "origin": describe_origin(quality, call, origin, date),
        "notes": [shorten(note, _WIDTH_OF_NOTE) for note in notes[:_MAX_NOTES]],
    }
    told = () if origin is None else (origin.describe_cover(), origin.describe_sizes())
    summary["verdict"] = make_verdict(
        summary, describe_sizes(quality), [remark for remark in told if remark]
    )
    return summary


def to_json(summary: Mapping[str, Any]) -> str:
    """Return the summary as JSON."""
    return json.dumps(summary, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _describe_data(quality: Quality) -> dict[str, Any]:
    n_rows, n_entries = (int(own.rows.sum()) for own in (quality.per_part, quality.per_label))
    labels = None if quality.part_counts.rows is None else quality.part_counts.rows.labels
    unknown = None if labels is None else labels.unknown
    return {
        "rows": n_rows,
        "labels": len(quality.per_label),
        "parts": len(quality.per_part),
        "entries": n_entries,
        "cardinality": n_entries / n_rows,
        "rows_without_labels": (
            None if labels is None else int((np.diff(labels.indptr) == 0).sum())
        ),
        "labels_without_rows": int((quality.per_label.rows == 0).sum()),
        "unknown_entries": 0 if unknown is None else len(unknown[1]),
    }


def _describe_figures(quality: Quality) -> dict[str, dict[str, Any]]:
    """Return what each figure shows, as data and in words for readers who cannot see it."""
    figures = {}
    for measure in MEASURES_OF_EACH_LABEL:
        if not measure.caption:
            continue
        data = figure_data.find_evenness(quality, measure.name)
        text = (
            f"Scatter plot of {show_count(data['labels'], 'label')}: rows of the label against its "
            f"{measure.title}, mean {show_exact(data['mean'])}, "
            "beside the best possible."
        )
        figures[measure.name] = {"text": text, "data": data}
    charts: dict[str, tuple[Callable[[Quality], dict[str, Any]], str]] = {
        "distribution": (figure_data.find_distribution, "how often each label occurs"),
    }
    if quality.part_counts.rows is not None:
        what = "how many rows hold 0, 1, 2 and more labels"
        charts["cardinality"] = (figure_data.find_cardinality, what)
    for key, (find, what) in charts.items():
        data = find(quality)
        ranges = zip(data["highest"], data["lowest"], strict=True)
        difference = max((high - low for high, low in ranges), default=0.0)
        text = (
            f"Chart of {what} in all rows and in each part; "
            f"parts differ by at most {difference:.2g} % of the rows."
        )
        figures[key] = {"text": text, "data": data}
    return figures


def _summarize_comparison(comparison: Comparison) -> dict[str, Any]:
    record = comparison.to_dict()
    methods = [
        {
            "method": shorten(own["method"], _WIDTH_OF_METHOD),
            "runs": own["runs"],
            "seconds": own["seconds"],
            "measures": {measure.name: own[measure.name]["mean"] for measure in MEASURES},
            "note": own["note"],
        }
        for own in record["methods"][:_MAX_METHODS]
    ]
    return {"repeats": record["repeats"], "methods": methods}
