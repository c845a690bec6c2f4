"""Labels as numbers while a file is read; the names are sorted once all rows are read."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ..._kernels.entries import sort_rows
from ...labels.classes import Subject, sort_names
from ...labels.entries import Positions
from ..memory import BYTES_OF_ENTRY, BYTES_OF_ROW, MemoryCount

# Rows, and the label of each or the one label of all.
Pair = tuple[NDArray[np.int64], NDArray[Any] | int]


class Vocabulary:
    """Numbers the values of columns in the order in which they are met, each once."""

    def __init__(self) -> None:
        self._code_of: dict[tuple[int, Any], int] = {}

    def number(self, value: Any, column: int = 0) -> int:
        """Return the number of a value, a new one where it is new."""
        return self._code_of.setdefault((column, value), len(self._code_of))

    def encode(self, values: pa.Array, column: int = 0) -> NDArray[np.int32]:
        """Number all values, null as -1."""
        place, code_of_place = self.find(values, column)
        return code_of_place[place]

    def find(
        self, values: pa.Array, column: int = 0
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the place of each value in a dictionary, and the numbers of these places.

        Null has the last place, and the number -1.
        """
        coded = values if pa.types.is_dictionary(values.type) else values.dictionary_encode()
        indices = coded.indices.cast(pa.int32())
        place: NDArray[np.int32] = (
            pc.fill_null(indices, -1) if indices.null_count else indices
        ).to_numpy(zero_copy_only=False)
        # A dictionary may hold values that no row has: they are not labels.
        code_of_place = np.full(len(coded.dictionary) + 1, -1, np.int32)
        is_used = np.zeros(len(code_of_place), bool)
        is_used[place] = True
        used = np.flatnonzero(is_used[:-1])
        found = (
            coded.dictionary.to_pylist()
            if len(used) == len(coded.dictionary)
            else coded.dictionary.take(pa.array(used)).to_pylist()
        )
        code_of_place[used] = [
            -1 if value is None else self.number(value, column) for value in found
        ]
        return place, code_of_place

    def __iter__(self) -> Iterator[Any]:
        """Yield the values met."""
        return (value for _, value in self._code_of)

    def __len__(self) -> int:
        return len(self._code_of)

    def sort(self, subjects: list[Subject]) -> tuple[list[tuple[int, Any]], NDArray[np.int32]]:
        """Return (column, value) sorted, and the place of each number among them.

        Parameters
        ----------
        subjects : list of Subject
            How errors name the columns.

        Returns
        -------
        list of tuple
            Column and value of each label.
        ndarray of int32
            The place of each number in this list.
        """
        values_of: list[list[Any]] = [[] for _ in subjects]
        for column, value in self._code_of:
            values_of[column].append(value)
        found = [
            (column, value)
            for column, values in enumerate(values_of)
            for value in sort_names(values, subjects[column])
        ]
        rank = np.empty(len(found), np.int32)
        rank[[self._code_of[key] for key in found]] = np.arange(len(found))
        return found, rank


class RowCodes:
    """The numbers of the labels of each row, kept batch by batch.

    Parameters
    ----------
    name : str
        What messages call the file, if its labels take too much memory.
    """

    def __init__(self, name: str) -> None:
        self.n_entries = 0
        self._memory = MemoryCount(name, "the labels of its rows")
        self._pieces: deque[
            tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32] | None]
        ] = deque()

    def add(
        self,
        lengths: NDArray[Any],
        codes: NDArray[np.int32],
        code_of_place: NDArray[np.int32] | None = None,
    ) -> None:
        """Add rows with these numbers of labels; with `code_of_place`, `codes` are places in it."""
        self._memory.add(BYTES_OF_ROW * len(lengths) + BYTES_OF_ENTRY * len(codes))
        self.n_entries += len(codes)
        self._pieces.append((lengths.astype(np.int32, copy=False), codes, code_of_place))

    def add_pairs(self, pairs: Sequence[Pair], n_rows: int) -> None:
        """Add rows by pairs of row and label, in any order."""
        row = np.concatenate([np.empty(0, np.int64), *(row for row, _ in pairs)])
        code = np.concatenate(
            [
                np.empty(0, np.int32),
                *(np.broadcast_to(np.asarray(code, np.int32), row.shape) for row, code in pairs),
            ]
        )
        # NumPy sorts 16-bit numbers without comparing them, several times as fast.
        key = row.astype(np.uint16) if n_rows <= 1 << 16 else row
        self.add(np.bincount(row, minlength=n_rows), code[np.argsort(key, kind="stable")])

    def take_positions(self, rank: NDArray[np.int32]) -> Positions:
        """Return the canonical CSR under the final numbers; each batch is freed once it is read."""
        n_rows = sum(len(length_of_row) for length_of_row, *_ in self._pieces)
        indptr, indices = np.zeros(n_rows + 1, np.int64), np.empty(self.n_entries, np.int32)
        n_kept_of_row = indptr[1:]
        row = at = 0
        while self._pieces:
            length_of_row, codes, code_of_place = self._pieces.popleft()
            own_rank = rank[code_of_place] if code_of_place is not None and len(codes) else rank
            n_kept = n_kept_of_row[row : row + len(length_of_row)]
            sort_rows.for_work(4 * len(codes))(length_of_row, codes, own_rank, indices[at:], n_kept)
            row += len(length_of_row)
            at += int(n_kept.sum())
        return np.cumsum(indptr, out=indptr), indices[:at]
