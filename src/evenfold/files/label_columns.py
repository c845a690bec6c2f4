"""The labels of a file whose columns hold them: which columns, and what is in them."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from fnmatch import fnmatchcase
from functools import partial
from typing import NamedTuple

import pyarrow as pa

from ..exceptions import InputError
from ..labels.labels import Labels
from .damage import explain_arrow_damage
from .datafile import DataFile
from .label_cells import (
    CellError,
    is_list,
    is_number,
    is_text,
    parse_cells,
    read_lists,
    split_cells,
)
from .label_guesses import (
    find_separator,
    find_sure_separator,
    find_width,
    guess_columns,
    holds_flags,
    holds_list_text,
    read_head,
    show_columns,
)
from .label_reading import (
    ListReader,
    read_binary_lists,
    read_class_column,
    read_columns,
    read_list_column,
)


class LabelChoice(NamedTuple):
    """Where the labels are.

    Attributes
    ----------
    columns : the label columns, in the order of the file
    separator : what separates labels within a cell, where the one column is text of several labels
    guessed : a sentence for the user about what was guessed, empty where nothing was
    """

    columns: list[str]
    separator: str | None = None
    guessed: str = ""


def choose_label_columns(file: DataFile, labels: Sequence[str] | None) -> LabelChoice:
    """Find the columns that hold the labels.

    Parameters
    ----------
    file : has columns
    labels : names or shell patterns (`genre_*`), each of which must be there; None takes what the format says, or guesses where that is safe

    Notes
    -----
    What separates labels within the cells of a single column of text is told from the first 10,000 rows: | or ; wherever they occur, a comma
    where cutting leaves fewer different labels than there are different cells. `choice._replace(separator=...)` overrules it.
    """
    if not labels and not file.label_columns:
        return LabelChoice(*guess_columns(file))
    chosen = (
        {name for pattern in labels for name in match_columns(file, pattern, "--labels")}
        if labels
        else set(file.label_columns)
    )
    columns = [name for name in file.columns if name in chosen]
    if len(columns) > 1:
        return LabelChoice(columns, guessed=_say_uncut(file, columns))
    cells = read_head(file, columns)[columns[0]]
    with explain_arrow_damage(file.name, f"cannot be read in column {columns[0]}"):
        if not is_text(cells.type) or holds_flags(cells) or holds_list_text(cells):
            return LabelChoice(columns)
        separator = find_separator(cells)
    how = f"is cut at '{separator}'" if separator else "is one label, whole"
    return LabelChoice(columns, separator, f"Each cell of '{columns[0]}' {how}.")


def _say_uncut(file: DataFile, columns: Sequence[str]) -> str:
    """Say which of several columns look as if their cells held several labels each: only a single one is cut."""
    separator_of = {
        name: separator
        for name, cells in read_head(file, columns).items()
        if (separator := find_sure_separator(cells))
    }
    if not separator_of:
        return ""
    name, separator = next(iter(separator_of.items()))
    return f"Each cell of {show_columns(separator_of)} is one label, whole, though '{separator}' may part several. Name '{name}' alone to have it cut."


def read_labels(file: DataFile, choice: LabelChoice) -> Labels:
    """Read the labels from the columns chosen, the same as `make_labels` makes of these columns in memory.

    Notes
    -----
    One column of lists, of text cut by the separator, or of text such as ["a", "b"]: the labels are what the lists hold, names sorted;
    lists of one length of 0 and 1 are a matrix. One column of anything else: one class per row.
    Several columns, or one of 0 and 1: each column of 0 and 1 (true, false, 1.0 …) is a label, each value of any other is one, named column=value.
    A gap is no label, and unknown in a column of 0 and 1. A text column counts as one of 0 and 1 if its first 10,000 rows do.
    """
    head = read_head(file, choice.columns)
    column, *others = choice.columns
    if choice.separator and (others or not is_text(head[column].type)):
        raise InputError(
            f"{file.name}: a separator cuts one column of text, got '{choice.separator}' for {show_columns(choice.columns)}. "
            "Leave out the separator, or name one column of text."
        )
    with explain_arrow_damage(
        file.name, f"cannot be read in column {show_columns(choice.columns)}"
    ):
        if others:
            return read_columns(
                file,
                choice.columns,
                [is_number(cells.type) or holds_flags(cells) for cells in head.values()],
            )
        to_lists = _choose_list_reader(head[column], choice.separator)
        if to_lists is None:
            return read_class_column(file, column)
        width = _find_width(head[column], to_lists)
        labels = None if width is None else read_binary_lists(file, column, to_lists, width)
        return read_list_column(file, column, to_lists) if labels is None else labels


def read_column(file: DataFile, name: str, option: str) -> pa.ChunkedArray:
    """Read one whole column, of groups, ids or parts; `option` names what asked for it in the error that there is none."""
    check_column(file, name, option)
    chunks = [batch.column(0) for batch in file.read_batches([name])]
    return pa.chunked_array(chunks) if chunks else pa.chunked_array([pa.nulls(0)])


def check_column(file: DataFile, name: str, option: str) -> None:
    """Refuse a name that no column has, and say which there are."""
    if name not in file.columns:
        file = file.find_lacking(name)
        known = {column.casefold(): column for column in file.columns}
        close = difflib.get_close_matches(name.casefold(), known, n=1)
        hint = f" Did you mean '{known[close[0]]}'?" if close else ""
        raise InputError(
            f"{option} '{name}' is not a column of {file.name}. Columns: {show_columns(file.columns)}.{hint}"
        )


def match_columns(file: DataFile, pattern: str, option: str) -> list[str]:
    """Return the columns that a name or shell pattern stands for; refuse one that stands for none."""
    matched = (
        [pattern]
        if pattern in file.columns
        else [name for name in file.columns if fnmatchcase(name, pattern)]
    )
    if not matched:
        check_column(file, pattern, option)
    return matched


def _choose_list_reader(cells: pa.Array, separator: str | None) -> ListReader | None:
    if separator:
        return partial(split_cells, separator=separator)
    if is_list(cells.type):
        return read_lists
    return parse_cells if holds_list_text(cells) else None


def _find_width(cells: pa.Array, to_lists: ListReader) -> int | None:
    try:
        return find_width(*to_lists(cells))
    except CellError:
        return None  # said with its row when the column is read
