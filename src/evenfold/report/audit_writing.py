"""The report of an audit: one page as HTML, Markdown or JSON."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any

from .._atomic import write_whole
from .._tables.table import Table
from ..splits.audit_result import Audit
from ..splits.audit_tables import (
    make_check_table,
    make_drift_table,
    make_example_table,
    make_match_table,
    make_version_table,
)
from . import tables
from .audit_summary import make_audit_summary
from .dates import check_date
from .summary import to_json
from .writing import check_suffix

_MAX_EXAMPLES = 10
_MAX_LINES = 20
# Wider than on a terminal.
_WIDTH_OF_KINDS = 100
_LEVELS = {True: "best", False: "random", None: "unlabelled"}
_BADGES = {True: "✓", False: "✗", None: "·"}


def write_audit(
    path: str | PathLike[str],
    audit: Audit,
    call: str,
    *,
    title: str | None = None,
    date: str | datetime.date | None = None,
) -> None:
    """Write the report of an audit.

    Parameters
    ----------
    path : str or path
        Where to write; ends in .html, .md or .json.
    audit : Audit
        The audit.
    call : str
        The call or command that made it.
    title : str, default=None
        The title of the report. None: the number of rows and parts.
    date : str or date, default=None
        The date to show. None: no date.
    """
    suffix = check_suffix(path)
    summary = make_audit_summary(audit, call, title, check_date(date))
    form = {".json": to_json, ".md": _to_markdown, ".html": _to_html}[suffix]
    write_whole(Path(path), form(summary).encode())


def _to_html(summary: dict[str, Any]) -> str:
    from .page import render

    states = {check["state"] for check in summary["checks"]}
    # Where nothing was checked, nothing is known.
    passed = None if states == {"not checked"} else summary["passed"]
    return render(
        "audit.html.jinja",
        summary=summary,
        level=_LEVELS[passed],
        badge=_BADGES[passed],
        checks=make_check_table(summary),
        sections=_make_sections(summary),
        versions=make_version_table(summary),
    )


def _to_markdown(summary: dict[str, Any]) -> str:
    return "\n\n".join(_blocks(summary)) + "\n"


def _blocks(summary: dict[str, Any]) -> Iterator[str]:
    from .markdown import escape, render_table, show_code

    yield f"# {escape(summary['title'])}"
    yield f"**{escape(summary['verdict'])}**"
    yield "## Checks"
    yield from render_table(make_check_table(summary))
    for heading, sentence, shown in _make_sections(summary):
        yield f"## {heading}"
        yield escape(sentence)
        for table in shown:
            yield from render_table(table)
    yield "## How it was made"
    yield show_code(summary["call"])
    yield from render_table(make_version_table(summary))


def _make_sections(summary: dict[str, Any]) -> list[tuple[str, str, list[Table]]]:
    """Return the heading of each section, a sentence, and its tables."""
    sections = []
    matches = make_match_table(summary, _MAX_LINES, _WIDTH_OF_KINDS)
    if matches.rows:
        sentence = (
            "Rows that match a row of the part that a model is trained on make its score look "
            "better than it is."
        )
        shown = [matches, make_example_table(summary, _MAX_EXAMPLES)]
        sections.append(("Matches between parts", sentence, shown))
    drift = make_drift_table(summary, _MAX_LINES)
    if drift.rows:
        sentence = (
            "Labels whose share differs between parts by more than a random split explains, each "
            "with the part in which it is furthest off. p is corrected for the number of labels."
        )
        sections.append(("Label drift", sentence, [drift]))
    evenness = summary["evenness"]
    if evenness is not None:
        verdict = evenness["verdict"]
        shown = [tables.make_part_table(evenness)]
        if evenness["data"]["entries"]:
            caption = "Sizes and labels. Smaller is better."
            shown.append(tables.make_measure_table(evenness, ("sizes", "labels"), caption))
        sections.append(("Evenness", f"{verdict['headline']}. {verdict['sentence']}", shown))
    return sections
