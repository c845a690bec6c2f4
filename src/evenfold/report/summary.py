"""The summary: all that a report shows, as one dict of plain numbers, strings and lists; docs/report.schema.json describes it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .._tables.table import shorten
from ..labels.fingerprints import make_fingerprint
from ..plots import figure_data
from ..quality.deviations import find_deviations
from ..quality.placement import Measured
from .baseline import SEEDS, measure_random
from .label_lines import make_lacking, make_worst
from .making import Making
from .measure_lines import MEASURES, make_measure_lines
from .numbers import count, show
from .part_lines import choose_parts, make_balance, make_groups, make_part_lines
from .verdict import make_verdict

_WIDTH_OF_TITLE = 100
_WIDTH_OF_METHOD = 40
_WIDTH_OF_CALL = 2000
_WIDTH_OF_NOTE = 400
_MOST_NOTES = 20
_MOST_METHODS = 40


def make_summary(
    quality: Measured,
    making: Making,
    title: str | None = None,
    notes: Sequence[str] = (),
    comparison: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return the summary of a measured split.

    Parameters
    ----------
    quality : the measured split
    making : how it was made
    title : what the report is called; default what was split
    notes : sentences to show beside the verdict
    comparison : what other methods make of the same rows, as `Comparison.to_dict` gives it
    """
    baseline = measure_random(quality)
    measures, pairs_left_out = make_measure_lines(quality, baseline)
    deviations = find_deviations(quality.placement)
    shown = choose_parts(quality)
    data = _describe_data(quality)
    summary = {
        "format": "evenfold report",
        "format_version": 1,
        "title": shorten(
            title or f"{count(data['rows'], 'row')} in {count(data['parts'], 'part')}",
            _WIDTH_OF_TITLE,
        ),
        "data": data,
        "parts": make_part_lines(quality),
        "measures": measures,
        "random": {
            "seeds": list(SEEDS) if baseline.qualities else [],
            "note": shorten(baseline.note, _WIDTH_OF_NOTE),
        },
        "pairs_left_out": pairs_left_out,
        "comparison": None if comparison is None else _shorten_comparison(comparison),
        "part_columns": [shorten(quality.placement.parts.names[part]) for part in shown],
        "worst": make_worst(quality, deviations, shown),
        "lacking": make_lacking(quality, deviations),
        "balance": make_balance(quality, baseline, shown),
        "groups": make_groups(quality, shown),
        "figures": _describe_figures(quality) if data["entries"] else {},
        "making": _describe_making(quality, making),
        "notes": [shorten(note, _WIDTH_OF_NOTE) for note in notes[:_MOST_NOTES]],
    }
    summary["verdict"] = make_verdict(summary, quality, deviations)
    return summary


def to_json(summary: Mapping[str, Any]) -> str:
    """Return the summary as JSON."""
    return json.dumps(summary, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _describe_data(quality: Measured) -> dict[str, Any]:
    labels = quality.placement.labels
    number = np.diff(labels.indptr)
    return {
        "rows": labels.n_rows,
        "labels": labels.n_labels,
        "parts": len(quality.placement.parts),
        "entries": len(labels.indices),
        "cardinality": float(number.mean()),
        "rows_without_labels": int((number == 0).sum()),
        "labels_without_rows": int((labels.count_of_label == 0).sum()),
        "unknown_entries": 0 if labels.unknown is None else len(labels.unknown[1]),
    }


def _describe_figures(quality: Measured) -> dict[str, dict[str, Any]]:
    """Return what each figure shows, and the same in words for who cannot see it."""
    figures = {}
    for measure, name in (("rld", "rLD"), ("ld", "LD")):
        data = figure_data.find_evenness(quality, measure)
        text = f"Scatter plot of {count(data['labels'], 'label')}: rows of the label against its {name}, mean {show(data['mean'])}, beside the best possible."
        figures[measure] = {"text": text, "data": data}
    names = {
        "distribution": "how often each label occurs",
        "cardinality": "how many rows hold 0, 1, 2 and more labels",
    }
    for key, find in (
        ("distribution", figure_data.find_distribution),
        ("cardinality", figure_data.find_cardinality),
    ):
        data = find(quality)
        apart = max(
            (high - low for high, low in zip(data["highest"], data["lowest"], strict=True)),
            default=0.0,
        )
        figures[key] = {
            "text": f"Chart of {names[key]} in all rows and in each part; parts differ by at most {apart:.2g} % of the rows.",
            "data": data,
        }
    return figures


def _describe_making(quality: Measured, making: Making) -> dict[str, Any]:
    parameters = making.parameters or {}
    told = {
        "method": making.method,
        "order": parameters.get("order"),
        "effort": parameters.get("effort"),
        "version": making.version,
    }
    return {
        "call": _keep_lines(making.call),
        # The record of a split may have been written by anybody.
        **{
            name: value if isinstance(value, int | None) else shorten(value, _WIDTH_OF_METHOD)
            for name, value in told.items()
        },
        "random_state": making.random_state,
        "seconds": making.seconds,
        "fingerprint": make_fingerprint(quality.placement.labels),
    }


def _keep_lines(call: str) -> str:
    """Return a call as it was given, blanks and lines included, but for what cannot be shown and what is too long."""
    text = "".join(
        character if character.isprintable() or character == "\n" else "\N{REPLACEMENT CHARACTER}"
        for character in call[: _WIDTH_OF_CALL + 1]
    )
    return text if len(text) <= _WIDTH_OF_CALL else text[:_WIDTH_OF_CALL] + "…"


def _shorten_comparison(comparison: Mapping[str, Any]) -> dict[str, Any]:
    methods = [
        {
            "method": shorten(own["method"], _WIDTH_OF_METHOD),
            "runs": own["runs"],
            "seconds": own["seconds"],
            "measures": {key: own[key]["mean"] for key in MEASURES},
            "note": own["note"],
        }
        for own in comparison["methods"][:_MOST_METHODS]
    ]
    return {"repeats": comparison["repeats"], "methods": methods}
