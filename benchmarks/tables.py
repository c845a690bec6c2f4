"""Markdown tables that are printed line by line, as results arrive."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence


def print_heading(columns: Sequence[str]) -> None:
    """Print the heading of a table."""
    print_row(columns)
    print("|" + "---|" * len(columns), flush=True)


def print_row(cells: Iterable[object]) -> None:
    """Print one row of a table."""
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


class RecordTable:
    """A table that is printed row by row and kept as records.

    `formats` has the format of each column, such as ".2f"; a missing value is an empty cell.
    """

    def __init__(self, title: str, formats: Mapping[str, str]) -> None:
        self.formats = formats
        self.records: list[dict[str, object]] = []
        print(f"\n## {title}\n")
        print_heading(list(formats))

    def add(self, record: Mapping[str, object]) -> None:
        """Print a record and keep it."""
        self.records.append(dict(record))
        values = [record.get(column) for column in self.formats]
        print_row(
            "" if value is None else format(value, form)
            for value, form in zip(values, self.formats.values(), strict=True)
        )
