"""Labels as numbers while a file is read: names are met in any order, and sorted once all rows are in."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from .._input import Positions, sort_names
from .._kernels.entries import sort_rows

# Rows, and the label of each or the one label of all.
Pair = tuple[NDArray[np.int64], NDArray[Any] | int]


class Vocabulary:
    """Numbers what it meets, each value of each column once."""

    def __init__(self) -> None:
        self._code_of: dict[tuple[int, Any], int] = {}

    def number(self, value: Any, column: int = 0) -> int:
        """Return the number of a value, a new one where it is new."""
        return self._code_of.setdefault((column, value), len(self._code_of))

    def encode(self, values: pa.Array, column: int = 0) -> NDArray[np.int32]:
        """Number all values, null as -1."""
        coded = values if pa.types.is_dictionary(values.type) else values.dictionary_encode()
        place: NDArray[np.int32] = pc.fill_null(coded.indices.cast(pa.int32()), -1).to_numpy(zero_copy_only=False)
        found = coded.dictionary.to_pylist()
        # The last one is for null. A dictionary may hold values that no row has: they are not labels.
        codes = np.full(len(found) + 1, -1, np.int32)
        is_used = np.zeros(len(found) + 1, bool)
        is_used[place] = True
        for at in np.flatnonzero(is_used[:-1]):
            if found[at] is not None:
                codes[at] = self.number(found[at], column)
        return codes[place]

    def __iter__(self) -> Iterator[Any]:
        """Yield the values met."""
        return (value for _, value in self._code_of)

    def __len__(self) -> int:
        return len(self._code_of)

    def sort(self, where: list[str]) -> tuple[list[tuple[int, Any]], NDArray[np.int32]]:
        """Return (column, value) sorted, and the place of each number among them; `where` names the columns in errors."""
        values_of: list[list[Any]] = [[] for _ in where]
        for column, value in self._code_of:
            values_of[column].append(value)
        found = [(column, value) for column, values in enumerate(values_of) for value in sort_names(values, where[column])]
        rank = np.empty(len(found), np.int32)
        rank[[self._code_of[key] for key in found]] = np.arange(len(found))
        return found, rank


class RowCodes:
    """The numbers of the labels of each row, kept batch by batch."""

    def __init__(self) -> None:
        self.n_entries = 0
        self._pieces: deque[tuple[NDArray[np.int32], NDArray[np.int32]]] = deque()

    def add(self, lengths: NDArray[Any], codes: NDArray[np.int32]) -> None:
        """Add rows with so many labels each."""
        self.n_entries += len(codes)
        self._pieces.append((lengths.astype(np.int32), codes))

    def add_pairs(self, pairs: Sequence[Pair], n_rows: int) -> None:
        """Add rows by pairs of row and label, in any order."""
        row = np.concatenate([np.empty(0, np.int64), *(row for row, _ in pairs)])
        code = np.concatenate([np.empty(0, np.int32), *(np.broadcast_to(np.asarray(code, np.int32), row.shape) for row, code in pairs)])
        self.add(np.bincount(row, minlength=n_rows), code[np.argsort(row, kind="stable")])

    def take_positions(self, rank: NDArray[np.int32]) -> Positions:
        """Return the canonical CSR under the final numbers; what is kept is freed on the way."""
        lengths: list[NDArray[np.int64]] = [np.zeros(1, np.int64)]
        indices: list[NDArray[np.int32]] = [np.empty(0, np.int32)]
        while self._pieces:
            length_of_row, codes = self._pieces.popleft()
            n_kept, own = np.empty(len(length_of_row), np.int64), np.empty(len(codes), np.int32)
            sort_rows.for_work(4 * len(codes))(length_of_row, codes, rank, own, n_kept)
            lengths.append(n_kept)
            indices.append(own[: n_kept.sum()])
        return np.cumsum(np.concatenate(lengths)), np.concatenate(indices)
