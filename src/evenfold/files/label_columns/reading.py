"""Columns of a file → Labels, a batch at a time, so that only numbers are kept in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..._checks.values import show_value
from ...exceptions import InputError
from ...labels.arrow_cells import Lists, can_be_label, is_list, is_number, is_text, read_flags
from ...labels.classes import Subject
from ...labels.column_rules import UNKNOWN, WRONG, holds_only_flags
from ...labels.labels import Labels
from ...labels.list_matrices import MatrixEvidence, WrongValue
from ..codecs.flat_columns import type_without_categories
from ..damage import explain_arrow_damage
from ..datafile import DataFile
from ..memory import BYTES_OF_ROW, check_columns, check_memory
from ..read_ahead import read_ahead
from .cells import CellError, decode_bytes, has_null, read_classes
from .codes import Pair, RowCodes, Vocabulary

_ALONE = "Pass a column of lists alone."
ListReader = Callable[[pa.Array], Lists]


def read_list_column(
    file: DataFile, column: str, to_lists: ListReader, *, may_be_matrix: bool = True
) -> Labels:
    """Read one list of labels per row; the names are sorted.

    With `may_be_matrix`, rows of a 0/1 matrix with a few wrong values are refused.
    """
    vocabulary, rows, evidence = Vocabulary(), RowCodes(file.name), MatrixEvidence()
    for start, batch in number_rows(file, [column]):
        with place_errors(file, column, start):
            lengths, values = to_lists(decode_bytes(batch.column(0)))
            if not can_be_label(values.type):
                raise CellError(
                    0,
                    f"holds lists of {type_without_categories(values.type)}",
                    "Labels are text or whole numbers: convert them, or name another column.",
                )
            place, code_of_place = vocabulary.find(values)
            if has_null(values):
                row = int(
                    np.repeat(np.arange(len(lengths)), lengths)[code_of_place[place].argmin()]
                )
                raise CellError(
                    row, "holds a missing label (null)", "Leave it out of the row's list."
                )
            if may_be_matrix and is_number(values.type):
                evidence.add(lengths, read_flags(values), values)
        rows.add(lengths, place, code_of_place)
    # The lists are a matrix only if all batches hold numbers.
    if not any(isinstance(value, str) for value in vocabulary):
        refuse_wrong_value(file, column, evidence.find_wrong())
    return _name_by_value(file, column, vocabulary, rows)


def refuse_wrong_value(file: DataFile, column: str, wrong: WrongValue | None) -> None:
    """Raise the error about a wrong value of lists that are a 0/1 matrix, if there is one."""
    if wrong is not None:
        with place_errors(file, column, 0):
            raise CellError(
                wrong.row,
                f"holds {show_value(wrong.value.as_py())}, where 0, 1 or nothing is expected,",
                "Correct it; if the lists are labels, write each label once in a row.",
            )


def read_binary_lists(
    file: DataFile, column: str, to_lists: ListReader, width: int
) -> Labels | None:
    """Read lists that are the rows of a 0/1 matrix; None where one of them is not."""
    held, unknown = RowCodes(file.name), RowCodes(file.name)
    for start, batch in number_rows(file, [column]):
        with place_errors(file, column, start):
            flags = read_binary_rows(batch.column(0), to_lists, width)
        if flags is None:
            return None
        for rows, wanted in ((held, 1), (unknown, UNKNOWN)):
            row, label = np.divmod(np.flatnonzero(flags == wanted), width)
            rows.add_pairs([(row, label)], batch.num_rows)
    rank = np.arange(width, dtype=np.int32)
    return Labels(
        *held.take_positions(rank),
        range(width),
        unknown.take_positions(rank) if unknown.n_entries else None,
    )


def read_binary_rows(cells: pa.Array, to_lists: ListReader, width: int) -> NDArray[np.int8] | None:
    """Return the flags of lists that are rows of a 0/1 matrix; None where one of them is not."""
    lengths, values = to_lists(decode_bytes(cells))
    if (lengths != width).any() or is_text(values.type):
        return None
    flags = read_flags(values)
    return None if (flags == WRONG).any() else flags


def read_class_column(
    file: DataFile, column: str, *, may_be_flags: bool = True, advice: str = _ALONE
) -> Labels:
    """Read one class per row, named by its value.

    With `may_be_flags`, a column of 0 and 1 alone is itself a label. `advice` says what to do with
    a column of lists.
    """
    vocabulary, rows = Vocabulary(), RowCodes(file.name)
    for start, batch in number_rows(file, [column]):
        with place_errors(file, column, start):
            codes = vocabulary.encode(_check_classes(batch.column(0), advice))
        is_known = codes >= 0
        rows.add(is_known, codes[is_known])
    if may_be_flags and holds_only_flags(map(str, vocabulary)):
        return read_columns(file, [column], [True])
    return _name_by_value(file, column, vocabulary, rows)


def read_columns(file: DataFile, columns: Sequence[str], holds_flags: Sequence[bool]) -> Labels:
    """Read a label from each column of 0 and 1, and one from each value of every other column."""
    vocabulary, held, unknown = Vocabulary(), RowCodes(file.name), RowCodes(file.name)
    flag_code = [vocabulary.number("", at) if own else -1 for at, own in enumerate(holds_flags)]
    for start, batch in number_rows(file, columns):
        held_pairs: list[Pair] = []
        unknown_pairs: list[Pair] = []
        for at, column in enumerate(columns):
            with place_errors(file, column, start):
                if holds_flags[at]:
                    flags = _check_flags(batch.column(at))
                    held_pairs.append((np.flatnonzero(flags == 1), flag_code[at]))
                    unknown_pairs.append((np.flatnonzero(flags == UNKNOWN), flag_code[at]))
                else:
                    codes = vocabulary.encode(_check_classes(batch.column(at)), at)
                    row = np.flatnonzero(codes >= 0)
                    held_pairs.append((row, codes[row]))
        held.add_pairs(held_pairs, batch.num_rows)
        unknown.add_pairs(unknown_pairs, batch.num_rows)
    found, rank = vocabulary.sort([_name_column(file, column) for column in columns])
    names = [columns[at] if holds_flags[at] else f"{columns[at]}={value}" for at, value in found]
    return Labels(
        *held.take_positions(rank),
        names,
        unknown.take_positions(rank) if unknown.n_entries else None,
    )


def _name_by_value(file: DataFile, column: str, vocabulary: Vocabulary, rows: RowCodes) -> Labels:
    found, rank = vocabulary.sort([_name_column(file, column)])
    return Labels(*rows.take_positions(rank), [value for _, value in found])


def _name_column(file: DataFile, column: str) -> Subject:
    return Subject(None, f"{file.name}: column '{column}' ")


def _check_flags(cells: pa.Array) -> NDArray[np.int8]:
    flags = read_flags(decode_bytes(cells))
    wrong = np.flatnonzero(flags == WRONG)
    if wrong.size:
        value = show_value(cells[int(wrong[0])].as_py())
        hint = "Leave missing cells empty. " if is_text(cells.type) else ""
        raise CellError(
            int(wrong[0]),
            f"holds {value}, where 0, 1 or nothing is expected,",
            f"{hint}If its values are classes, pass the column alone; "
            "else leave it out of the labels.",
        )
    return flags


def _check_classes(cells: pa.Array, list_advice: str = _ALONE) -> pa.Array:
    cells = decode_bytes(cells)
    if not (can_be_label(cells.type) or is_number(cells.type)):
        advice = (
            list_advice
            if is_list(cells.type)
            else "Convert it to text or whole numbers, or name another column."
        )
        kind = type_without_categories(cells.type)
        raise CellError(0, f"holds {kind}, which is no label,", advice)
    return read_classes(cells)


def number_rows(file: DataFile, columns: Sequence[str]) -> Iterator[tuple[int, pa.RecordBatch]]:
    """Yield the batches of some columns, each with the number of its first row."""
    check_columns(file.name, columns)
    if file.n_rows_stated is not None:
        what = f"the labels of {file.n_rows_stated:,} rows"
        check_memory(file.name, BYTES_OF_ROW * file.n_rows_stated, what)
    start = 0
    for batch in read_ahead(iter(file.read_batches(columns))):
        yield start, batch
        start += batch.num_rows


@contextmanager
def place_errors(file: DataFile, column: str, start: int) -> Iterator[None]:
    """Say file, column and row of what is wrong in a batch that begins at row `start`."""
    try:
        with explain_arrow_damage(file.name, f"cannot be read in column {column} from row {start}"):
            yield
    except CellError as error:
        raise InputError(
            f"{file.name}: column '{column}' {error.what} at row {start + error.row}. "
            f"{error.advice}"
        ) from None
