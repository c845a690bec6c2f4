"""Small tables as text and as HTML."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import NamedTuple


class Table(NamedTuple):
    """A heading and rows of cells; the first column reads from the left, numbers line up at the right."""

    heading: Sequence[str]
    rows: Sequence[Sequence[str]]

    def to_text(self) -> str:
        """Render in aligned columns."""
        lines = [self.heading, *self.rows]
        widths = [max(len(line[at]) for line in lines) for at in range(len(self.heading))]
        return "\n".join("  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]).rstrip() for line in lines)

    def to_html(self) -> str:
        """Render as a table element; cells are data, never markup."""
        head = "".join(f'<th scope="col">{html.escape(cell)}</th>' for cell in self.heading)
        body = "".join(
            f'<tr><th scope="row">{html.escape(line[0])}</th>' + "".join(f"<td>{html.escape(cell)}</td>" for cell in line[1:]) + "</tr>"
            for line in self.rows
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def shorten(name: object, width: int = 24) -> str:
    """Show a name on one line of at most `width` characters."""
    text = " ".join(str(name).split())
    return text if len(text) <= width else text[: width - 1] + "…"
