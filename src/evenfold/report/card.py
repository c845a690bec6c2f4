"""A split as a block of Markdown for the page of a dataset."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterator
from typing import Any

from .._tables.numbers import show_count, show_exact, show_number
from .._tables.table import Table
from ..quality import Quality
from ..splits.certificate import Certificate
from ..splits.origin import Origin
from . import tables
from .check_summaries import check_certificate
from .dates import check_date
from .markdown import escape, render_table, show_code
from .remarks import show_share
from .summary import make_summary

_MARKS = {"ok": "✓", "problem": "✗"}


def make_split_card(
    quality: Quality,
    call: str,
    origin: Origin,
    certificate: Certificate,
    date: str | datetime.date | None = None,
) -> str:
    """Return the block of Markdown about a split.

    Parameters
    ----------
    quality : Quality
        The measured split.
    call : str
        The call or command that made it.
    origin : Origin
        How it was made.
    certificate : Certificate
        What was checked for leaks.
    date : str or date, default=None
        The date to show. None: no date.

    Returns
    -------
    str
        The Markdown.
    """
    checked = check_certificate(certificate)
    day = check_date(date)
    return make_card(make_summary(quality, call, origin=origin, certificate=checked, date=day))


def make_card(summary: tables.Summary) -> str:
    """Return the block: sizes, verdict, evenness, method, groups, leaks, how to make it again."""
    return "\n\n".join(_blocks(summary)) + "\n"


def _blocks(summary: tables.Summary) -> Iterator[str]:
    verdict = summary["verdict"]
    yield "## Splits"
    yield render_table(_make_table(summary))[1]
    yield f"**{escape(verdict['headline'])}.** {escape(verdict['sentence'])}"
    facts = [
        *_describe_evenness(summary),
        *_describe_method(summary),
        *_describe_groups(summary),
        *_describe_balance(summary),
        _describe_checks(summary),
        *_describe_fingerprints(summary["origin"]),
    ]
    yield "\n".join(f"- **{name}**: {escape(text)}" for name, text in facts)
    yield "To make it again:"
    yield show_code(summary["origin"]["call"], "python")


def _make_table(summary: tables.Summary) -> Table:
    """Return the sizes of the parts, and their groups if there are any."""
    grouped = summary["groups"] is not None
    labelled = summary["data"]["entries"] > 0
    heading = ["split", "rows", "share", *(["groups"] if grouped else [])]
    heading += ["labels per row", "labels it lacks"] if labelled else []
    rows = []
    for part in summary["parts"]:
        cells = [part["part"], f"{part['rows']:,}", f"{100 * part['share']:.1f} %"]
        cells += [f"{part['groups']:,}"] if grouped else []
        cells += [show_number(part["cardinality"]), f"{part['lacking']:,}"] if labelled else []
        rows.append(cells)
    n_more = summary["data"]["parts"] - len(rows)
    if n_more:
        rows.append([f"and {n_more:,} more", *[""] * (len(heading) - 1)])
    return Table(heading, rows)


def _describe_evenness(summary: tables.Summary) -> list[tuple[str, str]]:
    judged = summary["judged"]
    if judged is None:
        return []
    is_reached = judged["excess"] == 0
    bound = show_share(judged["bound"], math.ceil if is_reached else math.floor)
    who = show_count(judged["labels"], "label")
    if judged["labels"] < summary["worst"]["labels"]:
        who += " with at least a row for each split"
    text = f"{who}, on average {show_share(judged['rld'])} off their share; best possible {bound}"
    if judged["random"] is not None:
        text += f"; random splits {show_share(judged['random'])}"
    rld = next(line for line in summary["measures"] if line["key"] == "rld")
    of_all = rld["bound"] if rld["tight_bound"] is None else rld["tight_bound"]
    of_all = f"rLD of all labels {show_exact(rld['value'])}, bound {show_exact(of_all)}"
    return [("Evenness", f"{text} ({of_all}).")]


def _describe_method(summary: tables.Summary) -> list[tuple[str, str]]:
    origin = summary["origin"]
    if origin["method"] is None:
        return []
    given = {
        "order": origin["order"],
        "effort": origin["effort"],
        "cover": origin["cover"],
        "size tolerance": origin["size_tolerance"],
        "seed": origin["random_state"],
    }
    settings = [f"{name} {value}" for name, value in given.items() if value is not None]
    text = ", ".join([origin["method"], *settings, f"evenfold {origin['version']}"])
    return [("Method", f"{text}.")]


def _describe_groups(summary: tables.Summary) -> list[tuple[str, str]]:
    groups = summary["groups"]
    if groups is None:
        return []
    n_cut = groups["straddling"]
    where = f"{n_cut:,} of them in more than one split" if n_cut else "each in one split"
    return [("Groups", f"{show_count(groups['number'], 'group')}, {where}.")]


def _describe_balance(summary: tables.Summary) -> list[tuple[str, str]]:
    columns = [
        f"{own['column']} ({show_share(own['rld'])} off its share)" for own in summary["balance"]
    ]
    return [("Balanced besides labels", f"{', '.join(columns)}.")] if columns else []


def _describe_checks(summary: tables.Summary) -> tuple[str, str]:
    checks: list[dict[str, Any]] = summary["checks"]
    done = [
        f"{_MARKS[own['state']]} {own['check']}: {own['text']}"
        for own in checks
        if own["state"] in _MARKS
    ]
    missing = [own["check"] for own in checks if own["state"] not in _MARKS]
    not_checked = [f"not checked: {', '.join(missing)}"] if missing else []
    return "Leaks", f"{'; '.join([*done, *not_checked])}."


def _describe_fingerprints(origin: dict[str, Any]) -> list[tuple[str, str]]:
    known = {"labels": origin["fingerprint"], "parts": origin["parts_fingerprint"]}
    shown = [f"{name} {value}" for name, value in known.items() if value is not None]
    if origin["date"] is not None:
        shown.append(f"date {origin['date']}")
    return [("Fingerprints", f"{', '.join(shown)}.")] if shown else []
