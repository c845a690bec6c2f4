"""RecordFile: a text file of records, found in large chunks and copied byte for byte."""

from __future__ import annotations

import codecs
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self, cast

import numpy as np
from numpy.typing import NDArray

from ..exceptions import InputError
from .compression import check_codec, open_to_read
from .datafile import DataFile
from .memory import check_memory
from .row_chunks import pair_chunks
from .row_lines import write_part_lines

NEWLINE, RETURN = b"\n\r"
_BYTES_OF_FIRST_ROWS = 1 << 16
# What each byte of a long row takes while its end is searched for: itself, as much again that is
# read, both together, and flags of both. Measured: 8 bytes.
_BYTES_OF_LONG_ROW = 6


@dataclass(frozen=True, slots=True)
class Records:
    """Consecutive records of a file.

    Attributes
    ----------
    data : bytes
        A piece of the file.
    starts : ndarray of shape (n_records,)
        Where each record starts in `data`.
    stops : ndarray of shape (n_records,)
        Where each record ends, without its line end.
    ends : ndarray of shape (n_records,)
        Where each record ends, with its line end.
    offset : int
        Where `data` starts in the file.
    file : RecordFile
        The file.
    """

    data: bytes
    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    ends: NDArray[np.int64]
    offset: int
    file: RecordFile

    def __len__(self) -> int:
        return len(self.starts)

    def whole(self) -> list[bytes]:
        """Return the records with their line ends."""
        return self._slices(self.starts, self.ends)

    def contents(self) -> list[bytes]:
        """Return the records without their line ends."""
        return self._slices(self.starts, self.stops)

    def line_ends(self) -> list[bytes]:
        """Return the line ends alone; the last one of a file may be empty."""
        return self._slices(self.stops, self.ends)

    def _slices(self, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> list[bytes]:
        data = self.data
        return [data[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]


class RecordFile(DataFile):
    """A text format in which a row is a piece of the file, up to and with its line end.

    The file may be compressed; all offsets are offsets in its text. Blank lines are not rows and
    are not written. A subclass defines `find_ends`, `read_batches`, `write_with_column` and
    `fill_column`.

    Attributes
    ----------
    row_rule : str
        What a file of this format must hold, a sentence that ends messages.
    head : bytes
        What comes before the rows, here and in every file written: a byte order mark, a header.
    chunk_bytes : int
        How many bytes are read at a time.
    max_row_bytes : int
        How long a row may be. A longer one is a quote that is never closed, and would fill the
        memory.
    """

    is_table = True
    row_rule: ClassVar[str]
    can_add_columns = True
    can_fill_columns = True
    head: bytes
    files: Sequence[RecordFile] = ()
    chunk_bytes: ClassVar[int] = 4 << 20
    max_row_bytes: ClassVar[int] = 128 << 20

    def __init__(self, path: Path, name: str | None = None) -> None:
        super().__init__(path, name)
        check_codec(path, self.name)
        mark = self.read_start(len(codecs.BOM_UTF8))
        self.head = mark if mark == codecs.BOM_UTF8 else b""
        self._offset_of_rows = len(self.head)

    def read_start(self, n_bytes: int) -> bytes:
        """Return what the text begins with, a byte order mark included."""
        with open_to_read(self.path, self.name) as file:
            return file.read(n_bytes)

    @abstractmethod
    def find_ends(self, data: bytes) -> NDArray[np.int64]:
        """Return where complete lines end, one past the line end; `data` starts with a line."""

    def is_row(
        self, data: bytes, starts: NDArray[np.int64], stops: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Say which of the lines are rows; the others are blank."""
        return stops > starts

    def read_first(self) -> Records:
        """Return a few rows of the start; refuse a file without rows."""
        first = next(self.read_chunks(_BYTES_OF_FIRST_ROWS), None)
        if first is None:
            raise InputError(f"{self.name}: is empty. {self.row_rule}")
        return first

    def read_records(self) -> Iterator[Records]:
        """Yield all rows, many at a time; those of several files one file after the other."""
        if not self.files:
            yield from self.read_chunks(self.chunk_bytes)
            return
        rows_of_file = []
        for file in self.files:
            n_rows = 0
            for records in file.read_chunks(self.chunk_bytes, file is not self.files[-1]):
                n_rows += len(records)
                yield records
            rows_of_file.append(n_rows)
        self.rows_of_file = rows_of_file

    def join(self, files: Sequence[DataFile], name: str) -> Self:
        """Return several files as one, called `name`; this one is the first."""
        for file in files[1:]:
            self.check_same_columns(file)
        joined = type(self)(self.path, name)
        joined.files = cast(Sequence[RecordFile], files)
        joined.remarks = self.remarks
        joined.goes_with = [file.path for file in files]
        return joined

    def check_same_columns(self, other: DataFile) -> None:
        """Refuse a file whose rows cannot follow those of this one."""

    def read_chunks(self, n_bytes: int, ends_last_line: bool = False) -> Iterator[Records]:
        """Yield the rows of this file, found in blocks of so many bytes.

        With `ends_last_line`, the last row gets a line end if it has none.
        """
        offset, rest, is_last = self._offset_of_rows, b"", False
        with open_to_read(self.path, self.name) as file:
            file.read(offset)
            while not is_last:
                # If no end was found, read twice the bytes: the search stays linear.
                n_wanted = max(n_bytes, len(rest))
                if len(rest) > n_bytes:
                    check_memory(self.name, _BYTES_OF_LONG_ROW * len(rest), "its long rows")
                block = file.read(n_wanted)
                is_last = len(block) < n_wanted
                data = rest + block
                if is_last and ends_last_line and data and data[-1] not in (NEWLINE, RETURN):
                    data += b"\r\n" if self.head.endswith(b"\r\n") else b"\n"
                ends = self.find_ends(data + b"\n" if is_last else data)
                stop = min(int(ends[-1]), len(data)) if len(ends) else 0
                if (is_last and stop < len(data)) or len(data) - stop > self.max_row_bytes:
                    raise InputError(
                        f"{self.name}: the row that starts in line {self._line_at(offset + stop)} "
                        "does not end. Check its quotes and line ends."
                    )
                records = self._cut(data, np.minimum(ends, stop), offset)
                if len(records):
                    yield records
                offset, rest = offset + stop, data[stop:]

    def _cut(self, data: bytes, ends: NDArray[np.int64], offset: int) -> Records:
        """Return the lines that end there, without the blank ones."""
        starts = np.concatenate(([0], ends))[: len(ends)]
        filled = ends > starts
        starts, ends = starts[filled], ends[filled]
        characters = np.frombuffer(data, np.uint8)
        last = characters[ends - 1]
        stops = ends - ((last == NEWLINE) | (last == RETURN))
        stops -= (last == NEWLINE) & (characters[stops - 1] == RETURN)
        rows = self.is_row(data, starts, stops)
        return Records(data, starts[rows], stops[rows], ends[rows], offset, self)

    def place_of(self, records: Records, number: int) -> str:
        """Return the file and where in it a record is, for messages."""
        return f"{records.file.name}: {records.file.show_place(records, number)}"

    def show_place(self, records: Records, number: int) -> str:
        """Return where in this file a record is."""
        return f"line {self.line_of(records, number)}"

    def line_of(self, records: Records, number: int) -> int:
        """Return the line, counted from 1, in which a record starts.

        The file is read again up to there.
        """
        return self._line_at(records.offset + int(records.starts[number]))

    def _line_at(self, offset: int) -> int:
        n_newlines = n_returns = 0
        with open_to_read(self.path, self.name) as file:
            while block := file.read(min(offset, self.chunk_bytes)):
                n_newlines += block.count(b"\n")
                n_returns += block.count(b"\r")
                offset -= len(block)
        return max(n_newlines, n_returns) + 1

    def read_with_numbers(
        self, number_of_row: NDArray[np.int32]
    ) -> Iterator[tuple[Records, list[int]]]:
        """Yield all rows with the numbers that belong to them; refuse a file that has changed."""
        return pair_chunks(self.name, self.read_records(), number_of_row)

    def write_parts(self, targets: Sequence[Path], part_of_row: NDArray[np.int32]) -> None:
        """Write the rows of part j, byte for byte, to `targets[j]`; leave out part -1.

        Each file starts with the head of this one.
        """
        chunks = (
            (records.whole(), parts) for records, parts in self.read_with_numbers(part_of_row)
        )
        write_part_lines(targets, [self.head] * len(targets), chunks)
