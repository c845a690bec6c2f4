"""JsonRecords: a JSON array of objects, their keys the columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from ...exceptions import InputError
from ..codecs.json_lists import JsonBytes, cut_list, open_array
from ..damage import explain_damage
from ..memory import read_whole
from ..text_records import Records
from .json_lines import JsonLines, insert, make_entries, set_key

_RECORDS_AT_ONCE = 1 << 14


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
        first = next(self.read_chunks(0), None)
        if first is None:
            raise InputError(f"{self.name}: is an empty array. {self.row_rule}")
        return first

    def read_chunks(self, n_bytes: int, ends_last_line: bool = False) -> Iterator[Records]:
        """Yield the records of this file, many at a time; the offset is the number of the first."""
        elements = self._read_elements()
        for start in range(0, len(elements), _RECORDS_AT_ONCE):
            chunk = list(map(bytes, elements[start : start + _RECORDS_AT_ONCE]))
            stops = np.cumsum([len(element) for element in chunk])
            starts = np.concatenate(([0], stops[:-1]))
            yield Records(b"".join(chunk), starts, stops, stops, start, self)

    def show_place(self, records: Records, number: int) -> str:
        """Return the number of a record in the array."""
        return f"record {records.offset + number} (from 0)"

    def write_parts(self, targets: Sequence[Path], part_of_row: NDArray[np.int32]) -> None:
        """Write the records of part j, byte for byte, to `targets[j]`; leave out part -1."""
        with ExitStack() as stack:
            arrays = [stack.enter_context(open_array(target)) for target in targets]
            for records, parts in self.read_with_numbers(part_of_row):
                contents = records.contents()
                for part, write in enumerate(arrays):
                    write(
                        own for own, number in zip(contents, parts, strict=True) if number == part
                    )

    def write_with_column(
        self, target: Path, column: str, values: Sequence[str], code_of_row: NDArray[np.int32]
    ) -> None:
        """Write the file with one more key in each object, at its end."""
        self.check_new(column)
        entries = make_entries(column, values)
        with open_array(target) as write:
            for records, codes in self.read_with_numbers(code_of_row):
                pairs = zip(records.contents(), codes, strict=True)
                write(insert(own, entries[code]) for own, code in pairs)

    def fill_column(
        self, target: Path, column: str, values: Sequence[str], code_of_row: NDArray[np.int32]
    ) -> None:
        """Write the file with another value for one key of some objects, in the key's type."""
        encoded = [msgspec.json.encode(value) for value in self.to_values_of(column, values)]
        with open_array(target) as write:
            for records, codes in self.read_with_numbers(code_of_row):
                pairs = zip(records.contents(), codes, strict=True)
                write(
                    own if code < 0 else set_key(own, column, encoded[code]) for own, code in pairs
                )

    def _read_elements(self) -> Sequence[JsonBytes]:
        content = read_whole(self.path, self.name).removeprefix(self.head)
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
