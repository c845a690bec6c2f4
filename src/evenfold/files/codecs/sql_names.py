"""Names of tables and columns in SQL."""

from __future__ import annotations

from collections.abc import Iterable


def name_in_sql(name: str) -> str:
    """Return the name of a table or column as SQL writes it."""
    return '"' + name.replace('"', '""') + '"'


def find_same_name(name: str, names: Iterable[str]) -> str:
    """Return the one of the names that SQL takes for the same, whatever its case; else the name."""
    return next((own for own in names if own.lower() == name.lower()), name)
