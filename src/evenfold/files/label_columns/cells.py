"""Cells of a label column: text cut into labels, text that is a list, values that are classes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..._checks.values import show_value
from ...labels.arrow_cells import (
    Lists,
    as_text,
    is_bytes,
    is_text,
    read_lists,
    remove_texts,
)
from ...labels.column_rules import find_fractions, parse_list


class CellError(Exception):
    """A cell that cannot be read; the caller knows its path and column.

    Parameters
    ----------
    row : int
        The row within the batch.
    what : str
        What the cell holds.
    advice : str
        What to do.
    """

    def __init__(self, row: int, what: str, advice: str) -> None:
        self.row, self.what, self.advice = row, what, advice


def has_null(values: pa.Array) -> bool:
    """Tell whether a value is missing, or stands for a missing one in a dictionary."""
    if pa.types.is_dictionary(values.type) and values.dictionary.null_count:
        return bool(pc.any(pc.is_null(values.dictionary.take(values.indices))).as_py())
    return bool(values.null_count)


def decode_bytes(cells: pa.Array) -> pa.Array:
    """Return bytes as text, and all else as it is."""
    if not is_bytes(cells.type):
        return cells
    try:
        return cells.cast(pa.large_binary()).cast(pa.large_string())
    except pa.ArrowInvalid:
        row = next(row for row, cell in enumerate(cells.to_pylist()) if not _is_utf8(cell))
        raise CellError(
            row,
            f"holds bytes that are not UTF-8, {show_value(cells[row].as_py())},",
            "Write it as text, or name another column.",
        ) from None


def _is_utf8(cell: bytes | None) -> bool:
    try:
        return cell is None or cell.decode() is not None
    except UnicodeDecodeError:
        return False


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
    for code, cell in enumerate(coded.dictionary.to_pylist()):
        parsed = parse_list(cell)
        if parsed is None:
            raise CellError(
                pc.index(coded.indices, code).as_py(),
                f"holds {show_value(cell)}, which is no list like the cells before it,",
                """Write it as ["a", "b"], or give --separator '' for classes.""",
            )
        lists.append(parsed)
    try:
        kind = None if lists else pa.list_(pa.string())
        return read_lists(pa.array(lists, kind, from_pandas=True).take(coded.indices))
    except (pa.ArrowException, OverflowError):
        raise CellError(
            pc.index(coded.indices, _find_other_kind(lists)).as_py(),
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


def read_classes(cells: pa.Array) -> pa.Array:
    """Return text, whole numbers, true and false, which can name classes; null where missing."""
    if pa.types.is_floating(cells.type):
        numbers = cells.to_numpy(zero_copy_only=False)
        odd = find_fractions(numbers)
        if odd.size:
            raise CellError(
                int(odd[0]),
                f"holds {numbers[odd[0]].item()!r}, which is no class,",
                "Cut a column of numbers into classes first.",
            )
        known = ~np.isnan(numbers)
        return pa.array(np.where(known, numbers, 0).astype(np.int64), mask=~known)
    if is_text(cells.type):
        texts = as_text(cells)
        return remove_texts(texts, pc.equal(pc.utf8_trim_whitespace(texts), ""))
    return cells
