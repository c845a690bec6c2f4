"""How label columns are read: decided from the first rows, then the same for all rows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import pyarrow as pa

from ...exceptions import InputError
from ...labels.arrow_cells import (
    count_words,
    find_width,
    is_list,
    is_list_text,
    is_number,
    is_text,
    must_hold_flags,
    read_flags,
    read_lists,
)
from ...labels.column_rules import WRONG, explain_text_among_flags
from ...labels.labels import Labels
from ...labels.list_matrices import MatrixEvidence
from ..damage import explain_arrow_damage
from ..datafile import DataFile
from ..named_columns import refuse_structs, show_columns
from .cells import CellError, decode_bytes, parse_cells, split_cells
from .guesses import read_head
from .reading import (
    ListReader,
    number_rows,
    place_errors,
    read_binary_lists,
    read_binary_rows,
    read_class_column,
    read_columns,
    read_list_column,
    refuse_wrong_value,
)

LISTS, CUT_TEXT, TEXT_LISTS = "lists", "cut text", "text lists"
CLASSES, COLUMNS = "classes", "columns"
FLAG, CLASS = "flag", "class"


class LabelForm(NamedTuple):
    """How the label columns of a file are read.

    Attributes
    ----------
    kind : str
        "lists", "cut text" (at the separator), "text lists" (text such as ["a", "b"]), "classes"
        (one in each cell) or "columns" (several, or one of 0 and 1).
    columns : tuple of str
        The label columns.
    separator : str or None
        What separates the labels of a cell.
    column_kinds : tuple of str
        Of "columns": for each, "flag" (0 and 1) or "class" (a label for each value).
    width : int
        The number of labels where lists are the rows of a 0/1 matrix, else 0.
    """

    kind: str
    columns: tuple[str, ...]
    separator: str | None = None
    column_kinds: tuple[str, ...] = ()
    width: int = 0

    @property
    def list_reader(self) -> ListReader:
        """What turns the cells of the column into lists."""
        if self.kind == CUT_TEXT:
            return partial(split_cells, separator=self.separator or "")
        return read_lists if self.kind == LISTS else parse_cells

    @property
    def holds_flags(self) -> list[bool]:
        """Whether each of several columns holds 0 and 1."""
        return [kind == FLAG for kind in self.column_kinds]


def find_form(file: DataFile, columns: Sequence[str], separator: str | None) -> LabelForm:
    """Decide from the first rows how label columns are read.

    Parameters
    ----------
    file : DataFile
        The file.
    columns : sequence of str
        Its label columns.
    separator : str or None
        What separates labels within a cell, "" where each cell is one label.

    Returns
    -------
    LabelForm
        The form; "classes" and matrices may turn out to be something else in later rows.
    """
    head = read_named_head(file, columns)
    column, *others = columns
    if separator and (others or not is_text(head[column].type)):
        raise InputError(
            f"{file.name}: a separator cuts one column of text, got '{separator}' for "
            f"{show_columns(columns)}. Leave out the separator, or name one column of text."
        )
    with explain_arrow_damage(file.name, f"cannot be read in column {show_columns(columns)}"):
        if others:
            kinds = tuple(FLAG if must_hold_flags(cells) else CLASS for cells in head.values())
            if FLAG in kinds:
                _refuse_text(file, head, kinds)
            return LabelForm(COLUMNS, tuple(columns), column_kinds=kinds)
        form = LabelForm(_find_kind(head[column], separator), (column,), separator or None)
        if form.kind == CLASSES:
            return form
        return form._replace(width=_find_width(head[column], form.list_reader) or 0)


def _refuse_text(file: DataFile, head: dict[str, pa.Array], kinds: Sequence[str]) -> None:
    """Refuse a text among columns of 0 and 1, unless its type says that it holds classes."""
    for (name, cells), kind in zip(head.items(), kinds, strict=True):
        if kind == CLASS and is_text(cells.type) and not pa.types.is_dictionary(cells.type):
            text = next((word for word in count_words(cells) if word.strip()), None)
            if text is not None:
                raise InputError(f"{file.name}: {explain_text_among_flags(name, text)}")


def _find_kind(cells: pa.Array, separator: str | None) -> str:
    if separator:
        return CUT_TEXT
    if is_list(cells.type):
        return LISTS
    return TEXT_LISTS if separator is None and is_list_text(cells) else CLASSES


def _find_width(cells: pa.Array, to_lists: ListReader) -> int | None:
    try:
        return find_width(*to_lists(cells))
    except CellError:
        return None  # said with its row when the column is read


def read_named_head(file: DataFile, columns: Sequence[str]) -> dict[str, pa.Array]:
    """Return the first rows of columns that the user named, bytes as text."""
    head = read_head(file, columns)
    for name, cells in head.items():
        refuse_structs(file, name, cells.type)
        with place_errors(file, name, 0):
            head[name] = decode_bytes(cells)
    return head


def read_whole_file(file: DataFile, form: LabelForm) -> Labels:
    """Read the labels of a file; all its rows decide what the first rows leave open.

    Parameters
    ----------
    file : DataFile
        The file.
    form : LabelForm
        The form that `find_form` found.

    Returns
    -------
    Labels
        The labels.
    """
    columns = form.columns
    with explain_arrow_damage(file.name, f"cannot be read in column {show_columns(columns)}"):
        if form.kind == COLUMNS:
            return read_columns(file, columns, form.holds_flags)
        if form.kind == CLASSES:
            return read_class_column(file, columns[0])
        labels = None
        if form.width:
            labels = read_binary_lists(file, columns[0], form.list_reader, form.width)
        return read_list_column(file, columns[0], form.list_reader) if labels is None else labels


def settle_form(file: DataFile, form: LabelForm) -> LabelForm:
    """Decide what the first rows leave open, for data that is then read in several pieces.

    Parameters
    ----------
    file : DataFile
        All of the data.
    form : LabelForm
        The form that `find_form` found.

    Returns
    -------
    LabelForm
        The form for `read_piece`.

    Notes
    -----
    All rows are read only if a column holds nothing but 0 and 1, or 0/1 rows of one length. Whether
    lists are a 0/1 matrix with a few wrong values is decided from the first rows.
    """
    column = form.columns[0]
    if form.kind == COLUMNS:
        return form
    if form.kind == CLASSES:
        if _holds_only_flags(file, column):
            return form._replace(kind=COLUMNS, column_kinds=(FLAG,))
        return form
    if form.width:
        if not _holds_only_rows(file, form):
            form = form._replace(width=0)
        return form
    _refuse_wrong_matrix(file, form)
    return form


def _holds_only_flags(file: DataFile, column: str) -> bool:
    found = False
    for start, batch in number_rows(file, [column]):
        with place_errors(file, column, start):
            flags = read_flags(decode_bytes(batch.column(0)))
        if (flags == WRONG).any():
            return False
        found |= bool((flags >= 0).any())
    return found


def _holds_only_rows(file: DataFile, form: LabelForm) -> bool:
    column = form.columns[0]
    for start, batch in number_rows(file, [column]):
        with place_errors(file, column, start):
            if read_binary_rows(batch.column(0), form.list_reader, form.width) is None:
                return False
    return True


def _refuse_wrong_matrix(file: DataFile, form: LabelForm) -> None:
    column = form.columns[0]
    cells = read_named_head(file, [column])[column]
    with place_errors(file, column, 0):
        lengths, values = form.list_reader(cells)
    if is_number(values.type):
        evidence = MatrixEvidence()
        evidence.add(lengths, read_flags(values), values)
        refuse_wrong_value(file, column, evidence.find_wrong())


def read_piece(file: DataFile, form: LabelForm) -> Labels:
    """Read the labels of one piece of the data in the form that is settled for all of it.

    Parameters
    ----------
    file : DataFile
        The piece, which may have no rows.
    form : LabelForm
        The form that `settle_form` returned.

    Returns
    -------
    Labels
        The labels of the piece; names of lists and classes are those that it holds.
    """
    column = form.columns[0]
    with explain_arrow_damage(file.name, f"cannot be read in column {show_columns(form.columns)}"):
        if form.kind == COLUMNS:
            return read_columns(file, form.columns, form.holds_flags)
        if form.kind == CLASSES:
            return read_class_column(file, column, may_be_flags=False)
        if not form.width:
            return read_list_column(file, column, form.list_reader, may_be_matrix=False)
        labels = read_binary_lists(file, column, form.list_reader, form.width)
    if labels is None:
        raise InputError(
            f"{file.name}: column '{column}' must hold lists of {form.width:,} values 0 or 1, as "
            "in the other files, and does not. Did the file change?"
        )
    return labels
