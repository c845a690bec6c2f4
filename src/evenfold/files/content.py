"""Formats that share a suffix, told apart by what a file begins with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

# What a file of a format has at a position.
_MAGIC = {"sqlite": (0, b"SQLite format 3\0"), "duckdb": (8, b"DUCK")}


def tell_apart(path: Path, formats: Sequence[str]) -> str:
    """Return which of the formats a file is in, the first one if its content is of none."""
    return next((name for name in formats if begins_as(path, name)), formats[0])


def begins_as(path: Path, format_name: str) -> bool:
    """Tell whether a file begins as those of a format do."""
    position, magic = _MAGIC[format_name]
    if not path.is_file():
        return False
    with path.open("rb") as file:
        file.seek(position)
        return file.read(len(magic)) == magic
