"""Small tables as text and as HTML."""

from __future__ import annotations

import html
import itertools
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple


class Table(NamedTuple):
    """A heading and rows of cells, with a caption above.

    The first column is aligned left, the others right.
    """

    heading: Sequence[str]
    rows: Sequence[Sequence[str]]
    caption: str = ""

    def to_text(self) -> str:
        """Render in aligned columns."""
        lines = [self.heading, *self.rows]
        widths = [
            max(_count_columns(line[at]) for line in lines) for at in range(len(self.heading))
        ]
        shown = [self.caption] if self.caption else []
        for line in lines:
            blanks = [
                " " * (width - _count_columns(cell))
                for width, cell in zip(widths, line, strict=True)
            ]
            cells = [line[0] + blanks[0], *map(str.__add__, blanks[1:], line[1:])]
            shown.append("  ".join(cells).rstrip())
        return "\n".join(shown)

    def to_html(self) -> str:
        """Render as a table element; the text of cells is escaped."""
        head = "".join(f'<th scope="col">{html.escape(cell)}</th>' for cell in self.heading)
        body = "".join(
            f'<tr><th scope="row">{html.escape(line[0])}</th>'
            + "".join(f"<td>{html.escape(cell)}</td>" for cell in line[1:])
            + "</tr>"
            for line in self.rows
        )
        caption = f"<caption>{html.escape(self.caption)}</caption>" if self.caption else ""
        return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


class Report(ABC):
    """A result that shows itself as a title, tables and notes, on a terminal and in a notebook."""

    @abstractmethod
    def title(self) -> str:
        """Return one line that says what the tables are about."""

    @abstractmethod
    def tables(self) -> Sequence[Table]:
        """Return what is shown; each table fits a terminal of 80 columns."""

    @abstractmethod
    def notes(self) -> Sequence[str]:
        """Return sentences to show below the tables."""

    def __str__(self) -> str:
        notes = self.notes()
        return "\n\n".join(
            [
                self.title(),
                *(table.to_text() for table in self.tables()),
                *(["\n".join(notes)] if notes else []),
            ]
        )

    def to_html(self) -> str:
        """Return the tables as HTML.

        Returns
        -------
        str
            Paragraphs and table elements. All text is escaped.
        """
        tables = "".join(table.to_html() for table in self.tables())
        notes = "".join(f"<p>{html.escape(note)}</p>" for note in self.notes())
        return f"<p>{html.escape(self.title())}</p>{tables}{notes}"

    def _repr_html_(self) -> str:
        return self.to_html()


def shorten(name: object, width: int = 24) -> str:
    """Show a name on one line of at most `width` columns, without control characters."""
    text = "".join(
        character if character.isprintable() else " " for character in str(name)[: 4 * width]
    )
    text = " ".join(text.split())
    if _count_columns(text) <= width:
        return text
    columns_up_to = itertools.accumulate(map(_count_columns, text))
    return text[: sum(columns < width for columns in columns_up_to)] + "…"


def _count_columns(text: str) -> int:
    """Count the columns of a terminal that a text takes: wide characters take two."""
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)
