"""Columns of bytes, UUIDs among them, as text."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import pyarrow as pa

from ...labels.arrow_cells import is_bytes


def spell_bytes(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column of bytes as text; any other column as it is.

    UUIDs are written with hyphens. Other bytes are decoded if all are UTF-8, else they become
    hexadecimal digits.
    """
    kind = column.type
    if getattr(kind, "extension_name", "") == "arrow.uuid":
        return _spell(column.cast(kind.storage_type), lambda value: str(uuid.UUID(bytes=value)))
    if not is_bytes(kind):
        return column
    try:
        return column.cast(pa.large_string())
    except pa.ArrowInvalid:
        return _spell(column, bytes.hex)


def _spell(column: pa.ChunkedArray, spell: Callable[[bytes], str]) -> pa.ChunkedArray:
    chunks = []
    for chunk in column.chunks:
        coded = chunk if pa.types.is_dictionary(chunk.type) else chunk.dictionary_encode()
        texts = [None if value is None else spell(value) for value in coded.dictionary.to_pylist()]
        chunks.append(pa.array(texts, pa.large_string()).take(coded.indices))
    return pa.chunked_array(chunks, pa.large_string())
