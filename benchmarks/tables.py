"""Markdown tables that are printed line by line, as results arrive."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def print_heading(columns: Sequence[str]) -> None:
    """Print the heading of a table."""
    print_row(columns)
    print("|" + "---|" * len(columns), flush=True)


def print_row(cells: Iterable[object]) -> None:
    """Print one row of a table."""
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)
