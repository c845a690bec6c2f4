"""Whether the footer of a parquet file describes its columns as Arrow expects.

Arrow ends the process if it is asked how a column is stored whose description is wrong.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING, Any

from .thrift import Struct, read_struct

if TYPE_CHECKING:
    import pyarrow.parquet as pq

_N_BYTES_OF_END = 8
# To read 250 KB takes some tenths of a second. Longer footers are not checked.
_MOST_BYTES = 1 << 18
# Numbers of fields in parquet.thrift.
_ROW_GROUPS, _COLUMNS, _METADATA = 4, 1, 3
_SIZES, _TEXT_BYTES, _REPETITIONS, _DEFINITIONS = 16, 1, 2, 3


def find_wrong_chunk(file: IO[bytes], metadata: pq.FileMetaData) -> str | None:
    """Return what is wrong with the description of a column; None if nothing is.

    Parameters
    ----------
    file : binary file
        The file, open for reading at any position.
    metadata : pq.FileMetaData
        The footer as Arrow has read it.

    Returns
    -------
    str or None
        The first column whose description Arrow could not return, and why.
    """
    ends = file.seek(-_N_BYTES_OF_END, io.SEEK_END)
    n_bytes = int.from_bytes(file.read(4), "little")
    if n_bytes > min(_MOST_BYTES, ends):
        return None
    file.seek(ends - n_bytes)
    try:
        groups = _elements(read_struct(file.read(n_bytes)), _ROW_GROUPS)
        return next(_list_wrong(groups, metadata), None)
    except (ValueError, IndexError, TypeError, KeyError, AttributeError):
        # Arrow has read the footer, so it knows a field or a type that is not known here.
        return None


def _list_wrong(groups: list[Struct], metadata: pq.FileMetaData) -> Iterator[str]:
    columns = [metadata.schema.column(at) for at in range(metadata.num_columns)]
    for number, group in enumerate(groups):
        chunks = _elements(group, _COLUMNS)
        if len(chunks) != len(columns):
            yield f"row group {number} has {len(chunks):,} of {len(columns):,} columns"
            continue
        for column, chunk in zip(columns, chunks, strict=True):
            why = _find_wrong_size(column, chunk)
            if why:
                yield f"column {column.path!r} in row group {number} has {why}"


def _find_wrong_size(column: Any, chunk: Struct) -> str | None:
    if _METADATA not in chunk:
        return "no metadata"
    sizes = chunk[_METADATA][1].get(_SIZES, (0, {}))[1]
    if _TEXT_BYTES in sizes and column.physical_type != "BYTE_ARRAY":
        return "a size of text, and is none"
    for field, most in (
        (_REPETITIONS, column.max_repetition_level),
        (_DEFINITIONS, column.max_definition_level),
    ):
        n_counts = len(_elements(sizes, field)) if field in sizes else 0
        if n_counts not in (0, most + 1):
            return f"{n_counts:,} counts of levels instead of {most + 1:,}"
    return None


def _elements(struct: Struct, number: int) -> list[Any]:
    return struct[number][1][1]  # type: ignore[no-any-return]
