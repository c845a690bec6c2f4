"""Converted: data that is written in another format than the one that it was read in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pyarrow as pa

from ..exceptions import InputError
from .codecs.flat_columns import holds_bytes, type_without_categories, without_categories
from .columnar import ColumnarFile
from .datafile import DataFile
from .long_format import LongTable
from .named_columns import show_columns
from .new_tables import FLAT, WITHOUT_BYTES, WRITABLE, check_can_write, open_new_table
from .registry import FORMATS


class Converted(ColumnarFile):
    """The columns of a file, written in another format.

    Parameters
    ----------
    source : DataFile
        The file; a table.
    format_name : str
        The format of new files, one of `WRITABLE`.
    target : str
        What messages call the new file.

    Notes
    -----
    Columns keep the types in which they are read: those of text files are text. Categories become
    their values. In formats without them, lists and structs become JSON. Columns without a name are
    left out.
    """

    def __init__(self, source: DataFile, format_name: str, target: str) -> None:
        check_can_write(format_name, target)
        self._source = source
        first = next(source.read_to_convert(), None)
        if first is None:
            raise source.holds_no("rows")
        kinds = [field.with_type(type_without_categories(field.type)) for field in first.schema]
        super().__init__(source.path, pa.schema(kinds), source.name)
        self.format = format_name  # type: ignore[misc]
        self.suffix = FORMATS[format_name].suffixes[0]  # type: ignore[misc]
        self.goes_with = source.goes_with
        with_bytes = [field.name for field in self.schema if holds_bytes(field.type)]
        if with_bytes and format_name in WITHOUT_BYTES:
            raise InputError(
                f"{source.name}: {show_columns(map(repr, with_bytes))} hold bytes, which "
                f"{format_name} cannot hold. Write parquet, feather or duckdb."
            )
        self.remarks = [self._describe()]

    def _describe(self) -> str:
        """Say what becomes of the columns."""
        names_of: dict[str, list[str]] = {}
        for field in self.schema:
            names_of.setdefault(str(field.type), []).append(field.name)
        types = "; ".join(f"{kind}: {show_columns(names)}" for kind, names in names_of.items())
        nested = [field.name for field in self.schema if pa.types.is_nested(field.type)]
        said = [
            f"{self.name} is converted from {self._source.format} to {self.format}.",
            f"Types, as read: {types}.",
        ]
        if nested and self.format in FLAT:
            said.append(f"As JSON text: {show_columns(nested)}.")
        return " ".join(said)

    def read_batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield these columns as the file that is converted does."""
        return self._source.read_batches(columns)

    def read_all_columns(self) -> Iterator[pa.RecordBatch]:
        """Yield all rows in the types in which they are written."""
        for batch in self._source.read_to_convert():
            arrays = [without_categories(cells) for cells in batch.columns]
            yield pa.RecordBatch.from_arrays(arrays, schema=self.schema)

    def open_writer(self, target: Path, schema: pa.Schema) -> AbstractContextManager[Any]:
        """Open a new file in the other format."""
        return open_new_table(self.format, target, schema)


def convert(file: DataFile, formats: Sequence[str], target: str) -> DataFile | None:
    """Return a file as one that is written in the first of the formats that can be.

    Parameters
    ----------
    file : DataFile
        The file.
    formats : sequence of str
        The formats that the suffix of the new file stands for.
    target : str
        What messages call the new file.

    Returns
    -------
    DataFile or None
        None if the file is no table, or if none of the formats is one.
    """
    if isinstance(file, LongTable):
        lines = convert(file.lines, formats, target)
        return None if lines is None else file.over(lines)
    found = next((name for name in formats if name in WRITABLE), None)
    if found is None or not file.is_table or not file.columns:
        return None
    return Converted(file, found, target)
