"""Values of Excel cells as columns of one type, and as cells of a new sheet."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa

from ...exceptions import InputError
from ..extras import import_extra
from ..row_tables import Row, WriteRows

MAX_ROWS, MAX_COLUMNS, MAX_TEXT = 1_048_576, 16_384, 32_767
# Excel keeps numbers as doubles.
_LARGEST_WHOLE = 1 << 53
_DATE_FORMATS = {
    datetime.datetime: "yyyy-mm-dd hh:mm:ss",
    datetime.date: "yyyy-mm-dd",
    datetime.time: "hh:mm:ss",
    datetime.timedelta: "[h]:mm:ss",
}
# A workbook has the time at which it was made, and the same rows should give the same bytes.
_MADE = datetime.datetime(2000, 1, 1)
_TYPES = {
    frozenset({str}): pa.string(),
    frozenset({bool}): pa.bool_(),
    frozenset({datetime.date}): pa.date32(),
    frozenset({datetime.datetime}): pa.timestamp("us"),
    frozenset({datetime.time}): pa.time64("us"),
    frozenset({datetime.timedelta}): pa.duration("us"),
}


def make_column(values: Sequence[Any]) -> pa.Array:
    """Return cells as an Arrow array: of one type if they have one, else as text.

    Numbers are whole numbers if all of them are.
    """
    types = frozenset(map(type, values)) - {type(None)}
    if types and types <= {int, float}:
        are_whole = all(value is None or _is_whole(value) for value in values)
        return pa.array(values, pa.float64()).cast(pa.int64() if are_whole else pa.float64())
    if types == {datetime.date, datetime.datetime}:
        values = [None if value is None else _to_time(value) for value in values]
        types = frozenset({datetime.datetime})
    if types in _TYPES:
        return pa.array(values, _TYPES[types])
    return pa.array([None if value is None else to_text(value) for value in values], pa.string())


def _is_whole(value: float) -> bool:
    return float(value).is_integer() and abs(value) <= _LARGEST_WHOLE


def _is_number(value: float) -> bool:
    return math.isfinite(value) if isinstance(value, float) else _is_whole(value)


def _to_time(value: datetime.date) -> datetime.datetime:
    if isinstance(value, datetime.datetime):
        return value
    return datetime.datetime.combine(value, datetime.time())


def to_text(value: Any) -> str:
    """Return a cell as Excel shows it."""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and _is_whole(value):
        return str(int(value))
    return str(value)


@contextmanager
def open_sheet(target: Path, title: str, names: Sequence[str]) -> Iterator[WriteRows]:
    """Open a new workbook of one sheet; give a function that writes rows below the names."""
    if len(names) > MAX_COLUMNS:
        raise InputError(
            f"{target.name}: a sheet of Excel has at most {MAX_COLUMNS:,} columns, "
            f"got {len(names):,}. Write another format."
        )
    xlsxwriter = import_extra("xlsxwriter", target.name, "excel")
    options = {"constant_memory": True, "tmpdir": str(target.parent)}
    try:
        with xlsxwriter.Workbook(str(target), options) as book:
            book.set_properties({"created": _MADE})
            sheet = _Sheet(target.name, book, title, names)
            sheet.write([names])
            yield sheet.write
    except xlsxwriter.exceptions.FileCreateError as error:
        raise error.args[0] from None  # what the system said, such as that the disk is full


class _Sheet:
    """A sheet that is written row by row."""

    def __init__(self, name: str, book: Any, title: str, names: Sequence[str]) -> None:
        self._name, self._names, self._n_rows = name, names, 0
        self._sheet = book.add_worksheet(title)
        self._formats = {
            kind: book.add_format({"num_format": shown}) for kind, shown in _DATE_FORMATS.items()
        }

    def write(self, rows: Iterable[Row]) -> None:
        """Write rows after those that are there."""
        for row in rows:
            if self._n_rows == MAX_ROWS:
                raise InputError(
                    f"{self._name}: a sheet of Excel has at most {MAX_ROWS - 1:,} rows below its "
                    "header, and there are more. Write another format."
                )
            for place, value in enumerate(row):
                if value is not None and value == value:  # NaN is missing
                    self._write_cell(place, value)
            self._n_rows += 1

    def _write_cell(self, place: int, value: Any) -> None:
        at = (self._n_rows, place)
        if isinstance(value, bool):
            self._sheet.write_boolean(*at, value)
        elif isinstance(value, int | float) and _is_number(value):
            self._sheet.write_number(*at, value)
        elif type(value) in self._formats:
            self._sheet.write_datetime(*at, value, self._formats[type(value)])
        else:
            text = str(value)
            if len(text.encode("utf-16-le")) > 2 * MAX_TEXT:
                raise InputError(
                    f"{self._name}: column '{self._names[place]}' has a text of {len(text):,} "
                    f"characters at row {self._n_rows - 1}, and a cell of Excel holds "
                    f"{MAX_TEXT:,}. Write another format."
                )
            self._sheet.write_string(*at, text)
