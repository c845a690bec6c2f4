"""A summary as one HTML page that needs no network and no other file.

It allows no script and no style but its own.
"""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from typing import Any

import jinja2

from .._tables.numbers import show_exact, show_signed
from .._tables.table import Table
from ..quality.measures import MEASURES_OF_EACH_LABEL
from . import tables
from .figures import draw_figures
from .gauge import draw_gauge
from .label_summaries import MAX_IN_MAP
from .verdict import BADGES

_FOLDER = Path(__file__).parent
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
    **{measure.name: measure.caption for measure in MEASURES_OF_EACH_LABEL},
    "distribution": "How often each label occurs. Where the split is even, the parts have the "
    "height of all rows; a part that lacks a label is at 0.",
    "cardinality": "How many labels rows have, in all rows and in each part.",
}


def to_html(summary: tables.Summary) -> str:
    """Return the page."""
    return render(
        "page.html.jinja",
        summary=summary,
        badge=BADGES[summary["verdict"]["level"]],
        gauge=draw_gauge(summary),
        parts=tables.make_part_table(summary),
        measures=tables.make_measure_table(summary, ("sizes", "labels"), "Sizes and labels."),
        size_classes=tables.make_size_class_table(summary),
        combined=tables.make_measure_table(
            summary, ("pairs", "labelsets"), "Label pairs and labelsets, each taken as a label."
        ),
        comparison=tables.make_comparison_table(summary) if summary["comparison"] else None,
        map=_make_map(summary),
        key=_KEY,
        worst=tables.make_worst_table(summary),
        lacking=tables.make_lacking_table(summary),
        figures=draw_figures(summary["figures"]),
        captions=_CAPTIONS,
        balance=_make_balance(summary),
        groups=tables.make_group_table(summary) if summary["groups"] else None,
        label_groups=tables.make_label_group_table(summary),
        checks=tables.make_check_table(summary),
        origin=tables.make_origin_table(summary),
    )


def render(template: str, **values: Any) -> str:
    """Return a page made of a template of this folder, with its style and script."""
    # Names come from data, so all is escaped but what the template marks as safe: style, script and
    # figures.
    environment = jinja2.Environment(
        autoescape=True, loader=jinja2.FileSystemLoader(_FOLDER), undefined=jinja2.StrictUndefined
    )
    environment.filters["keep_percent"] = _keep_percent
    css, js = ((_FOLDER / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
    policy = _make_policy(css, js)
    return environment.get_template(template).render(policy=policy, css=css, js=js, **values)


def _keep_percent(text: str) -> str:
    """Return a text whose percent signs stay on the line of their number."""
    return text.replace(" %", "\N{NO-BREAK SPACE}%")


def _make_policy(css: str, js: str) -> str:
    """Return a Content-Security-Policy that allows this style and this script only."""
    return (
        f"default-src 'none'; style-src {_hash(css)}; script-src {_hash(js)}; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    """Return the hash by which a Content-Security-Policy allows a text."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _make_balance(summary: tables.Summary) -> list[tuple[Table, str]]:
    """Return the table of each balanced column, and its figure; empty if it is not drawn."""
    figures = {
        f"balance{at}": own["figure"]
        for at, own in enumerate(summary["balance"])
        if own["figure"] is not None
    }
    drawn = draw_figures(figures)
    own = tables.make_balance_tables(summary)
    return [(table, drawn.get(f"balance{at}", "")) for at, table in enumerate(own)]


def _make_map(summary: tables.Summary) -> list[dict[str, Any]]:
    """Return the rows of the heat map."""
    return [
        {
            "label": line["label"],
            "rows": show_exact(line["rows"]),
            "cells": [
                {
                    "rows": show_signed(rows),
                    "percent": f"{show_signed(percent)} %",
                    "level": _find_level(percent),
                }
                for rows, percent in zip(line["off_rows"], line["off_percent"], strict=True)
            ],
        }
        for line in summary["worst"]["lines"][:MAX_IN_MAP]
    ]


def _find_level(percent: float) -> str:
    level = sum(abs(percent) >= limit for limit in _LEVELS)
    return f"{'o' if percent > 0 else 'u'}{level}" if level else "z"
