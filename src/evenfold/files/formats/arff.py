"""ARFF, dense and sparse, as Mulan (labels in an xml file) and MEKA (-C) write it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from csv import Error as CsvError
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...exceptions import InputError
from ..damage import find_refused
from ..datafile import DataFile
from ..row_chunks import cut_into_chunks, pair_chunks
from ..row_lines import LINES_AT_ONCE, write_part_lines
from .arff_header import Attribute, decode_line, quote, read_header, read_label_names

if TYPE_CHECKING:
    import pyarrow as pa

# Cells are Python objects while a batch is read.
_CELLS_AT_ONCE = 1 << 19
_BINARY = {"0": 0, "1": 1}


class Arff(DataFile):
    """An ARFF file.

    Parameters
    ----------
    path : Path
        The file.
    name : str, default=None
        What messages call it; by default its path.
    xml : Path, default=None
        Mulan's list of labels. By default the file of the same name that ends in .xml, if there is
        one; that one is read only when the labels are asked for, and otherwise may be anything.

    Notes
    -----
    Attributes of {0,1} are read as whole numbers, numeric ones as floats, others as text; `?` is
    null. What a sparse row leaves out is 0 or, as in Weka, the first value of a nominal attribute;
    text left out is null.
    """

    format: ClassVar[str] = "arff"
    suffix: ClassVar[str] = ".arff"
    column_word: ClassVar[str] = "an attribute"
    is_table = True
    can_add_columns = True

    def __init__(self, path: Path, name: str | None = None, xml: Path | None = None) -> None:
        super().__init__(path, name)
        self._header = read_header(path, self.name)
        self.columns = [attribute.name for attribute in self._header.attributes]
        self.check_distinct(self.columns)
        beside = path.with_suffix(".xml")
        self._xml = xml or (beside if beside.is_file() else None)
        self.goes_with = [] if self._xml is None else [self._xml]
        if xml is not None:
            self._find_labels()
        self.leaves_out_zeros = _is_sparse(next(self._read_lines(), (0, b""))[1])

    @cached_property
    def label_columns(self) -> Sequence[str]:  # type: ignore[override]
        """Those of the xml, else those of MEKA's -C."""
        return self._find_labels()

    def read_batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield these columns of all rows, in order, a bounded number of rows at a time."""
        import pyarrow as pa

        place_of = {name: place for place, name in enumerate(self.columns)}
        n_rows = max(1, _CELLS_AT_ONCE // len(self.columns))
        for chunk in cut_into_chunks(self._read_rows(), n_rows):
            numbers, rows = zip(*chunk, strict=True)
            arrays = [self._make_array(numbers, rows, place_of[column]) for column in columns]
            yield pa.record_batch(arrays, names=list(columns))

    def write_parts(self, targets: Sequence[Path], part_of_row: NDArray[np.int32]) -> None:
        """Write the whole header and the lines of its rows for every part."""
        head = b"".join(self._header.lines)
        lines = cut_into_chunks((line for _, line in self._read_lines()), LINES_AT_ONCE)
        write_part_lines(targets, [head] * len(targets), pair_chunks(self.name, lines, part_of_row))

    def check_new(self, column: str) -> None:
        """Refuse an attribute that is there already, or that would become a label."""
        super().check_new(column)
        if self._header.n_labels < 0:
            raise InputError(
                f"{self.name}: its relation says -C {self._header.n_labels}, so {column!r} would "
                "become a label as the last attribute. Write parts instead."
            )

    def write_with_column(
        self, target: Path, column: str, values: Sequence[str], code_of_row: NDArray[np.int32]
    ) -> None:
        """Write the file with one more nominal attribute at the end, `?` where the code is -1."""
        self.check_new(column)
        *before, data = self._header.lines
        attribute = f"@attribute {quote(column)} {{{','.join(map(quote, values))}}}".encode()
        line_end = b"\r\n" if data.endswith(b"\r\n") else b"\n"
        cells = [*(quote(value).encode() for value in values), b"?"]
        chunks = cut_into_chunks(self._read_lines(), LINES_AT_ONCE)
        with target.open("wb") as file:
            file.writelines([*before, attribute, line_end, data])
            for lines, codes in pair_chunks(self.name, chunks, code_of_row):
                file.writelines(
                    self._add_cell(line, number, cells[code])
                    for (number, line), code in zip(lines, codes, strict=True)
                )

    def companions(self, target: Path) -> list[tuple[Path, bytes]]:
        """Return a copy of the label xml, if there is one that names labels of this file."""
        try:
            if self._xml is None or not self.label_columns:
                return []
        except InputError:
            return []
        return [(target.with_suffix(".xml"), self._xml.read_bytes())]

    def _find_labels(self) -> list[str]:
        if self._xml is None:
            n_labels = self._header.n_labels
            return list(self.columns[:n_labels] if n_labels >= 0 else self.columns[n_labels:])
        names = set(read_label_names(self._xml))
        unknown = sorted(names.difference(self.columns))
        if unknown:
            shown = ", ".join(map(repr, unknown[:5]))
            raise InputError(
                f"{self._xml}: names {len(unknown)} labels that {self.name} has no attribute for: "
                f"{shown}. Check that the two belong together."
            )
        return [column for column in self.columns if column in names]

    def _read_lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield number and bytes of every line that is a row."""
        n_before = len(self._header.lines)
        with self.path.open("rb") as file:
            file.seek(sum(map(len, self._header.lines)))
            for number, line in enumerate(file, n_before + 1):
                content = line.lstrip()
                if content and not content.startswith(b"%"):
                    yield number, line

    def _read_rows(self) -> Iterator[tuple[int, Any]]:
        """Yield the line number and the values of every row, as text.

        The values are a list, in a sparse file a dict by attribute.
        """
        import arff

        sparse = self.leaves_out_zeros
        number = 0

        def texts() -> Iterator[str]:
            nonlocal number
            # With every attribute text, liac-arff splits the lines and leaves the values as text.
            yield "@relation rows"
            yield from (f"@attribute {place} string" for place in range(len(self.columns)))
            yield "@data"
            for number, line in self._read_lines():
                if _is_sparse(line) != sparse:
                    raise InputError(
                        f"{self.name}: line {number} is {'dense' if sparse else 'sparse'}, "
                        "the rows before are not. Write all rows in the same way."
                    )
                yield decode_line(line, self.name, number)

        kind = arff.LOD_GEN if sparse else arff.DENSE_GEN
        try:
            for row in arff.ArffDecoder().decode(texts(), return_type=kind)["data"]:
                yield number, row
        except InputError:
            raise
        except arff.BadDataFormat:
            raise InputError(
                f"{self.name}: line {number} does not fit the {len(self.columns)} attributes of "
                "the header. Check its commas and quotes."
            ) from None
        except (arff.ArffException, CsvError, ValueError):
            raise InputError(
                f"{self.name}: line {number} cannot be read as a row. "
                "Check its commas, quotes and braces."
            ) from None

    def _make_array(self, numbers: Sequence[int], rows: Sequence[Any], place: int) -> pa.Array:
        import pyarrow as pa

        attribute = self._header.attributes[place]
        left_out, convert, kind = _plan_reading(attribute)
        cells = (
            [row.get(place, left_out) for row in rows]
            if isinstance(rows[0], dict)
            else [row[place] for row in rows]
        )
        try:
            return pa.array([None if cell is None else convert(cell) for cell in cells], kind)
        except (KeyError, ValueError):
            at = find_refused(lambda cell: cell is None or convert(cell), cells)
            wanted = (
                "a number"
                if attribute.kind == "numeric"
                else f"one of {{{','.join(attribute.values[:5])}}}"
            )
            raise InputError(
                f"{self.name}: line {numbers[at]} has {str(cells[at])[:60]!r} for "
                f"{attribute.name!r}, which must be {wanted}. Correct it, or write ?."
            ) from None

    def _add_cell(self, line: bytes, number: int, cell: bytes) -> bytes:
        content = line.rstrip()
        line_end = line[len(content) :]
        if not _is_sparse(line):
            return content + b"," + cell + line_end
        if not content.endswith(b"}"):
            raise InputError(f"{self.name}: line {number} has no closing brace. Add it.")
        # A sparse row without the cell would have the first value, so every row has the cell.
        inside = content[:-1].rstrip()
        comma = b"" if inside.endswith(b"{") else b","
        return inside + comma + b"%d %b}" % (len(self.columns), cell) + line_end


def _is_sparse(line: bytes) -> bool:
    return line.lstrip().startswith(b"{")


def _plan_reading(attribute: Attribute) -> tuple[str | None, Callable[[str], Any], pa.DataType]:
    """Return how an attribute is read.

    What it is where a sparse row leaves it out, how its text becomes a value, and its Arrow type.
    """
    import pyarrow as pa

    if attribute.kind == "numeric":
        return "0", float, pa.float64()
    if attribute.kind == "text":
        return None, str, pa.string()
    binary = set(attribute.values) <= set(_BINARY)
    value_of = {value: _BINARY[value] if binary else value for value in attribute.values}
    kind = pa.int8() if binary else pa.dictionary(pa.int32(), pa.string())
    return attribute.values[0], value_of.__getitem__, kind
