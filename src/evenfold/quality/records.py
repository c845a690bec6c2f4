"""Records: columns of one length, read by name, by attribute and by row."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._tables.frames import Backend, make_frame
from .._tables.numbers import show_count, show_number
from .._tables.table import Table, shorten

if TYPE_CHECKING:
    import pyarrow as pa

_WIDTH = 80
_WIDTH_OF_CELL = 24
# Of longer records, so many lines are shown, and half as many of their end.
_MAX_LINES, _MAX_LINES_IN_HTML = 10, 30


class Records(np.recarray[Any, Any]):
    """A frame of a few columns: `records["rld"]` or `records.rld` is a column, an array.

    It shows itself as a table, and `to_frame` makes a frame of pandas, polars or pyarrow of it.
    Functions that take Arrow data take it as it is. It is also a record array of NumPy, so
    `records[3]` is a record, and `records[records.rows > 9]` are the records of a selection.

    Examples
    --------
    >>> per_label = evenfold.measure([["a"], ["a"], ["a", "b"], ["b"]], [0, 1, 0, 1]).per_label
    >>> per_label["rld"].tolist(), per_label[1].label
    ([0.3333..., 0.0], 'b')
    >>> per_label[["label", "rows", "rld"]]
    label  rows     rld
    a         3  0.3333
    b         2       0
    """

    def to_frame(self, backend: Backend | None = None) -> Any:
        """Return a frame with the same columns.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default=None
            The library of the frame; None takes the first of these that is installed.

        Returns
        -------
        DataFrame or Table
            One line per record.

        Examples
        --------
        >>> quality = evenfold.measure([["a"], ["a"], ["a", "b"], ["b"]], [0, 1, 0, 1])
        >>> quality.per_label.to_frame("pandas").sort_values("rld").label.tolist()
        ['b', 'a']
        """
        return make_frame(self._list_columns(), backend)

    def to_html(self) -> str:
        """Return the records as a table element.

        Returns
        -------
        str
            The element; of many records, the first and the last. All text is escaped.
        """
        lines, n_shown = self._list_lines(_MAX_LINES_IN_HTML)
        caption = show_count(len(self), "line")
        if n_shown < len(self):
            caption += f", of which {n_shown:,} are shown; to_frame() returns all of them"
        return Table(self._names, lines, caption).to_html()

    @property
    def _names(self) -> list[str]:
        return list(self.dtype.names or ())

    def _list_columns(self) -> dict[str, Any]:
        """Return the columns as arrays that every library of frames can read."""
        return {name: _make_uniform(self[name]) for name in self._names}

    def _list_lines(self, most: int) -> tuple[list[list[str]], int]:
        """Return the cells of the lines shown, and how many records these are."""
        if len(self) <= most + most // 2:
            return [_show_record(own) for own in self.tolist()], len(self)
        head = [_show_record(own) for own in self[:most].tolist()]
        tail = [_show_record(own) for own in self[-(most // 2) :].tolist()]
        return [*head, ["…"] * len(self._names), *tail], most + most // 2

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Hand the columns over to a library that reads Arrow data."""
        table: pa.Table = self.to_frame("pyarrow")
        return table.__arrow_c_stream__(requested_schema)

    def __getattr__(self, name: str) -> Any:
        message = f"no column or attribute {name!r}. Columns: {', '.join(self._names)}."
        if not name.startswith("_"):
            message += " to_frame() returns a frame of pandas, polars or pyarrow."
        raise AttributeError(message)

    def __repr__(self) -> str:
        if self.ndim != 1 or not self._names:
            return super().__repr__()
        lines, n_shown = self._list_lines(_MAX_LINES)
        n_columns = len(self._names)
        while n_columns > 1 and _width(_cut(self._names, lines, n_columns)) > _WIDTH:
            n_columns -= 1
        text = _cut(self._names, lines, n_columns).to_text()
        left_out = self._names[n_columns:]
        notes = []
        if n_shown < len(self):
            notes.append(show_count(len(self), "line"))
        if left_out:
            notes.append(f"more columns: {', '.join(left_out)}")
        return f"{text}\n({'; '.join(notes)})" if notes else text

    __str__ = __repr__

    def _repr_html_(self) -> str | None:
        return self.to_html() if self.ndim == 1 and self._names else None


def make_records(**columns: NDArray[Any]) -> Records:
    """Return records with these columns."""
    length = len(next(iter(columns.values())))
    records = Records(
        length, dtype=np.dtype([(name, column.dtype) for name, column in columns.items()])
    )
    for name, column in columns.items():
        records[name] = column
    records.flags.writeable = False
    return records


def list_records(records: Records) -> list[dict[str, Any]]:
    """Return the records as plain dicts, fit for JSON."""
    names = records.dtype.names or ()
    return [dict(zip(names, map(to_plain, record), strict=True)) for record in records.tolist()]


def to_plain(value: Any) -> Any:
    """Return what JSON can hold: undefined is None, infinite the string "Infinity"."""
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "Infinity"
    return value if isinstance(value, str | int | float) else str(value)


def _make_uniform(column: NDArray[Any]) -> Any:
    """Return a column of which all values have one type: names of several types become text."""
    if column.dtype != object:
        return np.ascontiguousarray(column) if column.dtype.kind != "U" else column.tolist()
    values = column.tolist()
    return values if len(set(map(type, values))) <= 1 else list(map(str, values))


def _show_record(record: tuple[Any, ...]) -> list[str]:
    # The first column has names, which may be numbers.
    return [shorten(record[0], _WIDTH_OF_CELL), *map(_show_cell, record[1:])]


def _show_cell(value: Any) -> str:
    if isinstance(value, float):
        return "infinite" if math.isinf(value) else show_number(value)
    return f"{value:,}" if isinstance(value, int) else shorten(value, _WIDTH_OF_CELL)


def _cut(names: list[str], lines: list[list[str]], n_columns: int) -> Table:
    return Table(names[:n_columns], [line[:n_columns] for line in lines])


def _width(table: Table) -> int:
    return max(map(len, table.to_text().split("\n")))
