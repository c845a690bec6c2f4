"""The report of a comparison or an evaluation: one page as HTML, or Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .._tables.table import Table
from ..evaluation.results import Evaluation
from ..splits.certificate import list_versions
from ..splits.comparison import Comparison
from .dates import check_date
from .markdown import escape, render_table, show_code
from .result_findings import describe_result


def to_result_html(
    result: Comparison | Evaluation, command: str, figures: Sequence[str], date: str | None = None
) -> str:
    """Return the page; `figures` are SVG elements that have the colours of a page."""
    from .page import render

    headline, sentences = describe_result(result)
    return render(
        "result.html.jinja",
        summary={"title": result.title()},
        kind=_name_kind(result),
        headline=headline,
        sentences=sentences,
        notes=result.notes(),
        figures=figures,
        tables=result.tables(),
        command=command,
        origin=_make_origin_table(date),
    )


def to_result_markdown(
    result: Comparison | Evaluation, command: str, date: str | None = None
) -> str:
    """Return the report as Markdown: what was found, the tables, and how they were made."""
    return "\n\n".join(_blocks(result, command, date)) + "\n"


def _blocks(result: Comparison | Evaluation, command: str, date: str | None) -> Iterator[str]:
    headline, sentences = describe_result(result)
    yield f"# {escape(result.title())}"
    yield f"**{escape(headline)}**"
    yield "\n".join(f"- {escape(sentence)}" for sentence in [*sentences, *result.notes()])
    yield "## Tables"
    for table in result.tables():
        yield from filter(None, render_table(table))
    yield "## How it was made"
    yield show_code(command)
    yield from render_table(_make_origin_table(date))


def _name_kind(result: Comparison | Evaluation) -> str:
    return "comparison" if isinstance(result, Comparison) else "evaluation"


def _make_origin_table(date: str | None) -> Table:
    versions = ", ".join(f"{name} {version}" for name, version in list_versions().items())
    shown = check_date(date)
    rows = [*([["date", shown]] if shown else []), ["made by", versions]]
    return Table(["", "value"], rows, "What it takes to make this report again.")
