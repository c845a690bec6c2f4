"""JsonLines: one JSON object per line, its keys the columns."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from ..._checks.values import show_value
from ...exceptions import InputError
from ..codecs.json_types import OBJECTS, choose_type, find_kinds
from ..codecs.python_json import find_members, read_python_json
from ..compression import open_to_write
from ..damage import damaged, find_refused
from ..named_columns import list_fields_of, show_columns
from ..struct_fields import DOT, Fields, add_paths, drop_empty_structs, name_fields, take_value
from ..text_records import NEWLINE, RecordFile, Records

if TYPE_CHECKING:
    import pyarrow as pa

# What a decoder raises. Before msgspec 0.21, its own error is no ValueError.
_UNREADABLE = (ValueError, msgspec.DecodeError, RecursionError)
_cut_object = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode
_decode = msgspec.json.decode
_OPENING = (b"{", b"[")


class JsonLines(RecordFile):
    """JSON Lines in UTF-8.

    The columns are the keys of all objects, by first appearance. A key that an object lacks is a
    missing value.
    """

    format = "jsonl"
    suffix = ".jsonl"
    row_rule = "Each line must hold one JSON object."

    def __init__(self, path: Path, name: str | None = None) -> None:
        super().__init__(path, name)
        self._read_object(self.read_first(), 0)

    @cached_property
    def columns(self) -> Sequence[str]:  # type: ignore[override]
        """The keys; the whole file is read to find them."""
        keys: dict[str, Any] = {}
        for records in self.read_records():
            for number, line in enumerate(records.contents()):
                try:
                    keys |= _cut_object(line)
                except _UNREADABLE:
                    keys |= self._read_object(records, number)
        return list(keys)

    @cached_property
    def fields(self) -> Fields:  # type: ignore[override]
        """The fields of objects within the objects; the whole file is read to find them."""
        is_null_at: dict[tuple[str, ...], bool] = {}
        for records in self.read_records():
            for number, line in enumerate(records.contents()):
                try:
                    nested = {
                        key: _decode(own)
                        for key, own in _cut_object(line).items()
                        if memoryview(own)[:1] in _OPENING
                    }
                except _UNREADABLE:
                    nested = self._read_object(records, number)
                for key, value in nested.items():
                    add_paths(value, (key,), is_null_at)
        return name_fields(drop_empty_structs(is_null_at))

    def find_ends(self, data: bytes) -> NDArray[np.int64]:
        """Return where lines end."""
        return np.flatnonzero(np.frombuffer(data, np.uint8) == NEWLINE) + 1

    def is_row(
        self, data: bytes, starts: NDArray[np.int64], stops: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Say which lines hold more than white space."""
        is_row = stops > starts
        for number in np.flatnonzero(is_row & (np.frombuffer(data, np.uint8)[starts] <= ord(" "))):
            is_row[number] = not data[starts[number] : stops[number]].isspace()
        return is_row

    def _read_object(self, records: Records, number: int) -> dict[str, Any]:
        """Read one line as Python's json module does, slowly; refuse what is not an object."""
        line = records.data[records.starts[number] : records.stops[number]]
        try:
            found = read_python_json(line)
        except (ValueError, RecursionError) as error:
            raise damaged(
                f"{self.place_of(records, number)} is not JSON",
                str(error).replace("line 1 ", ""),
                self.row_rule,
            ) from None
        if not isinstance(found, dict):
            place, start = self.place_of(records, number), line[:20].decode(errors="ignore")
            raise InputError(f"{place} is not an object, it starts with {start}. {self.row_rule}")
        return found

    def _read_values(self, columns: Sequence[str]) -> Iterator[tuple[Records, list[list[Any]]]]:
        """Yield records and, for each column or field, the values of their rows."""
        paths = [self._find_path(column) for column in columns]
        roots = list(dict.fromkeys(root for root, *_ in paths))
        for records, values_of_root in self._read_roots(roots):
            values_of = dict(zip(roots, values_of_root, strict=True))
            yield (
                records,
                [self._take_values(records, path, values_of[path[0]]) for path in paths],
            )

    def _find_path(self, column: str) -> tuple[str, ...]:
        # Only names with a dot may be fields: others need no look at the whole file.
        if DOT not in column or column in self.columns or column not in self.fields:
            return (column,)
        return self.fields[column].path

    def _take_values(self, records: Records, path: Sequence[str], values: list[Any]) -> list[Any]:
        """Return a field of the values of a key."""
        root, *inner = path
        if not inner:
            return values
        try:
            return [take_value(value, inner) for value in values]
        except ValueError:
            number = find_refused(lambda value: take_value(value, inner), values)
            raise InputError(
                f"{self.place_of(records, number)} has {show_value(values[number])} for '{root}', "
                f"where an object with '{DOT.join(path)}' is expected. Write an object or null."
            ) from None

    def _read_roots(self, columns: Sequence[str]) -> Iterator[tuple[Records, list[list[Any]]]]:
        """Yield records and, for each key, the values of their rows."""
        fields = [f"field{number}" for number in range(len(columns))]
        row_type = msgspec.defstruct(
            "Row",
            [(field, Any, None) for field in fields],
            rename=dict(zip(fields, columns, strict=True)),
            gc=False,
        )
        decode = msgspec.json.Decoder(row_type).decode
        for records in self.read_records():
            rows = []
            for number, line in enumerate(records.contents()):
                try:
                    rows.append(decode(line))
                except _UNREADABLE:
                    rows.append(row_type(*map(self._read_object(records, number).get, columns)))
            yield records, [list(map(attrgetter(field), rows)) for field in fields]

    def read_batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield these keys of all rows, as text, numbers, booleans or lists of one of these.

        The file is read twice, first for the types.
        """
        import pyarrow as pa

        types = self._find_types(columns)
        if None in types:
            self._refuse_kinds(columns[types.index(None)])
        for records, values_of_column in self._read_values(columns):
            arrays = [
                self._to_array(records, *column)
                for column in zip(columns, values_of_column, types, strict=True)
            ]
            yield pa.RecordBatch.from_arrays(arrays, names=list(columns))

    def read_to_guess(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield these keys of all rows, but nulls for what `read_batches` refuses.

        That is objects, lists of lists, values of several kinds, and too large numbers.
        """
        import pyarrow as pa

        types = [pa.null() if kind is None else kind for kind in self._find_types(columns)]
        for _, values_of_column in self._read_values(columns):
            arrays = [
                _to_array_or_nulls(*column) for column in zip(values_of_column, types, strict=True)
            ]
            yield pa.RecordBatch.from_arrays(arrays, names=list(columns))

    def read_to_compare(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield these keys of all rows; lists, and what `read_batches` refuses, as JSON."""
        import pyarrow as pa

        types = self._find_types(columns)
        for records, values_of_column in self._read_values(columns):
            arrays = [
                _to_json(values)
                if kind is None or pa.types.is_nested(kind)
                else self._to_array(records, column, values, kind)
                for column, values, kind in zip(columns, values_of_column, types, strict=True)
            ]
            yield pa.RecordBatch.from_arrays(arrays, names=list(columns))

    def _find_types(self, columns: Sequence[str]) -> list[pa.DataType | None]:
        """Return the type of each column, None where none holds all its values."""
        kinds_of_column: list[set[str]] = [set() for _ in columns]
        for _, values_of_column in self._read_values(columns):
            for kinds, values in zip(kinds_of_column, values_of_column, strict=True):
                kinds |= find_kinds(values)
        without = [
            column for column, kinds in zip(columns, kinds_of_column, strict=True) if not kinds
        ]
        known = set(self.columns) if without else set()
        for column in without:
            if column not in known and column not in self.fields:
                raise InputError(
                    f"{self.name}: no object has the key '{column}'. "
                    f"The keys there are: {', '.join(self.columns[:20])}."
                )
        return [choose_type(kinds) for kinds in kinds_of_column]

    def _refuse_kinds(self, column: str) -> None:
        """Raise an error that names the first place of each kind of value."""
        place_of_kind: dict[str, str] = {}
        for records, (values,) in self._read_values([column]):
            for number, value in enumerate(values):
                for kind in find_kinds([value]) - place_of_kind.keys():
                    place = records.file.show_place(records, number)
                    place_of_kind[kind] = f"{place} of {records.file.name}" if self.files else place
        found = " and ".join(f"{kind} ({place})" for kind, place in place_of_kind.items())
        advice = "Let it hold only text, only numbers, only booleans, or only lists of one of these"
        if any(kind.endswith(OBJECTS) for kind in place_of_kind):
            fields = list_fields_of(self, column)
            advice = f"Name a field of them: {show_columns(fields)}" if fields else advice
        raise InputError(f"{self.name}: '{column}' holds {found}. {advice}.")

    def _to_array(
        self, records: Records, column: str, values: list[Any], kind: pa.DataType
    ) -> pa.Array:
        import pyarrow as pa

        try:
            return pa.array(values, kind)
        except (ValueError, OverflowError):
            number = find_refused(lambda value: pa.array([value], kind), values)
            place, value = self.place_of(records, number), str(values[number])[:30]
            raise InputError(
                f"{place} has {value!r} for '{column}', "
                f"which does not fit into a column of type {kind}. Write it as plain text."
            ) from None

    def write_with_column(
        self, target: Path, column: str, values: Sequence[str], code_of_row: NDArray[np.int32]
    ) -> None:
        """Write the file with one more key in each object, at its end, all else byte for byte."""
        self.check_new(column)
        entries = make_entries(column, values)
        with open_to_write(target) as file:
            file.write(self.head)
            for records, codes in self.read_with_numbers(code_of_row):
                lines = zip(records.whole(), codes, strict=True)
                file.write(b"".join([insert(line, entries[code]) for line, code in lines]))

    def fill_column(
        self, target: Path, column: str, values: Sequence[str], code_of_row: NDArray[np.int32]
    ) -> None:
        """Write the file with another value for one key of some objects.

        The value has the type that the key has in other objects. All else stays byte for byte.
        """
        encoded = [msgspec.json.encode(value) for value in self.to_values_of(column, values)]
        with open_to_write(target) as file:
            file.write(self.head)
            for records, codes in self.read_with_numbers(code_of_row):
                lines = zip(records.contents(), records.line_ends(), codes, strict=True)
                for line, line_end, code in lines:
                    filled = line if code < 0 else set_key(line, column, encoded[code])
                    file.write(filled + line_end)

    def to_values_of(self, column: str, values: Sequence[str]) -> list[Any]:
        """Return the values in the type of the column, which may be numbers or booleans."""
        import pyarrow as pa

        [kind] = self._find_types([column])
        try:
            found: list[Any] = pa.array(values, pa.string()).cast(kind).to_pylist()
        except pa.ArrowException:
            raise self.cannot_hold(column, kind, values) from None
        return found


def _to_json(values: list[Any]) -> pa.Array:
    import pyarrow as pa

    texts = [None if own is None else json.dumps(own, sort_keys=True) for own in values]
    return pa.array(texts, pa.string())


def _to_array_or_nulls(values: list[Any], kind: pa.DataType) -> pa.Array:
    import pyarrow as pa

    try:
        return pa.array(values, kind)
    except (ValueError, OverflowError):
        return pa.nulls(len(values), kind)


def make_entries(key: str, values: Sequence[str]) -> list[bytes]:
    """Return the key with each of the values, as they are in an object."""
    return [msgspec.json.encode(key) + b": " + msgspec.json.encode(value) for value in values]


def set_key(line: bytes, key: str, value: bytes) -> bytes:
    """Return an object with another value of a key."""
    try:
        fields: dict[str, Any] = {**_cut_object(line), key: value}
    except msgspec.DecodeError:
        return _set_key_in_python_json(line, key, value)
    return (
        b"{"
        + b", ".join(msgspec.json.encode(name) + b": " + bytes(own) for name, own in fields.items())
        + b"}"
    )


def _set_key_in_python_json(line: bytes, key: str, value: bytes) -> bytes:
    """Set a key in a line that only Python's json module can read."""
    text = line.decode()
    places = [(start, end) for name, start, end in find_members(text) if name == key]
    if not places:
        return insert(line, msgspec.json.encode(key) + b": " + value)
    start, end = places[-1]
    return text[:start].encode() + value + text[end:].encode()


def insert(line: bytes, entry: bytes) -> bytes:
    """Return an object with one more entry, which comes before the last brace."""
    before, brace, after = line.rpartition(b"}")
    return before + (b"" if before.rstrip().endswith(b"{") else b", ") + entry + brace + after
