"""Which columns of a file hold labels, guessed from the first rows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..._checks.values import show_value
from ...exceptions import InputError
from ...labels.arrow_cells import (
    as_text,
    can_be_label,
    count_words,
    find_width,
    holds_flags,
    is_list,
    is_list_text,
    is_text,
    read_flags,
    read_lists,
)
from ...labels.column_rules import (
    HEAD_ROWS,
    RARE_SEPARATORS,
    WRONG,
    Certainty,
    find_separator,
    holds_list_text,
    parse_list,
)
from ..arrow_types import count_bytes
from ..damage import explain_arrow_damage
from ..datafile import DataFile
from ..memory import check_columns
from ..named_columns import show_columns
from .cells import CellError, parse_cells

# Fewer rows are looked at where they are large, such as images.
_HEAD_BYTES = 64 << 20
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

# Words for true and false that are not taken for 1 and 0.
_ANSWERS = {"yes", "no", "y", "n", "t", "f"}


def read_head(
    file: DataFile, columns: Sequence[str], to_guess: bool = False
) -> dict[str, pa.Array]:
    """Return the first rows of some columns.

    Parameters
    ----------
    file : DataFile
        The file.
    columns : sequence of str
        Its columns to read.
    to_guess : bool, default=False
        Whether a column that cannot be read becomes nulls, since no user named it.

    Returns
    -------
    dict of str to pyarrow.Array
        The first 10,000 cells of each column, fewer where they are large.
    """
    check_columns(file.name, columns)
    batches, n_rows, n_bytes = [], 0, 0
    for batch in file.read_to_guess(columns) if to_guess else file.read_batches(columns):
        batches.append(batch)
        n_rows += batch.num_rows
        n_bytes += count_bytes(batch)
        if n_rows >= HEAD_ROWS or n_bytes >= _HEAD_BYTES:
            break
    if not n_rows:
        raise file.holds_no("rows")
    head = pa.Table.from_batches(batches).slice(0, HEAD_ROWS)
    return {name: head.column(name).combine_chunks() for name in columns}


def guess_columns(file: DataFile, apart: Collection[str] = ()) -> tuple[list[str], str | None, str]:
    """Guess the label columns, where the first rows leave no doubt.

    Parameters
    ----------
    file : DataFile
        The file.
    apart : collection of str, default=()
        Columns that are something else, such as groups or parts.

    Returns
    -------
    list of str
        The label columns.
    str or None
        What separates the labels of a cell.
    str
        A sentence that says what was guessed.

    Raises
    ------
    InputError
        If the columns leave a doubt.

    Notes
    -----
    The only column of lists is taken, unless other columns look as much like labels: a column has a
    name such as labels and this one does not, or several columns hold 0 and 1.
    If there are no lists, the only column of text is taken that has a sure separator, | or ;, in
    most of its different cells. Otherwise all columns of 0 and 1 are taken, if there is at most one
    other column (an id, a text), but not one of 0 and 1 with a few other values.
    """
    columns = [name for name in file.columns if name not in apart]
    head = read_head(file, columns or file.columns, to_guess=True)
    with explain_arrow_damage(file.name):
        lists = [name for name, cells in head.items() if _holds_label_lists(cells)]
        separator_of = {
            name: separator
            for name, cells in head.items()
            if (separator := _find_plain_separator(cells))
        }
        flags = [name for name, cells in head.items() if holds_flags(cells)]
    named = [name for name in head if is_called_labels(name)]
    if len(lists) == 1 and (lists[0] in named or (not named and len(flags) < 2)):
        return lists, None, f"No --labels given: '{lists[0]}' is read, the only column of lists."
    if not lists and len(separator_of) == 1:
        ((name, separator),) = separator_of.items()
        said = f"No --labels given: '{name}' is read, with its cells cut at '{separator}'."
        return [name], separator, said
    spoilt = _find_spoilt(file, head)
    if flags and len(flags) >= len(head) - 1 and not spoilt:
        said = f"No --labels given: all columns of 0 and 1 are read: {show_columns(flags)}."
        return flags, None, said
    spoilt = spoilt or _find_answers(file, head)
    raise _not_clear(file, head, lists, separator_of, flags, named, spoilt)


def is_called_labels(name: str) -> bool:
    """Tell whether a name is one such as labels, Genres, category_ids."""
    word = name.lower().removesuffix("_ids").removesuffix("_id")
    return not _LABEL_WORDS.isdisjoint(
        {word, word.removesuffix("s"), word.removesuffix("es"), word.removesuffix("ies") + "y"}
    )


def _not_clear(
    file: DataFile,
    columns: Iterable[str],
    lists: list[str],
    separator_of: dict[str, str],
    flags: list[str],
    named: list[str],
    spoilt: str,
) -> InputError:
    cut = [f"{name} ({separator})" for name, separator in separator_of.items()]
    known, called = {*lists, *separator_of, *flags}, set(named)
    plain = [name for name in columns if name not in known]
    other = [name for name in plain if name in called]
    kinds = {
        "lists": lists,
        "cells cut into labels": cut,
        "0 and 1": flags,
        "named like labels": other,
        "others": [name for name in plain if name not in called] if flags else [],
    }
    seen = "; ".join(f"{what}: {show_columns(names)}" for what, names in kinds.items() if names)
    if not (lists or cut or flags):
        return InputError(
            f"{file.name}: no column looks like labels. Columns: {show_columns(file.columns)}. "
            f"{spoilt}Say with --labels which one holds them."
        )
    return InputError(
        f"{file.name}: which columns are labels is not clear. There are {seen}. {spoilt}"
        "Say with --labels which to take."
    )


def _find_spoilt(file: DataFile, head: dict[str, pa.Array]) -> str:
    """Return a sentence about the first column that would look like labels but for few values."""
    with explain_arrow_damage(file.name):
        for name, cells in head.items():
            for what, is_wrong, n_right in _judge_cells(cells):
                if 0 < is_wrong.sum() < n_right:
                    row = int(is_wrong.argmax())
                    value = show_value(cells[row].as_py())
                    return f"Column '{name}' holds {value} at row {row}, and otherwise {what}. "
    return ""


def _find_answers(file: DataFile, head: dict[str, pa.Array]) -> str:
    """Return a sentence about the first column of yes and no, which are no 0 and 1."""
    with explain_arrow_damage(file.name):
        for name, cells in head.items():
            words = {word.strip() for word in count_words(cells)} if is_text(cells.type) else set()
            known = sorted(words - {""})
            if known and {word.lower() for word in known} <= _ANSWERS:
                return f"Column '{name}' holds {' and '.join(map(repr, known))}, not 0 and 1. "
    return ""


def _judge_cells(cells: pa.Array) -> list[tuple[str, NDArray[np.bool_], int]]:
    """Return what a column may hold, which cells hold something else, and how many hold it."""
    if is_list(cells.type):
        return []
    flags = read_flags(cells)
    found = [("0 and 1", flags == WRONG, int(((flags == 0) | (flags == 1)).sum()))]
    if is_text(cells.type):
        texts = [text or "" for text in as_text(cells).to_pylist()]
        is_list_cell = np.array([holds_list_text([text]) for text in texts], bool)
        is_wrong = np.array([parse_list(text) is None for text in texts], bool)
        found.append(("lists", is_wrong, int((is_list_cell & ~is_wrong).sum())))
    return found


def _find_plain_separator(cells: pa.Array) -> str | None:
    """Return | or ; where it is a sure separator and in most of the different cells."""
    if not is_text(cells.type):
        return None
    texts = [text for text in count_words(cells) if text.strip()]
    found = find_separator(texts)
    if found is None or found.certainty is not Certainty.SURE or found.text not in RARE_SEPARATORS:
        return None
    return found.text if 2 * sum(found.text in text for text in texts) > len(texts) else None


def _holds_label_lists(cells: pa.Array) -> bool:
    if not is_list(cells.type) and not is_list_text(cells):
        return False
    try:
        lengths, values = read_lists(cells) if is_list(cells.type) else parse_cells(cells)
    except (CellError, pa.ArrowException):
        return False
    return len(values) > 0 and (
        can_be_label(values.type) or find_width(lengths, values) is not None
    )
