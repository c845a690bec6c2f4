"""LongTable: data with a line for each item and label, whose rows are the items."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from .._checks.values import show_value
from ..exceptions import InputError
from ..labels.labels import Labels
from .codecs.flat_columns import type_without_categories
from .datafile import DataFile
from .label_columns.codes import Vocabulary
from .label_columns.reading import read_class_column
from .named_columns import check_column, has_column, show_columns
from .own_labels import label_entries
from .struct_fields import Fields

_OPTION = "--long"
_ROWS_AT_ONCE = 1 << 16


class Items(NamedTuple):
    """The items of a long table, numbered by first appearance.

    Attributes
    ----------
    item_of_line : ndarray of int32
        (n_lines,) the item of each line.
    first_line : ndarray of int64
        (n_items,) the first line of each item.
    names : list
        The value of the item column for each item.
    """

    item_of_line: NDArray[np.int32]
    first_line: NDArray[np.int64]
    names: list[object]


class LongTable(DataFile):
    """A table with a line for each item and label, such as annotations of proteins.

    Its rows are the distinct items, in the order in which they first appear. A line without a label
    adds none, and lines that say the same count once.

    Parameters
    ----------
    lines : DataFile
        The table.
    item : str
        The column of the items.
    label : str
        The column of the labels.

    Attributes
    ----------
    lines : DataFile
        The table.

    Notes
    -----
    Other columns must have the same value in all lines of an item where they are read. What is
    written has the lines of the items, each with all its columns.
    """

    def __init__(self, lines: DataFile, item: str, label: str) -> None:
        super().__init__(lines.path, lines.name)
        self.lines = lines
        self._item, self._label = item, label
        self.columns = [name for name in lines.columns if name != label]
        self.key_columns = [item]
        self.remarks, self.goes_with = lines.remarks, lines.goes_with
        self.leaves_out_zeros = lines.leaves_out_zeros
        self.can_add_columns, self.can_fill_columns = lines.can_add_columns, lines.can_fill_columns
        for name in ("format", "suffix", "column_word", "cells_are_text", "is_table", "is_written"):
            setattr(self, name, getattr(lines, name))

    def over(self, lines: DataFile) -> LongTable:
        """Return the same items of a table that is written in another way."""
        other = LongTable(lines, self._item, self._label)
        other.items = self.items
        return other

    @property
    def fields(self) -> Fields:  # type: ignore[override]
        """Those of the table."""
        return {name: own for name, own in self.lines.fields.items() if name != self._label}

    @cached_property
    def items(self) -> Items:
        """The items; the file is read to find them."""
        found, codes = Vocabulary(), [np.empty(0, np.int32)]
        for batch in self.lines.read_batches([self._item]):
            cells = batch.column(0)
            if pa.types.is_floating(cells.type):
                cells = pc.if_else(pc.is_nan(cells), None, cells)
            if pa.types.is_nested(cells.type):
                raise InputError(
                    f"{self.name}: {_OPTION} column '{self._item}' must name an item in each line, "
                    f"got {type_without_categories(cells.type)}. Name another column."
                )
            codes.append(found.encode(cells))
        names = list(found)
        item_of_line = np.concatenate(codes)
        blank = [at for at, name in enumerate(names) if isinstance(name, str) and not name.strip()]
        missing = np.flatnonzero((item_of_line < 0) | np.isin(item_of_line, blank))
        if missing.size:
            raise InputError(
                f"{self.name}: {_OPTION} column '{self._item}' is empty in {missing.size:,} of "
                f"{len(item_of_line):,} lines, first line {missing[0]} (from 0). "
                "Name the item of every line."
            )
        if not names:
            raise self.holds_no("rows")
        # Of lines of the same item, the one that is assigned last stays.
        first_line = np.empty(len(names), np.int64)
        first_line[item_of_line[::-1]] = np.arange(len(item_of_line))[::-1]
        return Items(item_of_line, first_line, names)

    def read_own_labels(self) -> Labels:
        """Return the labels of each item."""
        of_line = read_class_column(
            self.lines,
            self._label,
            may_be_flags=False,
            advice=f"Leave out {_OPTION}, and name the column with --labels.",
        )
        items = self.items
        line = np.repeat(np.arange(of_line.n_rows), np.diff(of_line.indptr))
        item = items.item_of_line[line].astype(np.int64)
        label = of_line.indices.astype(np.int64)
        return label_entries(item, label, of_line.names, len(items.names))

    def read_batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield these columns of all items; refuse one that is not the same within an item."""
        return self._read_items(columns, self.lines.read_batches)

    def read_to_compare(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield cells that can be compared; refuse a column that is not the same in an item."""
        return self._read_items(columns, self.lines.read_to_compare)

    def _read_items(
        self,
        columns: Sequence[str],
        read: Callable[[Sequence[str]], Iterator[pa.RecordBatch]],
    ) -> Iterator[pa.RecordBatch]:
        arrays = []
        for column in columns:
            cells = pa.chunked_array([batch.column(0) for batch in read([column])])
            differs = self._find_difference(cells)
            if differs is not None:
                raise self._not_constant(column, cells, *differs)
            arrays.append(cells.take(pa.array(self.items.first_line)))
        yield from pa.table(arrays, names=list(columns)).to_batches(_ROWS_AT_ONCE)

    def read_to_guess(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield these columns of all items, nulls where one is not the same within an item."""
        arrays = []
        for column in columns:
            batches = self.lines.read_to_guess([column])
            cells = pa.chunked_array([batch.column(0) for batch in batches])
            first = cells.take(pa.array(self.items.first_line))
            is_same = self._find_difference(cells) is None
            arrays.append(first if is_same else pa.nulls(len(first), first.type))
        yield from pa.table(arrays, names=list(columns)).to_batches(_ROWS_AT_ONCE)

    def write_parts(self, targets: Sequence[Path], part_of_row: NDArray[np.int32]) -> None:
        """Write the lines of the items of part j to `targets[j]`."""
        self.lines.write_parts(targets, self.to_lines(part_of_row))

    def write_with_column(
        self, target: Path, column: str, values: Sequence[str], code_of_row: NDArray[np.int32]
    ) -> None:
        """Write all lines with a new column, the same in all lines of an item."""
        self.lines.write_with_column(target, column, values, self.to_lines(code_of_row))

    def fill_column(
        self, target: Path, column: str, values: Sequence[str], code_of_row: NDArray[np.int32]
    ) -> None:
        """Write all lines with other values of a column in the lines of some items."""
        self.lines.fill_column(target, column, values, self.to_lines(code_of_row))

    def to_lines(self, number_of_row: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the numbers of items as numbers of lines."""
        return number_of_row[self.items.item_of_line]

    def list_files(self, n_rows: int) -> list[tuple[DataFile, int]]:
        """Return the files of the lines, each with its number of lines."""
        return self.lines.list_files(len(self.items.item_of_line))

    def companions(self, target: Path) -> list[tuple[Path, bytes]]:
        """Return the files that belong beside data written to `target`."""
        return self.lines.companions(target)

    def check_new(self, column: str) -> None:
        """Refuse what the table refuses."""
        self.lines.check_new(column)

    def _find_difference(self, cells: pa.ChunkedArray) -> tuple[int, int] | None:
        """Return the first line of an item and another one that differs from it."""
        cells = cells.combine_chunks()
        if pa.types.is_nested(cells.type):
            cells = pa.array([None if cell is None else str(cell) for cell in cells.to_pylist()])
        if not pa.types.is_dictionary(cells.type):
            cells = cells.dictionary_encode()
        codes = pc.fill_null(cells.indices, -1).to_numpy(zero_copy_only=False)
        first = self.items.first_line[self.items.item_of_line]
        other = np.flatnonzero(codes != codes[first])
        return (int(first[other[0]]), int(other[0])) if other.size else None

    def _not_constant(
        self, column: str, cells: pa.ChunkedArray, first: int, other: int
    ) -> InputError:
        values = [show_value(cells[line].as_py()) for line in (first, other)]
        item = self.items.names[self.items.item_of_line[other]]
        return InputError(
            f"{self.name}: column '{column}' holds {values[0]} in line {first} and {values[1]} in "
            f"line {other} (from 0), both of the item {show_value(item)}. Let it hold one value in "
            "all lines of an item, or leave it out."
        )


def open_long(lines: DataFile, columns: str) -> LongTable:
    """Return a table as one of items, given the text of --long: the names of two columns."""
    if not lines.columns:
        raise lines.has_no_columns([columns], f"Leave out {_OPTION}.")
    pieces = columns.split(",")
    pairs = [
        (",".join(pieces[:at]).strip(), ",".join(pieces[at:]).strip())
        for at in range(1, len(pieces))
    ]
    known = [
        pair
        for pair in pairs
        if pair[0] != pair[1] and all(has_column(lines, name) for name in pair)
    ]
    if known:
        return LongTable(lines, *known[0])
    if len(pairs) == 1 and pairs[0][0] != pairs[0][1]:
        for name in pairs[0]:
            check_column(lines, name, _OPTION)
    raise InputError(
        f"{_OPTION} {columns!r} must name two columns of {lines.name}, that of the items and that "
        f"of the labels, with a comma between them. Columns: {show_columns(lines.columns)}."
    )
