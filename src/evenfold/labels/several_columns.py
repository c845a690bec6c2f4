"""Several columns of one table → Entries: a label of each column of 0 and 1, or of each value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from .._checks.assumptions import warn_of_assumption
from .._checks.values import show_value
from ..exceptions import InputError
from .classes import CodedColumn, make_class_entries
from .column_rules import (
    Certainty,
    Separator,
    explain_text_among_flags,
    find_separator,
    holds_only_flags,
    is_flag_column,
)
from .entries import Entries, join_columns
from .text_columns import count_head, read_flag_column, read_single_column


class NamedColumn(NamedTuple):
    """The labels of one of several columns.

    Attributes
    ----------
    name : Any
        The name of the column.
    entries : Entries
        Its labels.
    holds_flags : bool
        Whether it holds 0 and 1.
    text : str or None
        One of its values if it holds other text, and its type does not say that these are classes.
    separator : Separator or None
        What may separate several labels in its cells, which are not cut.
    """

    name: Any
    entries: Entries
    holds_flags: bool = False
    text: str | None = None
    separator: Separator | None = None


def read_named_column(
    column: CodedColumn,
    name: Any,
    *,
    is_category: bool = False,
    is_whole: bool = False,
    is_single: bool = False,
) -> NamedColumn:
    """Read a column of a frame or matrix: one label where it holds 0 and 1, else one per value.

    Parameters
    ----------
    column : CodedColumn
        The column.
    name : Any
        Its name.
    is_category : bool, default=False
        Whether its type says that it holds classes.
    is_whole : bool, default=False
        Whether its cells are one class each, whatever their text.
    is_single : bool, default=False
        Whether there are no other columns, so that its cells may be cut.

    Returns
    -------
    NamedColumn
        The labels.
    """
    count_of_word = count_head(column)
    may_be_text = not (is_category or is_whole)
    if holds_only_flags(count_of_word) or (may_be_text and is_flag_column(count_of_word)):
        return NamedColumn(name, read_flag_column(column, name), holds_flags=True)
    if is_whole or not column.holds_text:
        return NamedColumn(name, make_class_entries(column, name))
    if is_single:
        return NamedColumn(name, read_single_column(column, name))
    text = column.values[0] if may_be_text else None
    separator = find_separator(count_of_word)
    return NamedColumn(name, make_class_entries(column, name), text=text, separator=separator)


def join_named_columns(columns: Sequence[NamedColumn]) -> Entries:
    """Join the labels of several columns; refuse text if other columns hold 0 and 1.

    Warn of cells that may hold several labels.
    """
    if any(column.holds_flags for column in columns):
        text = next((column for column in columns if column.text is not None), None)
        if text is not None:
            raise InputError(explain_text_among_flags(text.name, text.text), parameter="y")
    for column in columns:
        separator = column.separator
        if separator is not None and separator.certainty is not Certainty.WHOLE:
            warn_of_assumption(
                f"'y' column {column.name!r} holds text such as {show_value(separator.example)}: "
                "each cell was read as one class. Pass the column alone to have it cut at "
                f"{separator.text!r}."
            )
    return join_columns([column.entries for column in columns])
