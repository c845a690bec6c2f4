"""ColumnarFile: the base class of the formats that Arrow reads in batches of rows."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from .arrow_types import to_plain_type, to_plain_types
from .damage import explain_arrow_damage
from .datafile import DataFile
from .filled_cells import fill_cells, find_values_outside_enum
from .part_buffers import PartBuffer, write_rows
from .read_ahead import read_ahead
from .row_chunks import number_chunks
from .struct_fields import Fields, list_fields


class ColumnarFile(DataFile):
    """A format of record batches, written batch by batch.

    A subclass defines `read_batches`, `read_all_columns` and `open_writer`; all writing is here.

    Parameters
    ----------
    path : Path
        The file or folder.
    schema : pa.Schema
        The schema of its rows.
    name : str, default=None
        What messages call it; by default its path.

    Attributes
    ----------
    schema : pa.Schema
        The schema of its rows.
    rows_at_once : int
        How many rows of a part are written together; at least as many as are read together.
    """

    is_table = True
    can_add_columns = True
    can_fill_columns = True
    rows_at_once: int = 0

    def __init__(self, path: Path, schema: pa.Schema, name: str | None = None) -> None:
        super().__init__(path, name)
        self.schema = schema
        with explain_arrow_damage(self.name, "has a column name that is no text"):
            self.columns = schema.names
        self.check_distinct(self.columns)

    @cached_property
    def fields(self) -> Fields:  # type: ignore[override]
        """The fields of struct columns, those of structs in lists included."""
        return list_fields(self.schema)

    @abstractmethod
    def read_all_columns(self) -> Iterator[pa.RecordBatch]:
        """Yield all rows with the types they have in the file."""

    def read_to_convert(self) -> Iterator[pa.RecordBatch]:
        """Yield all rows in types that can be taken from and filtered."""
        return map(to_plain_types, self.read_all_columns())

    @abstractmethod
    def open_writer(self, target: Path, schema: pa.Schema) -> AbstractContextManager[Any]:
        """Open a new file of the same kind, with a method `write_table`."""

    def write_parts(self, targets: Sequence[Path], part_of_row: NDArray[np.int32]) -> None:
        """Write the rows of part j to `targets[j]`, with the schema and metadata of the file."""
        with ExitStack() as open_files:
            buffers = [
                PartBuffer(
                    open_files.enter_context(self.open_writer(target, self.schema)), self.schema
                )
                for target in targets
            ]
            write_rows(self.name, self.read_all_columns(), buffers, part_of_row, self.rows_at_once)

    def write_with_column(
        self, target: Path, column: str, values: Sequence[str], code_of_row: NDArray[np.int32]
    ) -> None:
        """Write the file with one more text column at the end, null where the code is negative."""
        self.check_new(column)
        schema = self.schema.append(pa.field(column, pa.string()))
        batches = self._read_with_column(column, values, code_of_row)
        self._write_all(target, schema, batches, len(code_of_row))

    def fill_column(
        self, target: Path, column: str, values: Sequence[str], code_of_row: NDArray[np.int32]
    ) -> None:
        """Write the file with other values in some rows of one column.

        The column keeps its type and its categories; new categories come after them.
        """
        try:
            new = self.to_cells(column, values)
        except pa.ArrowException:
            raise self._does_not_fit(column, values) from None
        batches = self._read_filled(column, new, code_of_row)
        self._write_all(target, self.schema, batches, len(code_of_row))

    def to_cells(self, column: str, values: Sequence[str]) -> pa.Array:
        """Return the values in the type of a column; raise Arrow's error where they do not fit."""
        kind = to_plain_type(self.schema.field(column).type)
        return pa.array(values, pa.string()).cast(
            kind.value_type if pa.types.is_dictionary(kind) else kind
        )

    def _write_all(
        self, target: Path, schema: pa.Schema, batches: Iterator[pa.RecordBatch], n_rows: int
    ) -> None:
        with self.open_writer(target, schema) as writer:
            buffers = [PartBuffer(writer, schema)]
            write_rows(self.name, batches, buffers, np.zeros(n_rows, np.int32), self.rows_at_once)

    def _read_with_codes(
        self, code_of_row: NDArray[np.int32]
    ) -> Iterator[tuple[pa.RecordBatch, NDArray[np.int32]]]:
        batches = read_ahead(self.read_all_columns())
        for start, batch in number_chunks(self.name, batches, len(code_of_row)):
            yield batch, code_of_row[start : start + batch.num_rows]

    def _read_with_column(
        self, column: str, values: Sequence[str], code_of_row: NDArray[np.int32]
    ) -> Iterator[pa.RecordBatch]:
        texts = pa.array(values, pa.string())
        for batch, codes in self._read_with_codes(code_of_row):
            yield batch.append_column(column, texts.take(pa.array(codes, mask=codes < 0)))

    def _read_filled(
        self, column: str, new: pa.Array, code_of_row: NDArray[np.int32]
    ) -> Iterator[pa.RecordBatch]:
        at = self.schema.get_field_index(column)
        field = self.schema.field(at)
        for batch, codes in self._read_with_codes(code_of_row):
            try:
                filled = fill_cells(batch.column(at), new, codes).cast(field.type)
            except pa.ArrowInvalid:  # more categories than the type of the codes can number
                raise self._does_not_fit(column, list(map(str, new.to_pylist()))) from None
            outside = find_values_outside_enum(field, batch.column(at), filled)
            if outside:
                raise self._does_not_fit(column, outside)
            yield batch.set_column(at, field, filled)

    def _does_not_fit(self, column: str, values: Sequence[str]) -> Exception:
        return self.cannot_hold(column, self.schema.field(column).type, values)
