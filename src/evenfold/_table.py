"""Small tables as text and as HTML."""

from __future__ import annotations

import html
import itertools
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple


class Table(NamedTuple):
    """A heading and rows of cells; the first column reads from the left, numbers line up at the right."""

    heading: Sequence[str]
    rows: Sequence[Sequence[str]]

    def to_text(self) -> str:
        """Render in aligned columns."""
        lines = [self.heading, *self.rows]
        widths = [max(_columns(line[at]) for line in lines) for at in range(len(self.heading))]
        blanks = [[" " * (width - _columns(cell)) for width, cell in zip(widths, line, strict=True)] for line in lines]
        padded = [[line[0] + blank[0], *map(str.__add__, blank[1:], line[1:])] for line, blank in zip(lines, blanks, strict=True)]
        return "\n".join("  ".join(line).rstrip() for line in padded)

    def to_html(self) -> str:
        """Render as a table element; cells are data, never markup."""
        head = "".join(f'<th scope="col">{html.escape(cell)}</th>' for cell in self.heading)
        body = "".join(
            f'<tr><th scope="row">{html.escape(line[0])}</th>' + "".join(f"<td>{html.escape(cell)}</td>" for cell in line[1:]) + "</tr>"
            for line in self.rows
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def shorten(name: object, width: int = 24) -> str:
    """Show a name on one line of at most `width` columns, without control characters."""
    text = "".join(character if character.isprintable() else " " for character in str(name)[: 4 * width])
    text = " ".join(text.split())
    if _columns(text) <= width:
        return text
    columns_up_to = itertools.accumulate(map(_columns, text))
    return text[: sum(columns < width for columns in columns_up_to)] + "…"


def _columns(text: str) -> int:
    """Count the columns of a terminal: wide characters take two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)
