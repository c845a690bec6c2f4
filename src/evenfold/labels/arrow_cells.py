"""Cells of Arrow columns: what kind they are of, 0 and 1, lists."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from .column_rules import UNKNOWN, WRONG, flag_of_word, holds_list_text, is_flag_column

# Lengths of the lists, and their values one after the other.
Lists = tuple[NDArray[Any], pa.Array]


def is_text(kind: pa.DataType) -> bool:
    """Tell whether a column holds strings, as values or as categories."""
    if pa.types.is_dictionary(kind):
        return is_text(kind.value_type)
    return bool(
        pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    )


def is_bytes(kind: pa.DataType) -> bool:
    """Tell whether a column holds bytes, as values or as categories."""
    if pa.types.is_dictionary(kind):
        return is_bytes(kind.value_type)
    types = pa.types
    return bool(
        types.is_binary(kind)
        or types.is_large_binary(kind)
        or types.is_fixed_size_binary(kind)
        or types.is_binary_view(kind)
    )


def is_list(kind: pa.DataType) -> bool:
    """Tell whether a column holds lists of any kind."""
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
    """Tell whether a column can hold 0 and 1."""
    return bool(
        pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)
    )


def can_be_label(kind: pa.DataType) -> bool:
    """Tell whether values of a type can name labels; a column without values has the type null."""
    if pa.types.is_dictionary(kind):
        return can_be_label(kind.value_type)
    return is_text(kind) or bool(pa.types.is_integer(kind) or pa.types.is_null(kind))


def as_text(cells: Any) -> Any:
    """Return strings in a form that Arrow can cut."""
    return (
        cells
        if pa.types.is_string(cells.type) or pa.types.is_large_string(cells.type)
        else cells.cast(pa.large_string())
    )


def remove_texts(texts: pa.Array, is_removed: pa.Array) -> pa.Array:
    """Return text with nulls in place of some cells."""
    # Before pyarrow 24, a scalar in place of these nulls would make other texts of a slice.
    return pc.if_else(is_removed, pa.nulls(len(texts), texts.type), texts)


def count_words(cells: pa.Array) -> Counter[str]:
    """Return how often each text is in a column of text, missing cells aside."""
    counted = as_text(cells).drop_null().value_counts()
    return Counter(
        dict(zip(counted.field(0).to_pylist(), counted.field(1).to_pylist(), strict=True))
    )


def read_flags(cells: pa.Array) -> NDArray[np.int8]:
    """Return 0, 1, UNKNOWN where null, NaN or blank, and WRONG for all else."""
    if pa.types.is_null(cells.type):
        return np.full(len(cells), UNKNOWN, np.int8)
    if is_text(cells.type):
        words = as_text(cells).dictionary_encode()
        place: NDArray[np.int32] = pc.fill_null(words.indices, -1).to_numpy(zero_copy_only=False)
        flags = [flag_of_word(word) for word in words.dictionary.to_pylist()]
        return np.array([*flags, UNKNOWN], np.int8)[place]
    if pa.types.is_dictionary(cells.type):
        cells = cells.dictionary_decode()
    if not is_number(cells.type):
        return np.full(len(cells), WRONG, np.int8)
    numbers = (cells.cast(pa.int8()) if pa.types.is_boolean(cells.type) else cells).to_numpy(
        zero_copy_only=False
    )
    flag_of_row = np.full(len(numbers), WRONG, np.int8)
    flag_of_row[numbers == 0] = 0
    flag_of_row[numbers == 1] = 1
    if numbers.dtype.kind == "f":
        flag_of_row[np.isnan(numbers)] = UNKNOWN
    return flag_of_row


def holds_flags(cells: pa.Array) -> bool:
    """Tell whether every cell that is not missing is 0 or 1, and there is such a cell."""
    flags = read_flags(cells)
    return bool((flags >= 0).any() and (flags != WRONG).all())


def must_hold_flags(cells: pa.Array) -> bool:
    """Tell whether a column must hold 0 and 1 if it is one of several label columns."""
    if is_text(cells.type) and not pa.types.is_dictionary(cells.type):
        return is_flag_column(count_words(cells))
    return is_number(cells.type) or holds_flags(cells)


def is_list_text(cells: pa.Array) -> bool:
    """Tell whether a column holds text such as ["a", "b"]."""
    return is_text(cells.type) and holds_list_text(count_words(cells))


def read_lists(cells: pa.Array) -> Lists:
    """Read a column of lists; null is an empty one."""
    if pa.types.is_null(cells.type):
        return np.zeros(len(cells), np.int32), pa.nulls(0)
    lengths = pc.list_value_length(cells)
    if lengths.null_count:
        lengths = pc.fill_null(lengths, 0)
    return lengths.to_numpy(zero_copy_only=False), pc.list_flatten(cells)


def find_width(lengths: NDArray[Any], values: pa.Array) -> int | None:
    """Return the number of labels where lists are rows of a 0/1 matrix, else None."""
    is_rectangular = len(lengths) > 0 and lengths[0] > 0 and (lengths == lengths[0]).all()
    if not is_rectangular or is_text(values.type) or not holds_flags(values):
        return None
    return int(lengths[0])
