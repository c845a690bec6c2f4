"""RecordFile: a text file of records, which are found in large chunks and copied byte for byte."""

from __future__ import annotations

import codecs
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from ..exceptions import InputError
from .datafile import DataFile

NEWLINE, RETURN = b"\n\r"


@dataclass(frozen=True, slots=True)
class Records:
    """Records that follow each other: `data[starts[i]:stops[i]]` is one without its line end, `data[starts[i]:ends[i]]` one with it.

    `offset` is where `data` stands in the file.
    """

    data: bytes
    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    ends: NDArray[np.int64]
    offset: int

    def __len__(self) -> int:
        return len(self.starts)

    def whole(self) -> list[bytes]:
        """Return the records with their line ends."""
        return [
            self.data[start:end]
            for start, end in zip(self.starts.tolist(), self.ends.tolist(), strict=True)
        ]

    def contents(self) -> list[bytes]:
        """Return the records without their line ends."""
        return [
            self.data[start:stop]
            for start, stop in zip(self.starts.tolist(), self.stops.tolist(), strict=True)
        ]

    def line_ends(self) -> list[bytes]:
        """Return the line ends alone; the last one of a file may be empty."""
        return [
            self.data[stop:end]
            for stop, end in zip(self.stops.tolist(), self.ends.tolist(), strict=True)
        ]


class RecordFile(DataFile):
    """A text format of which a row is a piece of the file, up to and with its line end. Blank lines are no rows, and are not written.

    Attributes
    ----------
    head : what stands before the rows, and at the start of every file written: a byte order mark, a header
    chunk_bytes : how much is read at a time
    longest_bytes : how long a row may be; more is a quote that is never closed, and would fill the memory
    """

    head: bytes
    chunk_bytes: ClassVar[int] = 4 << 20
    longest_bytes: ClassVar[int] = 128 << 20

    def __init__(self, path: Path) -> None:
        self.path = path
        with path.open("rb") as file:
            mark = file.read(len(codecs.BOM_UTF8))
        self.head = mark if mark == codecs.BOM_UTF8 else b""
        self._offset_of_rows = len(self.head)

    @abstractmethod
    def find_ends(self, data: bytes) -> NDArray[np.int64]:
        """Return where the lines that are complete end, one past the line end; `data` starts with a line."""

    def is_row(
        self, data: bytes, starts: NDArray[np.int64], stops: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Say which of the lines are rows; the others are blank."""
        return stops > starts

    def read_first(self) -> Records | None:
        """Return a few rows of the start, None if there are no rows."""
        return next(self._read_chunks(1 << 16), None)

    def read_records(self) -> Iterator[Records]:
        """Yield all rows, many at a time."""
        return self._read_chunks(self.chunk_bytes)

    def _read_chunks(self, n_bytes: int) -> Iterator[Records]:
        offset, rest, is_last = self._offset_of_rows, b"", False
        with self.path.open("rb") as file:
            file.seek(offset)
            while not is_last:
                n_wanted = max(
                    n_bytes, len(rest)
                )  # twice the bytes when no end was found: searching stays linear
                block = file.read(n_wanted)
                is_last = len(block) < n_wanted
                data = rest + block
                ends = self.find_ends(data + b"\n" if is_last else data)
                stop = min(int(ends[-1]), len(data)) if len(ends) else 0
                if (is_last and stop < len(data)) or len(data) - stop > self.longest_bytes:
                    line = self._line_at(offset + stop)
                    raise InputError(
                        f"{self.path}: the row that starts in line {line} does not end. Check its quotes and line ends."
                    )
                records = self._cut(data, np.minimum(ends, stop), offset)
                if len(records):
                    yield records
                offset, rest = offset + stop, data[stop:]

    def _cut(self, data: bytes, ends: NDArray[np.int64], offset: int) -> Records:
        """Lay out the lines that end there, without the blank ones."""
        starts = np.concatenate(([0], ends))[: len(ends)]
        filled = ends > starts
        starts, ends = starts[filled], ends[filled]
        characters = np.frombuffer(data, np.uint8)
        last = characters[ends - 1]
        stops = ends - ((last == NEWLINE) | (last == RETURN))
        stops -= (last == NEWLINE) & (characters[stops - 1] == RETURN)
        rows = self.is_row(data, starts, stops)
        return Records(data, starts[rows], stops[rows], ends[rows], offset)

    def place_of(self, records: Records, number: int) -> str:
        """Return the path and the line in which a record starts, for messages."""
        return f"{self.path}: line {self.line_of(records, number)}"

    def line_of(self, records: Records, number: int) -> int:
        """Return the line, counted from 1, in which a record starts; the file is read again up to there."""
        return self._line_at(records.offset + int(records.starts[number]))

    def _line_at(self, offset: int) -> int:
        n_newlines = n_returns = 0
        with self.path.open("rb") as file:
            while block := file.read(min(offset, self.chunk_bytes)):
                n_newlines, n_returns, offset = (
                    n_newlines + block.count(b"\n"),
                    n_returns + block.count(b"\r"),
                    offset - len(block),
                )
        return max(n_newlines, n_returns) + 1

    def read_beside(self, of_row: NDArray[np.int32]) -> Iterator[tuple[Records, list[int]]]:
        """Yield all rows with the numbers that belong to them."""
        n_rows = 0
        for records in self.read_records():
            numbers = of_row[n_rows : n_rows + len(records)].tolist()
            n_rows += len(records)
            if len(numbers) == len(records):
                yield records, numbers
        if n_rows != len(of_row):
            raise InputError(
                f"{self.path}: holds {n_rows:,} rows, but {len(of_row):,} were split. Was it changed meanwhile? Split it again."
            )

    def write_parts(self, targets: Sequence[Path], part_of_row: NDArray[np.int32]) -> None:
        """Write the rows of part j, byte for byte, to `targets[j]`, each file with the head of this one; rows of part -1 nowhere."""
        with ExitStack() as stack:
            files = [stack.enter_context(target.open("wb")) for target in targets]
            for file in files:
                file.write(self.head)
            for records, parts in self.read_beside(part_of_row):
                rows_of_part: list[list[bytes]] = [
                    [] for _ in range(len(files) + 1)
                ]  # the last, which is number -1 too, goes nowhere
                for row, part in zip(records.whole(), parts, strict=True):
                    rows_of_part[part].append(row)
                for file, rows in zip(files, rows_of_part, strict=False):
                    file.write(b"".join(rows))
