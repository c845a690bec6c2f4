"""Rows read in chunks, matched with the numbers that were computed for each row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized
from itertools import islice
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..exceptions import InputError

Row = TypeVar("Row")
Chunk = TypeVar("Chunk", bound=Sized)


def cut_into_chunks(rows: Iterable[Row], n_rows: int) -> Iterator[list[Row]]:
    """Yield the rows, at most `n_rows` at a time."""
    rows = iter(rows)
    while chunk := list(islice(rows, n_rows)):
        yield chunk


def number_chunks(name: str, chunks: Iterable[Chunk], n_rows: int) -> Iterator[tuple[int, Chunk]]:
    """Yield each chunk with the number of its first row.

    Parameters
    ----------
    name : str
        The file, for the message.
    chunks : iterable of chunks
        All rows of the file; the length of a chunk is its number of rows.
    n_rows : int
        How many rows there must be.

    Yields
    ------
    tuple of int and chunk
        The number of the first row, and the chunk.

    Raises
    ------
    InputError
        If there are more or fewer rows: the file was changed since its labels were read.
    """
    start = 0
    for chunk in chunks:
        stop = start + len(chunk)
        if stop > n_rows:
            raise rows_changed(name, n_rows)
        yield start, chunk
        start = stop
    if start < n_rows:
        raise rows_changed(name, n_rows)


def pair_chunks(
    name: str, chunks: Iterable[Chunk], number_of_row: NDArray[np.int32]
) -> Iterator[tuple[Chunk, list[int]]]:
    """Yield each chunk with the numbers of its rows; refuse a file that has changed."""
    for start, chunk in number_chunks(name, chunks, len(number_of_row)):
        yield chunk, number_of_row[start : start + len(chunk)].tolist()


def rows_changed(name: str, n_rows: int) -> InputError:
    """Return the error about a file that does not hold the rows that were split."""
    return InputError(
        f"{name}: no longer holds the {n_rows:,} rows whose labels were read. Split it again."
    )
