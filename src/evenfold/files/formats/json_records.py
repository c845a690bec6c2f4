"""JsonRecords: a JSON array of objects, their keys the columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from ...exceptions import InputError
from ..codecs.json_lists import JsonBytes, cut_list, write_list
from ..damage import explain_damage
from ..row_chunks import rows_changed
from ..text_records import Records
from .json_lines import JsonLines, insert, make_entries, set_key

_RECORDS_AT_ONCE = 1 << 14
_BETWEEN = b",\n "


class JsonRecords(JsonLines):
    """A JSON file that is one array of objects.

    Notes
    -----
    All of the file is in memory while it is read or written. What is written has each record byte
    for byte, and one record per line.
    """

    format = "json"
    suffix = ".json"
    row_rule = "The array must hold JSON objects."

    def read_first(self) -> Records:
        """Return the first records; refuse an array without any."""
        first = next(self.read_records(), None)
        if first is None:
            raise InputError(f"{self.name}: is an empty array. {self.row_rule}")
        return first

    def read_records(self) -> Iterator[Records]:
        """Yield all records, many at a time; the offset is the number of the first."""
        elements = self._read_elements()
        for start in range(0, len(elements), _RECORDS_AT_ONCE):
            chunk = list(map(bytes, elements[start : start + _RECORDS_AT_ONCE]))
            stops = np.cumsum([len(element) for element in chunk])
            starts = np.concatenate(([0], stops[:-1]))
            yield Records(b"".join(chunk), starts, stops, stops, start)

    def show_place(self, records: Records, number: int) -> str:
        """Return the number of a record in the array."""
        return f"record {records.offset + number} (from 0)"

    def write_parts(self, targets: Sequence[Path], part_of_row: NDArray[np.int32]) -> None:
        """Write the records of part j, byte for byte, to `targets[j]`; leave out part -1."""
        elements = self._read_counted(len(part_of_row))
        for part, target in enumerate(targets):
            _write(target, [elements[row] for row in np.flatnonzero(part_of_row == part).tolist()])

    def write_with_column(
        self, target: Path, column: str, values: Sequence[str], code_of_row: NDArray[np.int32]
    ) -> None:
        """Write the file with one more key in each object, at its end."""
        self.check_new(column)
        entries = make_entries(column, values)
        elements = self._read_counted(len(code_of_row))
        codes = code_of_row.tolist()
        _write(
            target,
            [insert(bytes(own), entries[code]) for own, code in zip(elements, codes, strict=True)],
        )

    def fill_column(
        self, target: Path, column: str, values: Sequence[str], code_of_row: NDArray[np.int32]
    ) -> None:
        """Write the file with another value for one key of some objects, in the key's type."""
        encoded = [msgspec.json.encode(value) for value in self.to_values_of(column, values)]
        elements = self._read_counted(len(code_of_row))
        codes = code_of_row.tolist()
        _write(
            target,
            [
                own if code < 0 else set_key(bytes(own), column, encoded[code])
                for own, code in zip(elements, codes, strict=True)
            ],
        )

    def _read_counted(self, n_rows: int) -> Sequence[JsonBytes]:
        elements = self._read_elements()
        if len(elements) != n_rows:
            raise rows_changed(self.name, n_rows)
        return elements

    def _read_elements(self) -> Sequence[JsonBytes]:
        content = self.path.read_bytes().removeprefix(self.head)
        errors = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
        with (
            explain_damage(f"{self.name}: cannot be read as JSON", errors, "Is it whole?"),
            explain_damage(
                f"{self.name}: is not an array of records",
                (msgspec.ValidationError,),
                "Write the rows as [{...}, {...}].",
            ),
        ):
            return cut_list(content)


def _write(target: Path, records: Sequence[JsonBytes]) -> None:
    with target.open("wb") as file:
        write_list(file, records, _BETWEEN)
        file.write(b"\n")
