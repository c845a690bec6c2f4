"""Files that together are one table must have the same schema."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..exceptions import InputError

if TYPE_CHECKING:
    import pyarrow as pa


def check_same_schema(path: Path, schema: pa.Schema, first_path: Path, first: pa.Schema) -> None:
    """Refuse a file whose schema differs from that of the first file."""
    difference = _find_difference(schema, first)
    if difference:
        raise InputError(
            f"{path}: differs from {first_path}: {difference}. "
            "Pass files of one table, or write them again with one schema."
        )


def _find_difference(schema: pa.Schema, first: pa.Schema) -> str:
    """Say how the schemas differ; empty if they do not."""
    if schema.names != first.names:
        return find_other_names(schema.names, first.names)
    for own, other in zip(schema, first, strict=True):
        if not own.equals(other):
            return f"column '{own.name}' is {_show_type(own)}, not {_show_type(other)}"
    return ""


def find_other_names(names: Sequence[str], first: Sequence[str]) -> str:
    """Say how the names of columns differ from those of the first file; empty if they do not."""
    if list(names) == list(first):
        return ""
    in_one = set(first) ^ set(names)
    only_in_one = [f"'{name}'" for name in [*first, *names] if name in in_one]
    if only_in_one:
        return f"it has not the same columns ({', '.join(only_in_one[:5])})"
    return "its columns are in another order"


def _show_type(field: pa.Field) -> str:
    return str(field.type) + ("" if field.nullable else " not null")
