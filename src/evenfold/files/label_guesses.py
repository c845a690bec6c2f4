"""Which columns hold labels, and what separates them within a cell, told from the first rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..exceptions import InputError
from .damage import explain_arrow_damage
from .datafile import DataFile
from .label_cells import (
    WRONG,
    CellError,
    can_be_label,
    is_list,
    is_text,
    list_text,
    looks_like_list,
    parse_cells,
    read_flags,
    read_lists,
)

_HEAD_ROWS = 10_000
_HEAD_BYTES = 64 << 20
_SEPARATORS = ("|", ";")
_LONGEST_LABEL = 50
_MOST_SHOWN = 12
# What columns of labels are called, in the singular.
_LABEL_WORDS = {
    "label",
    "tag",
    "genre",
    "category",
    "topic",
    "class",
    "target",
    "term",
    "annotation",
    "keyword",
    "code",
    "y",
}


def read_head(
    file: DataFile, columns: Sequence[str], to_guess: bool = False
) -> dict[str, pa.Array]:
    """Return the first rows of these columns, fewer where they are large; to guess, nulls where a column cannot be read."""
    batches, n_rows, n_bytes = [], 0, 0
    for batch in file.read_to_guess(columns) if to_guess else file.read_batches(columns):
        batches.append(batch)
        n_rows += batch.num_rows
        n_bytes += batch.nbytes
        if n_rows >= _HEAD_ROWS or n_bytes >= _HEAD_BYTES:
            break
    if not n_rows:
        raise file.holds_no("rows")
    head = pa.Table.from_batches(batches).slice(0, _HEAD_ROWS)
    return {name: head.column(name).combine_chunks() for name in columns}


def show_columns(names: Iterable[str]) -> str:
    """Name columns in an error, not more than can be read."""
    names = list(names)
    return ", ".join(names[:_MOST_SHOWN]) + (", …" if len(names) > _MOST_SHOWN else "")


def guess_columns(file: DataFile) -> tuple[list[str], str | None, str]:
    """Return the label columns, their separator and a sentence that says so, where the first rows leave no doubt.

    Notes
    -----
    The one column of lists is taken, unless others look as much like labels: one that is called so while this one is not, or several of 0 and 1.
    Where there are no lists, the one column of text whose cells are mostly cut by | or ; into short pieces that come again; otherwise all columns of
    0 and 1, if at most one other (an id, a text) is left over.
    """
    head = read_head(file, file.columns, to_guess=True)
    with explain_arrow_damage(file.name):
        lists = [name for name, cells in head.items() if _holds_label_lists(cells)]
        separator_of = {
            name: separator
            for name, cells in head.items()
            if (separator := find_sure_separator(cells))
        }
        flags = [name for name, cells in head.items() if holds_flags(cells)]
    named = [name for name in head if _is_called_labels(name)]
    if len(lists) == 1 and (lists[0] in named or (not named and len(flags) < 2)):
        return lists, None, f"No --labels given: '{lists[0]}' is read, the only column of lists."
    if not lists and len(separator_of) == 1:
        ((name, separator),) = separator_of.items()
        return (
            [name],
            separator,
            f"No --labels given: '{name}' is read, with its cells cut at '{separator}'.",
        )
    if flags and len(flags) >= len(head) - 1:
        return (
            flags,
            None,
            f"No --labels given: all columns of 0 and 1 are read: {show_columns(flags)}.",
        )
    raise _not_clear(file, lists, separator_of, flags, named)


def _is_called_labels(name: str) -> bool:
    """Tell names such as labels, Genres, category_ids."""
    word = name.lower().removesuffix("_ids").removesuffix("_id")
    return not _LABEL_WORDS.isdisjoint(
        {word, word.removesuffix("s"), word.removesuffix("es"), word.removesuffix("ies") + "y"}
    )


def _not_clear(
    file: DataFile,
    lists: list[str],
    separator_of: dict[str, str],
    flags: list[str],
    named: list[str],
) -> InputError:
    cut = [f"{name} ({separator})" for name, separator in separator_of.items()]
    other = [name for name in named if name not in {*lists, *separator_of, *flags}]
    kinds = {"lists": lists, "cells cut into labels": cut, "0 and 1": flags, "one called so": other}
    seen = "; ".join(f"{what}: {show_columns(names)}" for what, names in kinds.items() if names)
    if not (lists or cut or flags):
        return InputError(
            f"{file.name}: no column looks like labels. Columns: {show_columns(file.columns)}. Say with --labels which one holds them."
        )
    return InputError(
        f"{file.name}: which columns are labels is not clear. There are {seen}. Say with --labels which to take."
    )


def holds_flags(cells: pa.Array) -> bool:
    """Tell a column of 0 and 1, true and false, or text that says so, with or without gaps."""
    flags = read_flags(cells)
    return bool((flags >= 0).any() and (flags != WRONG).all())


def holds_list_text(cells: pa.Array) -> bool:
    """Tell a column of text such as ["a", "b"]."""
    texts = list_text(cells) if is_text(cells.type) else []
    return bool(texts) and all(looks_like_list(text) for text in texts)


def find_width(lengths: NDArray[np.int64], values: pa.Array) -> int | None:
    """Return the number of labels where lists are rows of a 0/1 matrix, None where they are lists of labels."""
    is_rectangular = len(lengths) > 0 and lengths[0] > 0 and (lengths == lengths[0]).all()
    return int(lengths[0]) if is_rectangular and holds_flags(values) else None


def find_separator(cells: pa.Array) -> str | None:
    """Return what separates labels in a column of text that is known to hold labels.

    Notes
    -----
    | and ; are not found in names of classes, so one cell is enough. A comma must leave fewer different labels than there are different cells.
    """
    texts = list_text(cells)
    n_cut = {separator: sum(separator in text for text in texts) for separator in _SEPARATORS}
    most = max(n_cut, key=n_cut.__getitem__)
    if n_cut[most]:
        return most
    return "," if len(set(_cut(texts, ","))) < len(set(texts)) else None


def _holds_label_lists(cells: pa.Array) -> bool:
    if not is_list(cells.type) and not holds_list_text(cells):
        return False
    try:
        lengths, values = read_lists(cells) if is_list(cells.type) else parse_cells(cells)
    except (CellError, pa.ArrowException):
        return False
    return len(values) > 0 and (
        can_be_label(values.type) or find_width(lengths, values) is not None
    )


def find_sure_separator(cells: pa.Array) -> str | None:
    """Return what separates labels in a column of text, where it leaves no doubt that it holds several in a cell."""
    texts = list_text(cells) if is_text(cells.type) else []
    for separator in _SEPARATORS:
        if 2 * sum(separator in text for text in texts) > len(texts):
            pieces = _cut(texts, separator)
            if (
                pieces
                and max(map(len, pieces)) <= _LONGEST_LABEL
                and 2 * len(set(pieces)) <= len(pieces)
            ):
                return separator
    return None


def _cut(texts: Iterable[str], separator: str) -> list[str]:
    return [piece.strip() for text in texts for piece in text.split(separator) if piece.strip()]
