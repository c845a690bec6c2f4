"""A summary as Markdown, with a Markdown table for each table."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .._tables.table import Table
from . import tables
from .label_summaries import MAX_IN_MAP

# Characters that Markdown, or a renderer of it, could read as markup inside a line. Other
# punctuation means something at the start of a line only.
_MARKUP = re.compile(r"([\\`*_\[\]~$@!#]|:(?=\S)|(?<=www)\.)")
_ENTITIES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;"})


def to_markdown(summary: tables.Summary) -> str:
    """Return the report as Markdown."""
    return "\n\n".join(_blocks(summary)) + "\n"


def _blocks(summary: tables.Summary) -> Iterator[str]:
    verdict = summary["verdict"]
    yield f"# {escape(summary['title'])}"
    yield f"**{escape(verdict['headline'])}.** {escape(verdict['sentence'])}"
    yield "\n".join(f"- {escape(remark)}" for remark in [*verdict["remarks"], *summary["notes"]])
    yield "## Parts"
    yield from render_table(tables.make_part_table(summary))
    yield "## Measures"
    yield from render_table(
        tables.make_measure_table(summary, ("sizes", "labels"), "Smaller is better.")
    )
    combined = tables.make_measure_table(
        summary, ("pairs", "labelsets"), "Label pairs and labelsets, each taken as a label."
    )
    size_classes = tables.make_size_class_table(summary)
    if size_classes.rows:
        yield from render_table(size_classes)
    if combined.rows:
        yield from render_table(combined)
    yield from (
        escape(note) for note in (summary["pairs_left_out"], summary["random"]["note"]) if note
    )
    if summary["comparison"]:
        yield "## Methods"
        yield from render_table(tables.make_comparison_table(summary))
    if summary["worst"]["lines"]:
        yield "## Where it is least even"
        yield from render_table(tables.make_worst_table(summary, MAX_IN_MAP))
    if summary["lacking"]["lines"]:
        yield "## Labels that some part lacks"
        yield from render_table(tables.make_lacking_table(summary))
    if summary["figures"]:
        yield "## Figures in words"
        yield "\n".join(f"- {escape(figure['text'])}" for figure in summary["figures"].values())
    if summary["balance"]:
        yield "## Balanced besides labels"
        for table in tables.make_balance_tables(summary):
            yield from render_table(table)
    if summary["groups"]:
        yield "## Groups"
        yield from render_table(tables.make_group_table(summary))
        label_groups = tables.make_label_group_table(summary)
        if label_groups.rows:
            yield from render_table(label_groups)
    yield "## Leaks"
    yield from render_table(tables.make_check_table(summary))
    yield "## How it was made"
    yield show_code(summary["origin"]["call"])
    yield from render_table(tables.make_origin_table(summary))


def escape(text: str) -> str:
    """Return text with markup escaped, in one line and one cell."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split())).translate(_ENTITIES)


def show_code(text: str, language: str = "text") -> str:
    """Return a block of code, with a fence longer than any in the text."""
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence}{language}\n{text}\n{fence}"


def render_table(table: Table) -> list[str]:
    """Return the caption of a table, and the table."""
    lines = [table.heading, [":--", *["--:"] * (len(table.heading) - 1)], *table.rows]
    rows = [
        "| " + " | ".join(cells if at == 1 else map(escape, cells)) + " |"
        for at, cells in enumerate(lines)
    ]
    return [escape(table.caption), "\n".join(rows)]
