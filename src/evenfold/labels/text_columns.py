"""Columns of text → Entries: 0 and 1, lists, cells cut at a separator, classes."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from .._checks.assumptions import warn_of_assumption
from .._checks.values import show_value
from ..exceptions import InputError
from .classes import CodedColumn, make_class_entries
from .column_rules import (
    HEAD_ROWS,
    UNKNOWN,
    WRONG,
    Certainty,
    cut_text,
    find_separator,
    flag_of_word,
    holds_list_text,
    holds_only_flags,
    parse_list,
)
from .entries import Entries, as_positions, check_has_rows
from .lists import read_rows
from .matrices import not_binary, read_dense

_FROM_CLASSES = "evenfold.labels.from_classes(y)"


def read_single_column(column: CodedColumn, name: Any = None) -> Entries:
    """Read a column that is alone: lists where its text holds several labels, else classes.

    Parameters
    ----------
    column : CodedColumn
        The column.
    name : Any, default=None
        Its name in a matrix, where classes are named column=value; None for a 1-D column.

    Returns
    -------
    Entries
        The labels.
    """
    if not column.holds_text:
        return make_class_entries(column, name)
    head = list(count_head(column))
    if holds_list_text(head):
        entries = read_text_lists(column, None)
        warn_of_assumption(
            f"'y' is text such as {show_value(head[0])}: each cell was read as a list of labels. "
            f"To be explicit, pass evenfold.labels.from_text(y), or {_FROM_CLASSES} "
            "if each cell is one class."
        )
        return entries
    separator = find_separator(head)
    if separator is None:
        return make_class_entries(column, name)
    from_text = f"evenfold.labels.from_text(y, separator={separator.text!r})"
    such_as = f"text such as {show_value(separator.example)}"
    if separator.certainty is Certainty.UNSURE:
        raise InputError(
            f"holds {such_as}, which may be one class or several labels separated by "
            f"{separator.text!r}. Pass {_FROM_CLASSES} for classes, or {from_text} for labels.",
            parameter="y",
        )
    if separator.certainty is Certainty.WHOLE:
        warn_of_assumption(
            f"'y' holds {such_as}: each cell was read as one class. To be explicit, pass "
            f"{_FROM_CLASSES}, or {from_text} if {separator.text!r} separates labels."
        )
        return make_class_entries(column, name)
    entries = read_text_lists(column, separator.text)
    warn_of_assumption(
        f"'y' holds {such_as}: each cell was cut at {separator.text!r}, into "
        f"{len(entries.names):,} labels in all. To be explicit, pass {from_text}, "
        f"or {_FROM_CLASSES} if each cell is one class."
    )
    return entries


def read_only_column(column: CodedColumn, name: Any, *, is_whole: bool) -> Entries:
    """Read the only column of a frame: one label if it holds 0 and 1 only, else as one column.

    Parameters
    ----------
    column : CodedColumn
        The column.
    name : Any
        Its name.
    is_whole : bool
        Whether its cells are one class each, whatever their text.

    Returns
    -------
    Entries
        The labels, as the only label column of a file gives them.
    """
    if holds_only_flags(map(str, column.values)):
        return read_flag_column(column, name)
    if is_whole:
        return make_class_entries(column)
    _warn_of_classes_among_flags(column, name)
    return read_single_column(column)


def _warn_of_classes_among_flags(column: CodedColumn, name: Any) -> None:
    """Warn if most cells are 0 and 1 but a few are not, so that each value is a class."""
    flags = _flags_of_rows(column)[:HEAD_ROWS]
    wrong = np.flatnonzero(flags == WRONG)
    if 0 < wrong.size < (flags >= 0).sum() - wrong.size:
        value = column.values[column.code_of_row[wrong[0]]]
        warn_of_assumption(
            f"'y' column {name!r} holds {show_value(value)} at row {wrong[0]} besides 0 and 1: "
            "each value was read as one class. To be explicit, pass "
            f"{_FROM_CLASSES}, or correct the value."
        )


def _flags_of_rows(column: CodedColumn) -> NDArray[np.int8]:
    """Return 0, 1, UNKNOWN or WRONG for each row."""
    flags = np.array([*(flag_of_word(str(value)) for value in column.values), UNKNOWN], np.int8)
    return flags[column.code_of_row]


def read_text_lists(column: CodedColumn, separator: str | None) -> Entries:
    """Read several labels from each cell, cut at a separator, or as a list where that is None."""
    check_has_rows(len(column.code_of_row))
    if separator is None:
        lists = [_parse(text, code, column) for code, text in enumerate(column.values)]
        # A missing cell is the empty list at the end.
        return read_rows([[*lists, []][code] for code in column.code_of_row.tolist()])
    # Each different cell is cut once.
    cells = read_rows([*(cut_text(text, separator) for text in column.values), []])
    by_cell = scipy.sparse.csr_array(
        (np.ones(len(cells.indices), np.int8), cells.indices, cells.indptr),
        shape=(len(column.values) + 1, len(cells.names)),
    )
    return Entries(*as_positions(by_cell[column.code_of_row]), cells.names)


def _parse(text: str, code: int, column: CodedColumn) -> list[Any]:
    parsed = parse_list(text)
    if parsed is None:
        row = np.flatnonzero(column.code_of_row == code)[0]
        raise InputError(
            f"holds {show_value(text)} at row {row}, which is no list like the other cells. "
            'Write it as ["a", "b"], or pass classes to evenfold.labels.from_classes.',
            parameter="y",
        )
    return parsed


def read_flag_column(column: CodedColumn, name: Any) -> Entries:
    """Read values that stand for 0 and 1; missing cells are unknown."""
    flags = _flags_of_rows(column)
    wrong = np.flatnonzero(flags == WRONG)
    if wrong.size:
        value = column.values[column.code_of_row[wrong[0]]]
        raise not_binary(wrong.size, value, wrong[0], name)
    numbers = np.where(flags == UNKNOWN, np.nan, flags)
    return read_dense(numbers.reshape(-1, 1), [name])


def count_head(column: CodedColumn) -> Counter[str]:
    """Return how often each value is in the first rows, as text."""
    head = column.code_of_row[:HEAD_ROWS]
    codes, counts = np.unique(head[head >= 0], return_counts=True)
    return Counter(
        {
            str(column.values[code]): count
            for code, count in zip(codes.tolist(), counts.tolist(), strict=True)
        }
    )
