"""Excel: one sheet of a workbook, its first row the names of the columns."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa

from ...exceptions import InputError
from ..codecs.excel_cells import make_column, open_sheet, to_text
from ..codecs.excel_extents import count_bytes_of_sheets
from ..damage import explain_damage
from ..extras import import_extra
from ..memory import check_memory, get_limit
from ..row_chunks import cut_into_chunks
from ..row_tables import Row, RowTable, WriteRows
from ..tables import choose_table

# How files begin that are encrypted, or in the format that Excel had before .xlsx.
_OLD_MAGIC = b"\xd0\xcf\x11\xe0"
_ROWS_AT_ONCE = 1 << 14


class Excel(RowTable):
    """A sheet of an Excel workbook.

    Notes
    -----
    To open a workbook reads the sheet. Rows and columns without any cell are left out; a column
    without a name is copied, but is not among `columns`. Formulas have the values that were saved
    with them; empty text and errors such as #N/A are missing. A column of values of several types
    is read as text. Files written have one sheet of the same name: its values, without formats,
    formulas and the other sheets.
    """

    format: ClassVar[str] = "xlsx"
    suffix: ClassVar[str] = ".xlsx"

    def __init__(self, path: Path, name: str | None = None, table: str | None = None) -> None:
        super().__init__(path, name)
        self._title, rows = self._read_sheet(table)
        if not rows:
            raise InputError(
                f"{self.name}: sheet '{self._title}' is empty. "
                "Its first row must hold the names of the columns."
            )
        header, *self._rows = rows
        self.names = ["" if cell is None else to_text(cell) for cell in header]
        self.columns = [own for own in self.names if own]
        if not self.columns:
            raise InputError(f"{self.name}: no column has a name. Give each one in the first row.")
        self.check_distinct(self.columns)
        self._place_of = {own: place for place, own in enumerate(self.names)}

    def read_batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield these columns of all rows, in order, a bounded number of rows at a time."""
        arrays = [self._make_array(column) for column in columns]
        if columns:
            yield from pa.table(arrays, names=list(columns)).to_batches(_ROWS_AT_ONCE)

    def read_rows(self) -> Iterator[Sequence[Row]]:
        """Yield all rows, many at a time."""
        return cut_into_chunks(self._rows, _ROWS_AT_ONCE)

    def find_type(self, column: str) -> pa.DataType:
        """Return the type in which a column is read."""
        return self._make_array(column).type

    def open_writer(self, target: Path, added: Sequence[str]) -> AbstractContextManager[WriteRows]:
        """Open a new workbook with one sheet."""
        return open_sheet(target, self._title, [*self.names, *added])

    def _make_array(self, column: str) -> pa.Array:
        place = self._place_of[column]
        return make_column([row[place] for row in self._rows])

    def _read_sheet(self, table: str | None) -> tuple[str, list[list[Any]]]:
        """Return the name of the sheet and its rows, without those that have no cell."""
        calamine = import_extra("python_calamine", self.name, "excel")
        self._check_memory()
        with (
            self._explain_damage(calamine),
            self.path.open("rb") as file,
            calamine.load_workbook(file) as book,
        ):
            kinds = {own.name: own for own in book.sheets_metadata}
            sheets = [
                own.name
                for own in book.sheets_metadata
                if own.typ == calamine.SheetTypeEnum.WorkSheet
            ]
            if table is None and len(sheets) > 1:
                # Templates have hidden lists, and old versions of Excel made empty sheets.
                visible = calamine.SheetVisibleEnum.Visible
                sheets = [
                    own
                    for own in sheets
                    if kinds[own].visible == visible and book.get_sheet_by_name(own).height
                ]
            title = choose_table(self.name, table, sheets, "sheet")
            return title, _leave_out_empty(book.get_sheet_by_name(title).to_python())

    def _check_memory(self) -> None:
        """Refuse sheets that are too large; what is no archive is left to the reader."""
        if get_limit() is None:
            return
        n_bytes = 0
        with suppress(
            zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, ValueError
        ):
            n_bytes = count_bytes_of_sheets(self.path)
        check_memory(self.name, n_bytes, "the cells of its sheets")

    @contextmanager
    def _explain_damage(self, calamine: Any) -> Iterator[None]:
        with self.path.open("rb") as file:
            if file.read(len(_OLD_MAGIC)) == _OLD_MAGIC:
                raise InputError(
                    f"{self.name}: is protected by a password or in the format of Excel before "
                    "2007. Save it as .xlsx without a password."
                )
        errors = (calamine.CalamineError, OSError, ValueError)
        advice = "Save it again as an Excel workbook (.xlsx)."
        with explain_damage(f"{self.name}: cannot be read as xlsx", errors, advice):
            yield


def _leave_out_empty(rows: Sequence[Row]) -> list[list[Any]]:
    """Return the rows and columns that have a cell; cells without a value are None."""
    filled = [[None if cell == "" else cell for cell in row] for row in rows]
    filled = [row for row in filled if any(cell is not None for cell in row)]
    places = [
        place
        for place in range(max(map(len, filled), default=0))
        if any(row[place] is not None for row in filled)
    ]
    return [[row[place] for place in places] for row in filled]
