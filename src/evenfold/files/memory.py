"""How much memory reading may take: what needs more is refused before it is taken.

Small files can hold much: compressed text, long runs of one value, archives of zeros. Readers say
what they are about to take, or what they have taken so far. Estimates are low ones: a file that is
refused would surely not fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

from ..exceptions import InputError

if TYPE_CHECKING:
    import pyarrow as pa

# What a row without labels and a label entry take while labels are read. Measured: 66 bytes for a
# row with one label, 30 million rows.
BYTES_OF_ROW, BYTES_OF_ENTRY = 48, 12
# What a column takes that is read with other columns, however few rows it has. Measured: 10 KB for
# 100,000 columns of text.
BYTES_OF_COLUMN = 4096
_UNITS = ("bytes", "KB", "MB", "GB", "TB", "PB", "EB")

_most_bytes: ContextVar[int | None] = ContextVar("most_bytes", default=None)


@contextmanager
def limit_memory(n_bytes: int | None) -> Iterator[None]:
    """Let readers take at most this much memory; None for any amount."""
    token = _most_bytes.set(n_bytes)
    try:
        yield
    finally:
        _most_bytes.reset(token)


def get_limit() -> int | None:
    """Return how much memory readers may take; None for any amount."""
    return _most_bytes.get()


def check_memory(name: str, n_bytes: int, what: str) -> None:
    """Refuse to take more memory than is allowed.

    Parameters
    ----------
    name : str
        What messages call the file.
    n_bytes : int
        How much memory is needed.
    what : str
        What needs it, in the plural: "300,000,000 rows".
    """
    most = _most_bytes.get()
    if most is not None and n_bytes > most:
        raise InputError(
            f"{name}: {what} need {show_bytes(n_bytes)} of memory or more, and "
            f"{show_bytes(most)} are allowed. Allow more with --max-memory, name fewer columns, or "
            "split parquet files past memory with --engine."
        )


class MemoryCount:
    """What readers have taken so far.

    Parameters
    ----------
    name : str
        What messages call the file.
    what : str
        What takes memory, in the plural.
    """

    def __init__(self, name: str, what: str) -> None:
        self._name = name
        self._what = what
        self._n_bytes = 0

    def add(self, n_bytes: int) -> None:
        """Count more bytes; refuse to go on if they are too many."""
        self._n_bytes += n_bytes
        check_memory(self._name, self._n_bytes, self._what)


def read_whole(path: Path, name: str) -> bytes:
    """Read a file of JSON that is held in memory, with the values that are made of it."""
    check_memory(name, 2 * path.stat().st_size, "its text and what it holds")
    return path.read_bytes()


def check_columns(name: str, columns: Sequence[str]) -> None:
    """Refuse to read so many columns at once that there is no memory for them."""
    if len(columns) > 1:
        check_memory(name, BYTES_OF_COLUMN * len(columns), f"{len(columns):,} columns")


def count_batches(name: str, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Yield batches that are all kept; refuse to go on if they are too large."""
    from .arrow_types import count_bytes

    memory = MemoryCount(name, "the rows that are read")
    for batch in batches:
        memory.add(count_bytes(batch))
        yield batch


def show_bytes(n_bytes: int) -> str:
    """Return a number of bytes as text: 820 MB, 1.5 GB."""
    value, unit = float(n_bytes), 0
    while value >= 999.5 and unit < len(_UNITS) - 1:
        value, unit = value / 1000, unit + 1
    digits = 1 if unit and value < 9.95 else 0
    return f"{value:.{digits}f} {_UNITS[unit]}"
