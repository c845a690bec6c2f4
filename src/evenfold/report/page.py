"""A summary as one HTML page that needs nothing else: no network, no file beside it, no script or style but its own."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from typing import Any

import jinja2

from .figures import draw_figures
from .label_lines import N_IN_MAP
from .numbers import show, show_signed
from .tables import (
    Summary,
    balance_tables,
    comparison_table,
    group_table,
    lacking_table,
    making_table,
    measure_table,
    part_table,
    worst_table,
)

_FOLDER = Path(__file__).parent
_BADGES = {"best": "✓", "close": "✓", "better": "△", "random": "✗", "unlabelled": "·"}
# Percent of a label's share from which a cell of the heat map has the next colour.
_LEVELS = (1, 5, 10, 25)
_KEY = [
    ("u4", "25 below or more"),
    ("u3", "10 to 25 below"),
    ("u2", "5 to 10 below"),
    ("u1", "1 to 5 below"),
    ("z", "within 1"),
    ("o1", "1 to 5 above"),
    ("o2", "5 to 10 above"),
    ("o3", "10 to 25 above"),
    ("o4", "25 above or more"),
]
_CAPTIONS = {
    "rld": "Each dot is a label, each ring the least its rLD could be. Rare labels cannot be shared out as evenly as common ones.",
    "ld": "The same labels by LD, which is larger for larger labels even where they are shared out alike.",
    "distribution": "How often each label occurs. Where the split is even, the parts have the height of all rows; a part that lacks a label is at 0.",
    "cardinality": "How many labels rows have, in all rows and in each part.",
}
_WIDTH_OF_BAR = 300


def to_html(summary: Summary) -> str:
    """Return the page."""
    # Names come from data: what the template does not call safe, style, script and figures, is escaped.
    environment = jinja2.Environment(
        autoescape=True, loader=jinja2.FileSystemLoader(_FOLDER), undefined=jinja2.StrictUndefined
    )
    css, js = ((_FOLDER / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    return environment.get_template("page.html.jinja").render(
        summary=summary,
        policy=f"default-src 'none'; style-src {_hash(css)}; script-src {_hash(js)}; base-uri 'none'; form-action 'none'",
        css=css,
        js=js,
        badge=_BADGES[summary["verdict"]["level"]],
        bars=_bars(summary),
        parts=part_table(summary),
        measures=measure_table(summary, ("sizes", "labels"), "Sizes and labels."),
        combined=measure_table(
            summary, ("pairs", "labelsets"), "Label pairs and labelsets, each taken as a label."
        ),
        comparison=comparison_table(summary) if summary["comparison"] else None,
        map=_map_lines(summary),
        key=_KEY,
        worst=worst_table(summary),
        lacking=lacking_table(summary),
        figures=draw_figures(summary["figures"]),
        captions=_CAPTIONS,
        balance=list(balance_tables(summary)),
        groups=group_table(summary) if summary["groups"] else None,
        making=making_table(summary),
    )


def _hash(text: str) -> str:
    """Return how a Content-Security-Policy names the only text it allows."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _bars(summary: Summary) -> list[dict[str, Any]]:
    """Return rLD of the best possible, this split and random ones as lengths of bars."""
    if not summary["data"]["entries"]:
        return []
    line = next(line for line in summary["measures"] if line["key"] == "rld")
    named = {
        "best": ("best possible", line["bound"]),
        "this": ("this split", line["value"]),
        "random": ("random splits", line["random"]),
    }
    known = {kind: (name, value) for kind, (name, value) in named.items() if value is not None}
    longest = max(value for _, value in known.values()) or 1.0
    return [
        {
            "kind": f"bar-{kind}",
            "name": name,
            "value": show(value),
            "width": round(_WIDTH_OF_BAR * value / longest, 1),
        }
        for kind, (name, value) in known.items()
    ]


def _map_lines(summary: Summary) -> list[dict[str, Any]]:
    return [
        {
            "label": line["label"],
            "rows": show(line["rows"]),
            "cells": [
                {
                    "rows": show_signed(rows),
                    "percent": f"{show_signed(percent)} %",
                    "level": _find_level(percent),
                }
                for rows, percent in zip(line["off_rows"], line["off_percent"], strict=True)
            ],
        }
        for line in summary["worst"]["lines"][:N_IN_MAP]
    ]


def _find_level(percent: float) -> str:
    level = sum(abs(percent) >= limit for limit in _LEVELS)
    return f"{'o' if percent > 0 else 'u'}{level}" if level else "z"
