"""Csv and Tsv: cells between delimiters, quoted if necessary, below a line of column names."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ...exceptions import InputError
from ..compression import open_to_write
from ..damage import explain_damage, find_refused
from ..datafile import DataFile
from ..delimiters import find_delimiter
from ..encoding import not_utf8
from ..memory import check_memory
from ..same_schema import find_other_names
from ..text_records import NEWLINE, RETURN, RecordFile, Records

if TYPE_CHECKING:
    import pyarrow as pa

QUOTE = ord('"')
# Arrow's message about such a row. Its handler of bad rows takes text only, which the row may not
# be.
_RAGGED = re.compile(r"Row #(\d+): Expected (\d+) columns, got (\d+)")
_BYTES_TO_GUESS = 1 << 16
# What a character of the names of columns takes, once they are apart.
_BYTES_OF_NAMES = 8
_QUOTED = re.compile(rb'"[^"]*(?:""[^"]*)*"')


class Csv(RecordFile):
    """Comma-separated values in UTF-8; an empty cell is missing, a quoted empty one is empty text.

    Files named so may have semicolons or tabs instead of commas. A column without a name, as pandas
    writes for row numbers, is copied like all else, but is not among `columns`.
    """

    format = "csv"
    suffix = ".csv"
    row_rule = "The first line must hold the names of the columns."
    cells_are_text = True
    delimiters: ClassVar[Sequence[str]] = (",", ";", "\t")

    def __init__(self, path: Path, name: str | None = None) -> None:
        super().__init__(path, name)
        start = self.read_start(_BYTES_TO_GUESS)
        is_whole = len(start) < _BYTES_TO_GUESS
        self.delimiter = find_delimiter(start, is_whole, self.delimiters)
        if self.delimiter != self.delimiters[0]:
            shown = "tabs" if self.delimiter == "\t" else f"'{self.delimiter}'"
            self.remarks = [f"The cells of {self.name} are separated by {shown}."]
        first = self.read_first()
        header = first.whole()[0]
        check_memory(self.name, _BYTES_OF_NAMES * len(header), "the names of its columns")
        self.names = self._read_names(header)
        self.columns = [name for name in self.names if name]
        self.check_distinct(self.columns)
        self.head += header
        self._offset_of_rows = first.offset + int(first.ends[0])

    def join(self, files: Sequence[DataFile], name: str) -> Self:
        """Return several files as one, with a line end after the header."""
        joined = super().join(files, name)
        line_ends = (file.head[len(file.head.rstrip(b"\r\n")) :] for file in joined.files)
        if joined.head == joined.head.rstrip(b"\r\n"):
            joined.head += next(filter(None, line_ends), b"\n")
        return joined

    def check_same_columns(self, other: DataFile) -> None:
        """Refuse other columns, another order of them, and another delimiter."""
        assert isinstance(other, Csv)
        difference = find_other_names(other.names, self.names)
        if not difference and other.delimiter != self.delimiter:
            difference = f"its cells are separated by {other.delimiter!r}"
        if difference:
            raise InputError(
                f"{other.name}: differs from {self.name}: {difference}. "
                "Name files of one table, or write them again in one way."
            )

    def _read_names(self, header: bytes) -> list[str]:
        line = f"{self.name}: the line of column names"
        try:
            text = header.decode()
        except UnicodeDecodeError:
            raise not_utf8(line) from None
        if "\0" in text:  # UTF-16
            raise not_utf8(line)
        with explain_damage(f"{line} cannot be read", (csv.Error,), "Check its quotes."):
            names = next(csv.reader([text], delimiter=self.delimiter))
        if not any(names):
            raise InputError(f"{self.name}: no column has a name. Give each one in the first line.")
        return names

    def find_ends(self, data: bytes) -> NDArray[np.int64]:
        """Return where records end: at newlines, or returns without one, outside quoted cells."""
        characters = np.frombuffer(data, np.uint8)
        is_end = characters == NEWLINE
        if b"\r" in data:
            is_end[:-1] |= (characters[:-1] == RETURN) & (characters[1:] != NEWLINE)
        ends = np.flatnonzero(is_end)
        is_quoted = np.searchsorted(self._find_quotes(data, characters), ends) % 2 == 1
        return np.asarray(ends[~is_quoted] + 1)

    def _find_quotes(self, data: bytes, characters: NDArray[np.uint8]) -> NDArray[np.int64]:
        """Return where quoted text starts, ends, starts, ends and so on.

        Every second quote starts one, at the start of a cell or right after another quote. A quote
        that breaks this rule (`5" disk`) is a character like others; then quoted cells are searched
        one by one.
        """
        quotes = np.flatnonzero(characters == QUOTE)
        openings = quotes[::2]
        before = characters[openings[openings > 0] - 1]
        is_allowed_before = np.zeros(256, bool)
        is_allowed_before[[ord(self.delimiter), NEWLINE, RETURN, QUOTE]] = True
        if is_allowed_before[before].all():
            return quotes
        # The look-behind comes after the quote: three times as fast as before it.
        quoted_cell = rb'"(?<![^%b\r\n]")[^"]*(?:""[^"]*)*(?:"|\Z)' % self.delimiter.encode()
        return np.array(
            [
                edge
                for cell in re.finditer(quoted_cell, data)
                for edge in (cell.start(), cell.end() - 1)
            ],
            np.int64,
        )

    def read_batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield these columns of all rows as text."""
        unknown = sorted(set(columns) - set(self.columns))
        if unknown:
            raise InputError(
                f"{self.name}: has no column {unknown[0]!r}. "
                f"Its columns: {', '.join(self.columns[:20])}."
            )
        for records in self.read_records():
            yield self._parse(records, list(columns))

    def _parse(self, records: Records, columns: Sequence[str]) -> pa.RecordBatch:
        import pyarrow as pa

        try:
            table = self._to_table(memoryview(records.data)[: records.ends[-1]], columns)
        except pa.ArrowInvalid as error:
            raise self._explain(records, str(error)) from None
        return table.select(columns).combine_chunks().to_batches()[0]

    def _to_table(self, text: memoryview, columns: Sequence[str]) -> pa.Table:
        import pyarrow as pa
        from pyarrow import csv as arrow_csv

        return arrow_csv.read_csv(
            pa.BufferReader(text),
            # With threads, bad rows have no number.
            arrow_csv.ReadOptions(column_names=self.names, block_size=len(text), use_threads=False),
            arrow_csv.ParseOptions(delimiter=self.delimiter, newlines_in_values=True),
            arrow_csv.ConvertOptions(
                include_columns=columns,
                column_types=dict.fromkeys(columns, pa.string()),
                null_values=[""],
                strings_can_be_null=True,
                quoted_strings_can_be_null=False,
            ),
        )

    def _explain(self, records: Records, error: str) -> InputError:
        ragged = _RAGGED.search(error)
        if ragged:
            number, n_wanted, n_found = map(int, ragged.groups())
            return InputError(
                f"{self.place_of(records, number - 1)} has {n_found} instead of {n_wanted} cells. "
                "Check its delimiters and quotes."
            )
        return not_utf8(self.place_of(records, find_refused(bytes.decode, records.contents())))

    def write_with_column(
        self, target: Path, column: str, values: Sequence[str], code_of_row: NDArray[np.int32]
    ) -> None:
        """Write the file with one more cell at the end of each record, all else byte for byte."""
        self.check_new(column)
        header = self.head.rstrip(b"\r\n")
        cells = [self._to_cell(value) for value in values]
        with open_to_write(target) as file:
            file.write(header + self._to_cell(column) + self.head[len(header) :])
            for records, codes in self.read_with_numbers(code_of_row):
                rows = zip(records.contents(), codes, records.line_ends(), strict=True)
                file.write(
                    b"".join([content + cells[code] + line_end for content, code, line_end in rows])
                )

    def fill_column(
        self, target: Path, column: str, values: Sequence[str], code_of_row: NDArray[np.int32]
    ) -> None:
        """Write the file with other cells in one column of some records, all else byte for byte."""
        place = self.names.index(column)
        cells = [self._to_cell(value)[1:] for value in values]
        with open_to_write(target) as file:
            file.write(self.head)
            for records, codes in self.read_with_numbers(code_of_row):
                rows = zip(records.whole(), records.contents(), codes, strict=True)
                filled = [
                    row if code < 0 else self._put_cell(row, len(content), place, cells[code])
                    for row, content, code in rows
                ]
                file.write(b"".join(filled))

    def _put_cell(self, row: bytes, stop: int, place: int, cell: bytes) -> bytes:
        """Put a cell in place of another; what follows `stop` is the line end."""
        start, end = -1, -1
        for _ in range(place + 1):
            start = end + 1
            quoted = _QUOTED.match(row, start, stop)
            end = row.find(self.delimiter.encode(), quoted.end() if quoted else start, stop)
        return row[:start] + cell + row[stop if end < 0 else end :]

    def _to_cell(self, text: str) -> bytes:
        """Return the delimiter and the text, quoted where it would not be one cell otherwise."""
        if any(character in text for character in (self.delimiter, '"', "\r", "\n")):
            text = '"' + text.replace('"', '""') + '"'
        return (self.delimiter + text).encode()


class Tsv(Csv):
    """Tab-separated values, otherwise as csv."""

    format = "tsv"
    suffix = ".tsv"
    delimiters = ("\t",)
