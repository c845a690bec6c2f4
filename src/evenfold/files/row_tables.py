"""RowTable: the base class of the formats whose rows are read one by one, as Python values."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from .datafile import DataFile
from .row_chunks import pair_chunks

Row = Sequence[Any]
WriteRows = Callable[[Iterable[Row]], None]


class RowTable(DataFile):
    """A format of rows of values, each with its own type.

    Rows are written with the values that they have, also in columns whose values are of several
    types. A subclass defines `read_batches`, `read_rows`, `find_type` and `open_writer`.

    Attributes
    ----------
    names : sequence of str
        The names of all columns, empty where one has none; `columns` has those with a name.
    """

    is_table = True
    can_add_columns = True
    can_fill_columns = True
    names: Sequence[str]

    @abstractmethod
    def read_rows(self) -> Iterator[Sequence[Row]]:
        """Yield all rows with the values of all columns, many at a time."""

    @abstractmethod
    def find_type(self, column: str) -> pa.DataType:
        """Return the type in which a column is read."""

    @abstractmethod
    def open_writer(self, target: Path, added: Sequence[str]) -> AbstractContextManager[WriteRows]:
        """Open a new file with the columns of this one and new ones of text after them."""

    def write_parts(self, targets: Sequence[Path], part_of_row: NDArray[np.int32]) -> None:
        """Write the rows of part j to `targets[j]`; leave out part -1."""
        with ExitStack() as stack:
            writers = [stack.enter_context(self.open_writer(target, [])) for target in targets]
            for rows, parts in pair_chunks(self.name, self.read_rows(), part_of_row):
                # The last list takes the rows of part -1.
                rows_of_part: list[list[Row]] = [[] for _ in range(len(writers) + 1)]
                for row, part in zip(rows, parts, strict=True):
                    rows_of_part[part].append(row)
                for write, own_rows in zip(writers, rows_of_part, strict=False):
                    write(own_rows)

    def write_with_column(
        self, target: Path, column: str, values: Sequence[str], code_of_row: NDArray[np.int32]
    ) -> None:
        """Write the file with one more text column at the end, empty where the code is -1."""
        self.check_new(column)
        cells = [*values, None]
        with self.open_writer(target, [column]) as write:
            for rows, codes in pair_chunks(self.name, self.read_rows(), code_of_row):
                write([(*row, cells[code]) for row, code in zip(rows, codes, strict=True)])

    def fill_column(
        self, target: Path, column: str, values: Sequence[str], code_of_row: NDArray[np.int32]
    ) -> None:
        """Write the file with other values in some rows of one column, in the column's type."""
        place, new = self.names.index(column), self._to_values_of(column, values)
        with self.open_writer(target, []) as write:
            for rows, codes in pair_chunks(self.name, self.read_rows(), code_of_row):
                write(
                    [
                        row if code < 0 else (*row[:place], new[code], *row[place + 1 :])
                        for row, code in zip(rows, codes, strict=True)
                    ]
                )

    def _to_values_of(self, column: str, values: Sequence[str]) -> list[Any]:
        kind = self.find_type(column)
        try:
            found: list[Any] = pa.array(values, pa.string()).cast(kind).to_pylist()
        except pa.ArrowException:
            raise self.cannot_hold(column, kind, values) from None
        return found
