"""Columns for formats that have no lists, structs and categories."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from msgspec import json as msgspec_json

from ...labels.arrow_cells import is_bytes


def holds_bytes(kind: pa.DataType) -> bool:
    """Tell whether values of a type are bytes, or have bytes in them."""
    if pa.types.is_dictionary(kind):
        return holds_bytes(kind.value_type)
    if is_bytes(kind):
        return True
    return pa.types.is_nested(kind) and any(
        holds_bytes(kind.field(at).type) for at in range(kind.num_fields)
    )


def without_categories(cells: pa.Array) -> pa.Array:
    """Return values instead of codes of a dictionary, also in lists and structs."""
    if pa.types.is_dictionary(cells.type):
        return cells.dictionary_decode()
    plain = type_without_categories(cells.type)
    return cells if plain == cells.type else pa.array(cells.to_pylist(), plain)


def type_without_categories(kind: pa.DataType) -> pa.DataType:
    """Return the type that `without_categories` gives."""
    if pa.types.is_dictionary(kind):
        return kind.value_type
    if pa.types.is_struct(kind):
        return pa.struct([own.with_type(type_without_categories(own.type)) for own in kind])
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        make = pa.list_ if pa.types.is_list(kind) else pa.large_list
        own = kind.value_field
        return make(own.with_type(type_without_categories(own.type)))
    return kind


def flatten(cells: pa.Array) -> pa.Array:
    """Return lists and structs as JSON, NaN as null, and all else as it is."""
    if pa.types.is_nested(cells.type):
        texts = [
            None if value is None else msgspec_json.encode(value).decode()
            for value in cells.to_pylist()
        ]
        return pa.array(texts, pa.large_string())
    if pa.types.is_floating(cells.type):
        return pc.if_else(pc.is_nan(cells), None, cells)
    return cells


def to_text(cells: pa.Array) -> pa.Array:
    """Return the cells as text."""
    return flatten(cells).cast(pa.large_string())


def to_values(cells: pa.Array, *, with_times: bool) -> list[Any]:
    """Return numbers, text, bytes and booleans, and all else as text.

    With `with_times`, dates and times without a time zone stay what they are.
    """
    flat = flatten(cells)
    kind = flat.type
    if pa.types.is_decimal(kind):
        flat = flat.cast(pa.float64())
    elif pa.types.is_temporal(kind) and not (with_times and getattr(kind, "tz", None) is None):
        flat = to_text(flat)
    values: list[Any] = flat.to_pylist()
    return values
