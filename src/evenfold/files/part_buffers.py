"""Rows that wait until enough of their part are there to be written together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from .arrow_types import count_bytes, to_plain_types, to_types_of
from .damage import explain_arrow_damage
from .read_ahead import read_ahead
from .row_chunks import number_chunks

# Above this, all parts are written, however few rows they have.
_MAX_WAITING_BYTES = 128 << 20


class PartBuffer:
    """The rows of one part that are not written yet.

    Small row groups make a file slow to read, so rows are written many at a time.

    Parameters
    ----------
    writer : Any
        An open file with a method `write_table`.
    schema : pa.Schema
        The schema of that file.

    Attributes
    ----------
    n_rows : int
        How many rows wait.
    n_bytes : int
        How much memory they take.
    """

    def __init__(self, writer: Any, schema: pa.Schema) -> None:
        self._writer = writer
        self._schema = schema
        self._batches: list[pa.RecordBatch] = []
        self.n_rows = 0
        self.n_bytes = 0

    def add(self, batch: pa.RecordBatch, is_own: NDArray[np.bool_]) -> None:
        """Keep those rows of a batch that belong to this part."""
        own = batch if is_own.all() else batch.filter(pa.array(is_own))
        if own.num_rows:
            self._batches.append(own)
            self.n_rows += own.num_rows
            self.n_bytes += count_bytes(own)

    def remove_all(self) -> list[pa.RecordBatch]:
        """Empty the buffer and return what was in it."""
        batches, self._batches, self.n_rows, self.n_bytes = self._batches, [], 0, 0
        return batches

    def write(self, batches: list[pa.RecordBatch]) -> None:
        """Write batches as one row group."""
        if batches:
            table = pa.Table.from_batches(batches).combine_chunks()
            self._writer.write_table(to_types_of(table, self._schema))


class _WriterThread(ThreadPoolExecutor):
    """Writes one buffer while the next rows are read; one at a time, to bound the memory."""

    def __init__(self) -> None:
        super().__init__(1)
        self._last: Future[None] | None = None

    def write(self, buffer: PartBuffer) -> None:
        batches = buffer.remove_all()
        self.wait()
        self._last = self.submit(buffer.write, batches)

    def wait(self) -> None:
        """Wait until all is written; raise the error that stopped it."""
        if self._last is not None:
            self._last.result()


def write_rows(
    name: str,
    batches: Iterable[pa.RecordBatch],
    buffers: Sequence[PartBuffer],
    part_of_row: NDArray[np.int32],
    rows_at_once: int,
) -> None:
    """Write each row to the file of its part.

    Parameters
    ----------
    name : str
        The file that is read, for messages.
    batches : iterable of pa.RecordBatch
        All rows of the file.
    buffers : sequence of PartBuffer
        One for each part.
    part_of_row : ndarray of shape (n_rows,)
        The part of each row, -1 to leave it out.
    rows_at_once : int
        How many rows of a part are written together; at least as many as are read together.
    """
    with _WriterThread() as thread:
        for start, batch in number_chunks(name, read_ahead(iter(batches)), len(part_of_row)):
            rows_at_once = max(rows_at_once, batch.num_rows)
            part_of_own = part_of_row[start : start + batch.num_rows]
            with explain_arrow_damage(name, f"cannot be written again from row {start}"):
                batch = to_plain_types(batch)
                for part, buffer in enumerate(buffers):
                    buffer.add(batch, part_of_own == part)
                is_full = sum(buffer.n_bytes for buffer in buffers) > _MAX_WAITING_BYTES
                for buffer in buffers:
                    if is_full or buffer.n_rows >= rows_at_once:
                        thread.write(buffer)
        with explain_arrow_damage(name, "cannot be written again"):
            for buffer in buffers:
                thread.write(buffer)
            thread.wait()
