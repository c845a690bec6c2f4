"""Tables, figures and numbers as Markdown."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence

NO_VALUE = "–"
MAX_COLUMNS = 100


def to_table(
    heading: Sequence[str], rows: Iterable[Sequence[object]], n_text_columns: int = 1
) -> str:
    """Return a table. The first columns are aligned left, the others right."""
    alignment = ["---" if at < n_text_columns else "---:" for at in range(len(heading))]
    lines = [heading, alignment, *rows]
    if len({len(line) for line in lines}) > 1:
        raise ValueError(
            f"'rows' must have as many cells as the heading, {len(heading)}, "
            f"got {sorted({len(line) for line in lines})}."
        )
    return "\n".join(
        "| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines
    )


def to_figure(name: str, title: str, caption: str) -> str:
    """Return a figure with its caption. Its file is in the folder `figures` beside the page."""
    return f"![{title}](figures/{name})\n\n*{caption}*"


def to_page(*blocks: str) -> str:
    """Join blocks by empty lines. Empty blocks are left out."""
    return "\n\n".join(block for block in blocks if block)


def wrap_prose(page: str) -> str:
    """Break paragraphs and list items at 100 columns; keep tables, headings and figures."""
    return "\n\n".join(_wrap_block(block) for block in page.split("\n\n"))


def _wrap_block(block: str) -> str:
    if block.startswith(("|", "#", "!")):
        return block
    items = re.split(r"\n(?=- )", block)
    return "\n".join(
        textwrap.fill(
            " ".join(item.split()),
            MAX_COLUMNS,
            subsequent_indent="  " if item.startswith("- ") else "",
            break_long_words=False,
            break_on_hyphens=False,
        )
        for item in items
    )


def format_number(value: float | None, digits: int) -> str:
    """Return a number with that many digits after the point; a dash for None."""
    return NO_VALUE if value is None else f"{value:,.{digits}f}"


def format_beside_published(ours: float, published: float, digits: int) -> str:
    """Return the published value if ours rounds to it, else both values.

    Papers round halves up or down, so both are accepted.
    """
    same = abs(ours - published) <= 0.5 * 10.0**-digits + 1e-9
    return (
        format_number(published, digits)
        if same
        else f"**{format_number(ours, digits)}** (published: {format_number(published, digits)})"
    )


def format_list(items: Iterable[str]) -> str:
    """Return the items as part of a sentence: a, b and c."""
    items = list(items)
    return " and ".join(filter(None, [", ".join(items[:-1]), items[-1]])) if items else ""
