"""What all tables of pages share: rows as Markdown, and records by section."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

# Sections by name, of results.json and of scale.json.
Records = Mapping[str, Mapping[str, Any]]
Record = Mapping[str, Any]


def make_table(heading: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a Markdown table."""
    lines = [heading, ["---"] * len(heading), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def list_records(records: Records, section: str) -> list[Record]:
    """Return the records of a section of the results."""
    return records["results"]["sections"][section]["records"]


def find_record(records: Records, section: str, **wanted: object) -> Record:
    """Return the only record of a section with these values."""
    found = [
        record
        for record in list_records(records, section)
        if all(record[column] == value for column, value in wanted.items())
    ]
    if len(found) != 1:
        raise ValueError(f"section {section} has {len(found)} records with {wanted}")
    return found[0]


def format_rld(value: float) -> str:
    """Return an rLD with as many digits as tables of pages have."""
    return f"{value:.4f}"


def format_percent(value: float | None, digits: int = 1) -> str:
    """Return a percentage, empty if there is none; -0.0 is printed as 0.0."""
    return "" if value is None else f"{round(value, digits) + 0.0:.{digits}f} %"
