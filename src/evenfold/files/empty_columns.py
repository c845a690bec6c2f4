"""Files that lack one column of the file whose rows they follow: they get it, without values."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa

from .._atomic import ScratchFolder
from ..exceptions import InputError
from .columnar import ColumnarFile
from .datafile import DataFile
from .named_columns import show_columns
from .new_tables import WRITABLE, open_new_table
from .registry import open_data

# Formats whose records need not have the same columns.
_FREE = ("jsonl", "json")


def add_empty_column(new: DataFile, old: DataFile, column: str) -> DataFile:
    """Return a file with one more column, and the columns in the order of another file.

    Parameters
    ----------
    new : DataFile
        The file. It is not changed: what is returned reads a temporary copy, under its name.
    old : DataFile
        A file of the same format that has the column.
    column : str
        The column.

    Returns
    -------
    DataFile
        The file with the column, which has no values.
    """
    if new.format != old.format:
        raise InputError(
            f"{new.name}: is in the format {new.format}, {old.name} in {old.format}. "
            "Name files of one format."
        )
    if new.format not in _FREE:
        _check_columns(new, old, column)
    scratch = ScratchFolder("new")
    try:
        copy = scratch.path / new.path.name
        if isinstance(new, ColumnarFile) and isinstance(old, ColumnarFile):
            _write_with_nulls(copy, new, old)
        elif [*new.columns, column] != list(old.columns) and new.format in WRITABLE:
            _write_in_order(copy, new, old)
        else:
            n_rows = sum(batch.num_rows for batch in new.read_batches(new.columns[:1]))
            new.write_with_column(copy, column, [""], np.zeros(n_rows, np.int32))
        opened = open_data(str(copy), new.format)
    except BaseException:
        scratch.remove()
        raise
    weakref.finalize(opened, scratch.remove)
    opened._name = new.name
    return opened


def _check_columns(new: DataFile, old: DataFile, column: str) -> None:
    wanted = dict.fromkeys(name for name in old.columns if name != column)
    own = set(new.columns)
    missing = [name for name in wanted if name not in own]
    other = [name for name in new.columns if name not in wanted]
    if missing or other:
        lacks = f"lacks {show_columns(map(repr, missing))}" if missing else ""
        has = f"has also {show_columns(map(repr, other))}" if other else ""
        raise InputError(
            f"{new.name}: {' and '.join(filter(None, [lacks, has]))}, unlike {old.name}. "
            f"Write new rows with the columns of the old ones; {column!r} may be missing."
        )


def _write_with_nulls(target: Path, new: ColumnarFile, old: ColumnarFile) -> None:
    """Write the rows with the schema of the old file."""
    with old.open_writer(target, old.schema) as writer:
        for batch in new.read_all_columns():
            writer.write_table(pa.Table.from_batches([_fit(batch, old.schema, new, old)]))


def _fit(batch: pa.RecordBatch, schema: pa.Schema, new: DataFile, old: DataFile) -> pa.RecordBatch:
    arrays, own = [], set(batch.schema.names)
    for field in schema:
        if field.name not in own:
            arrays.append(pa.nulls(batch.num_rows, field.type))
            continue
        cells = batch.column(field.name)
        try:
            arrays.append(cells if cells.type.equals(field.type) else cells.cast(field.type))
        except pa.ArrowException:
            raise InputError(
                f"{new.name}: the column '{field.name}' is {cells.type} here and {field.type} in "
                f"{old.name}. Write both with one type."
            ) from None
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def _write_in_order(target: Path, new: DataFile, old: DataFile) -> None:
    """Write the rows with the columns of the old file, in their order."""
    first = next(new.read_to_convert(), None)
    if first is None:
        raise new.holds_no("rows")
    kind_of = {field.name: field.type for field in first.schema}
    schema = pa.schema([(name, kind_of.get(name, pa.string())) for name in old.columns])

    def read() -> Iterator[pa.Table]:
        for batch in new.read_to_convert():
            yield pa.Table.from_batches([_fit(batch, schema, new, old)])

    with open_new_table(new.format, target, schema) as writer:
        for rows in read():
            writer.write_table(rows)
