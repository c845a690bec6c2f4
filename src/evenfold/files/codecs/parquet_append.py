"""Appending a column to a parquet file without decoding the others.

Their bytes are copied, the new column follows them, and only the footer is new.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from typing import IO, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from .spark_schema import add_to_spark_schema
from .thrift import Struct, read_struct, write_struct

_MAGIC = b"PAR1"
_COPY_BYTES = 1 << 20
# The footer is read in Python, some microseconds for each column of each row group. With a longer
# footer, decoding and writing all columns takes less time.
_MAX_FOOTER_BYTES = 2 << 20
# Numbers of the fields in parquet.thrift.
_SCHEMA, _ROW_GROUPS, _KEY_VALUES, _COLUMN_ORDERS, _ENCRYPTION = 2, 4, 5, 7, 8
_N_CHILDREN = 5
_KEY, _VALUE = 1, 2
_COLUMNS, _N_BYTES, _N_ROWS, _N_COMPRESSED_BYTES = 1, 2, 3, 6
_FILE_OFFSET, _METADATA = 2, 3
_N_COMPRESSED_BYTES_OF_COLUMN = 7
_PAGE_OFFSETS = (9, 10, 11)


def append_column(
    file: IO[bytes],
    out: IO[bytes],
    name: str,
    values: Sequence[str],
    code_of_row: NDArray[np.integer[Any]],
    **options: Any,
) -> bool:
    """Write a parquet file with one more text column.

    Parameters
    ----------
    file : binary file
        The file, open for reading at any position.
    out : binary file
        The new file, open for writing from its beginning to its end.
    name : str
        The name of the column.
    values : sequence of str
        The values of the column.
    code_of_row : ndarray of shape (n_rows,)
        Which value each row has; null where it is negative.
    **options : Any
        Options of `pyarrow.parquet.ParquetWriter` for the new column.

    Returns
    -------
    bool
        False, and nothing is written, if the file does not have that many rows, or if its footer
        is encrypted, damaged or too long.
    """
    footer, body_ends = _read_footer(file)
    n_rows_of_group = (
        [group[_N_ROWS][1] for group in _elements(footer, _ROW_GROUPS)] if footer else []
    )
    if not footer or _ENCRYPTION in footer or sum(n_rows_of_group) != len(code_of_row):
        return False
    file.seek(0)
    _copy(file, out, body_ends)
    codes_of_group = np.split(code_of_row, np.cumsum(n_rows_of_group, dtype=int))[:-1]
    own = _write_column(name, values, codes_of_group, options)
    own_footer, own_body_ends = _read_footer(own)
    _join(footer, own_footer, body_ends - len(_MAGIC), pa.field(name, pa.string()))
    out.write(own.getbuffer()[len(_MAGIC) : own_body_ends])
    joined = write_struct(footer)
    out.write(joined + len(joined).to_bytes(4, "little") + _MAGIC)
    return True


def _copy(file: IO[bytes], out: IO[bytes], n_bytes: int) -> None:
    """Copy bytes from where the file is; `out` may be a stream, which cannot be cut afterwards."""
    while n_bytes:
        piece = file.read(min(_COPY_BYTES, n_bytes))
        if not piece:
            raise OSError("the file has become shorter while it was copied")
        out.write(piece)
        n_bytes -= len(piece)


def _write_column(
    name: str,
    values: Sequence[str],
    codes_of_group: list[NDArray[np.integer[Any]]],
    options: dict[str, Any],
) -> io.BytesIO:
    """Return a parquet file of this column alone, in the same row groups."""
    texts = pa.array(values, pa.string())
    file = io.BytesIO()
    schema = pa.schema([(name, pa.dictionary(pa.int32(), pa.string()))])
    with pq.ParquetWriter(file, schema, **options) as writer:
        for codes in codes_of_group:
            own_codes = pa.array(codes, pa.int32(), mask=codes < 0)
            column = pa.DictionaryArray.from_arrays(own_codes, texts)
            writer.write_table(pa.table({name: column}), row_group_size=max(1, len(codes)))
    return file


def _read_footer(file: IO[bytes]) -> tuple[Struct, int]:
    """Return the footer, empty if it cannot be read, and where it starts."""
    ends = file.seek(-8, io.SEEK_END)
    n_bytes, magic = int.from_bytes(file.read(4), "little"), file.read(4)
    if magic != _MAGIC or n_bytes > _MAX_FOOTER_BYTES:
        return {}, ends
    file.seek(ends - n_bytes)
    try:
        return read_struct(file.read(n_bytes)), ends - n_bytes
    except (ValueError, IndexError):  # Arrow ignores fields that it does not know
        return {}, ends


def _join(footer: Struct, own: Struct, offset: int, field: pa.Field) -> None:
    """Add the column that the footer `own` describes, whose bytes are moved by `offset`."""
    schema = _elements(footer, _SCHEMA)
    schema[0][_N_CHILDREN] = (schema[0][_N_CHILDREN][0], schema[0][_N_CHILDREN][1] + 1)
    schema.append(_elements(own, _SCHEMA)[1])
    for group, own_group in zip(
        _elements(footer, _ROW_GROUPS), _elements(own, _ROW_GROUPS), strict=True
    ):
        [chunk] = _elements(own_group, _COLUMNS)
        metadata = chunk[_METADATA][1]
        _add(chunk, _FILE_OFFSET, offset)
        for at in _PAGE_OFFSETS:
            _add(metadata, at, offset)
        _elements(group, _COLUMNS).append(chunk)
        _add(group, _N_BYTES, own_group[_N_BYTES][1])
        _add(group, _N_COMPRESSED_BYTES, metadata[_N_COMPRESSED_BYTES_OF_COLUMN][1])
    if _COLUMN_ORDERS in footer:
        _elements(footer, _COLUMN_ORDERS).extend(_elements(own, _COLUMN_ORDERS))
    if _KEY_VALUES in footer:
        kind, (kind_of_pairs, pairs) = footer[_KEY_VALUES]
        kept = [pair for pair in pairs if _add_to_kept_schema(pair, field)]
        footer[_KEY_VALUES] = (kind, (kind_of_pairs, kept))


def _add_to_kept_schema(pair: Struct, field: pa.Field) -> bool:
    """Add the new field to a schema that Arrow or Spark keeps in the key-value metadata.

    Return False if it is such a schema and not understood.
    """
    if pair[_KEY][1] == b"ARROW:schema":
        kept = pa.ipc.read_schema(pa.py_buffer(base64.b64decode(pair[_VALUE][1])))
        pair[_VALUE] = (pair[_VALUE][0], base64.b64encode(kept.append(field).serialize()))
    elif _VALUE in pair:
        changed = add_to_spark_schema({pair[_KEY][1]: pair[_VALUE][1]}, [field])
        if not changed:
            return False
        [value] = changed.values()
        pair[_VALUE] = (pair[_VALUE][0], value)
    return True


def _elements(struct: Struct, number: int) -> list[Any]:
    """Return the elements of a list field; a change of this list changes the struct."""
    return struct[number][1][1]  # type: ignore[no-any-return]


def _add(struct: Struct, number: int, amount: int) -> None:
    """Add to a number of bytes or an offset, if there is one; an offset of 0 means none."""
    if number in struct and struct[number][1]:
        struct[number] = (struct[number][0], struct[number][1] + amount)
