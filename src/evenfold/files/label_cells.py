"""What the cells of a column hold: 0 and 1, lists, text that stands for a list, classes."""

from __future__ import annotations

import ast
import json
import warnings
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from .._checks.values import shorten

# Lengths of the lists, and what is in them one after the other.
Lists = tuple[NDArray[Any], pa.Array]

UNKNOWN, WRONG = -1, 2
_FLAG_OF_WORD = {"0": 0, "0.0": 0, "false": 0, "1": 1, "1.0": 1, "true": 1, "": UNKNOWN}


class CellError(Exception):
    """A cell that cannot be read; whoever knows path and column says so."""

    def __init__(self, row: int, what: str, advice: str) -> None:
        self.row, self.what, self.advice = row, what, advice


def is_text(kind: pa.DataType) -> bool:
    """Tell columns of strings, as values or as categories."""
    if pa.types.is_dictionary(kind):
        return is_text(kind.value_type)
    return bool(
        pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    )


def is_list(kind: pa.DataType) -> bool:
    """Tell columns of lists of any kind."""
    types = pa.types
    tests = (
        types.is_list,
        types.is_large_list,
        types.is_fixed_size_list,
        types.is_list_view,
        types.is_large_list_view,
    )
    return any(test(kind) for test in tests)


def is_number(kind: pa.DataType) -> bool:
    """Tell columns that can be 0 and 1."""
    return bool(
        pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)
    )


def can_be_label(kind: pa.DataType) -> bool:
    """Tell types of values that name labels; of no type are values where there are none."""
    if pa.types.is_dictionary(kind):
        return can_be_label(kind.value_type)
    return is_text(kind) or bool(pa.types.is_integer(kind) or pa.types.is_null(kind))


def has_null(values: pa.Array) -> bool:
    """Tell whether a value is missing, or stands for a missing one in a dictionary."""
    if pa.types.is_dictionary(values.type) and values.dictionary.null_count:
        return bool(pc.any(pc.is_null(values.dictionary.take(values.indices))).as_py())
    return bool(values.null_count)


def as_text(cells: Any) -> Any:
    """Return strings in a form that Arrow can cut."""
    return (
        cells
        if pa.types.is_string(cells.type) or pa.types.is_large_string(cells.type)
        else cells.cast(pa.large_string())
    )


def list_text(cells: Any) -> list[str]:
    """Return the cells of a text column that are not empty."""
    return [cell.strip() for cell in as_text(cells).to_pylist() if cell and cell.strip()]


def read_flags(cells: pa.Array) -> NDArray[np.int8]:
    """Return 0, 1, UNKNOWN where null, NaN or empty, and WRONG for all else."""
    if pa.types.is_null(cells.type):
        return np.full(len(cells), UNKNOWN, np.int8)
    if is_text(cells.type):
        words = as_text(cells).dictionary_encode()
        place: NDArray[np.int32] = pc.fill_null(words.indices, -1).to_numpy(zero_copy_only=False)
        flags = [
            _FLAG_OF_WORD.get(word.strip().lower(), WRONG) for word in words.dictionary.to_pylist()
        ]
        return np.array([*flags, UNKNOWN], np.int8)[place]
    if not is_number(cells.type):
        return np.full(len(cells), WRONG, np.int8)
    numbers = (cells.cast(pa.int8()) if pa.types.is_boolean(cells.type) else cells).to_numpy(
        zero_copy_only=False
    )
    flags_of_row = np.full(len(numbers), WRONG, np.int8)
    flags_of_row[numbers == 0] = 0
    flags_of_row[numbers == 1] = 1
    if numbers.dtype.kind == "f":
        flags_of_row[np.isnan(numbers)] = UNKNOWN
    return flags_of_row


def is_flag(value: Any) -> bool:
    """Tell whether a value stands for 0 or 1."""
    return str(value).strip().lower() in _FLAG_OF_WORD


def read_lists(cells: pa.Array) -> Lists:
    """Read a column of lists; null is an empty one."""
    lengths = pc.list_value_length(cells)
    if lengths.null_count:
        lengths = pc.fill_null(lengths, 0)
    return lengths.to_numpy(zero_copy_only=False), pc.list_flatten(cells)


def split_cells(cells: pa.Array, separator: str) -> Lists:
    """Cut text at the separator; blanks around a piece and empty pieces do not count."""
    lengths, pieces = read_lists(pc.split_pattern(as_text(cells), separator))
    # Blanks are looked for in each different piece once.
    coded = pieces.dictionary_encode()
    texts = pc.utf8_trim_whitespace(coded.dictionary)
    pieces = pa.DictionaryArray.from_arrays(coded.indices, texts)
    is_full = pc.not_equal(texts, "").to_numpy(zero_copy_only=False)
    if is_full.all():
        return lengths, pieces
    is_full = is_full[coded.indices.to_numpy()]
    n_full_before = np.concatenate(([0], np.cumsum(is_full)))
    return np.diff(n_full_before[np.cumsum(lengths)], prepend=0), pieces.filter(pa.array(is_full))


def parse_cells(cells: pa.Array) -> Lists:
    """Read text such as ["a", "b"] or ['a', 'b'], as JSON or Python writes lists."""
    coded = as_text(cells).dictionary_encode()
    lists: list[list[Any]] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python warns of a backslash in text that it evaluates
        for code, cell in enumerate(coded.dictionary.to_pylist()):
            parsed = _parse(cell)
            if parsed is None:
                row = pc.index(coded.indices, code).as_py()
                raise CellError(
                    row,
                    f"holds {shorten(cell)}, which is no list like the cells before it,",
                    'Write it as ["a", "b"].',
                )
            lists.append(parsed)
    try:
        return read_lists(
            pa.array(lists, None if lists else pa.list_(pa.string()), from_pandas=True).take(
                coded.indices
            )
        )
    except (pa.ArrowException, OverflowError):
        row = pc.index(coded.indices, _find_other_kind(lists)).as_py()
        raise CellError(
            row,
            "holds labels of several kinds, or numbers too large,",
            "Write all labels in quotes, or none.",
        ) from None


def _find_other_kind(lists: list[list[Any]]) -> int:
    """Return which list is the first with both text and something else before or in it."""
    found: set[bool] = set()
    for at, own in enumerate(lists):
        found |= {isinstance(value, str) for value in own}
        if len(found) > 1:
            return at
    return 0


def looks_like_list(cell: str) -> bool:
    """Tell text in square brackets."""
    return cell.startswith("[") and cell.endswith("]")


def _parse(cell: str) -> list[Any] | None:
    cell = cell.strip()
    if not cell:
        return []
    if not looks_like_list(cell):
        return None
    for read in (json.loads, ast.literal_eval):
        try:
            return list(read(cell))
        except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
            continue
    return None


def read_classes(cells: pa.Array) -> pa.Array:
    """Return values that can name a class, null where there is none: text, whole numbers, true and false."""
    if pa.types.is_floating(cells.type):
        numbers = cells.to_numpy(zero_copy_only=False)
        known = ~np.isnan(numbers)
        odd = np.flatnonzero(known & ((numbers != np.floor(numbers)) | (np.abs(numbers) > 2.0**53)))
        if odd.size:
            raise CellError(
                int(odd[0]),
                f"holds {numbers[odd[0]].item()!r}, which is no class,",
                "Cut a column of numbers into classes first.",
            )
        return pa.array(np.where(known, numbers, 0).astype(np.int64), mask=~known)
    if is_text(cells.type):
        texts = as_text(cells)
        return pc.if_else(pc.equal(pc.utf8_trim_whitespace(texts), ""), None, texts)
    return cells
