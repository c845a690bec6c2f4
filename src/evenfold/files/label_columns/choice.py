"""Which columns of a file hold its labels, and reading them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pyarrow as pa

from ..._checks.values import show_value
from ...exceptions import InputError
from ...labels.arrow_cells import (
    count_words,
    holds_flags,
    is_list,
    is_list_text,
    is_text,
    read_flags,
)
from ...labels.column_rules import WRONG, Certainty, find_separator
from ...labels.labels import Labels
from ..damage import explain_arrow_damage
from ..datafile import DataFile
from ..named_columns import in_file_order, show_columns
from .forms import find_form, read_named_head, read_whole_file
from .guesses import guess_columns
from .star import match_label_columns


class LabelChoice(NamedTuple):
    """Where the labels of a file are.

    Attributes
    ----------
    columns : list of str
        The label columns, in the order of the file.
    separator : str or None
        What separates labels within a cell, where the one column is text of several labels.
    guessed : str
        A sentence for the user about what was assumed, empty where nothing was.
    """

    columns: list[str]
    separator: str | None = None
    guessed: str = ""


def choose_label_columns(
    file: DataFile,
    labels: Sequence[str] | None,
    separator: str | None = None,
    role_of: Mapping[str, str] | None = None,
) -> LabelChoice:
    """Find the columns that hold the labels, by the rules of `evenfold.labels.column_rules`.

    Parameters
    ----------
    file : DataFile
        A file with columns.
    labels : sequence of str or None
        Names, shell patterns (`genre_*`) or ranges (`first:last`), each of which must be there;
        None takes what the format says, or guesses where that is safe.
    separator : str, default=None
        What separates labels within the cells of a single column, "" where each cell is one
        label; None finds it in the first 10,000 rows.
    role_of : mapping of str to str, default=None
        The columns that have another role, such as groups, which patterns and guesses leave out,
        and the option that says so.

    Returns
    -------
    LabelChoice
        The columns, the separator and what was assumed.

    Raises
    ------
    InputError
        If a column is not there, or if the cells of a text may be read in two ways.
    """
    if not labels and not file.label_columns:
        choice = LabelChoice(*guess_columns(file, role_of or {}))
        return choice if separator is None else LabelChoice(choice.columns, separator)
    columns, left_out = (
        match_label_columns(file, labels, role_of or {})
        if labels
        else (in_file_order(file, set(file.label_columns)), "")
    )
    if separator is not None:
        return LabelChoice(columns, separator, left_out)
    choice = (
        LabelChoice(columns, guessed=_say_uncut(file, columns))
        if len(columns) > 1
        else _choose_separator(file, columns[0])
    )
    said = [one for one in (left_out, choice.guessed) if one]
    return choice._replace(guessed="\n".join(said))


def _choose_separator(file: DataFile, column: str) -> LabelChoice:
    """Decide what the cells of a single column hold."""
    if column in file.class_columns:
        return LabelChoice([column], "")
    cells = read_named_head(file, [column])[column]
    with explain_arrow_damage(file.name, f"cannot be read in column {column}"):
        if is_list(cells.type) or holds_flags(cells):
            return LabelChoice([column])
        if is_list_text(cells):
            return LabelChoice([column], None, f"Each cell of '{column}' is a list of labels.")
        odd = _find_among_flags(cells)
        if odd is not None:
            said = f"Each value of '{column}' is a class, since it holds {odd} besides 0 and 1."
            return LabelChoice([column], None, said)
        if not is_text(cells.type):
            return LabelChoice([column])
        found = find_separator(count_words(cells))
    whole = f"Each cell of '{column}' is read as one label"
    if found is None:
        return LabelChoice([column], None, f"{whole}.")
    if found.certainty is Certainty.WHOLE:
        option = "$'\\t'" if found.text == "\t" else f"'{found.text}'"
        said = f"{whole}. If labels are separated, write --separator {option}."
        return LabelChoice([column], None, said)
    if found.certainty is Certainty.UNSURE:
        raise InputError(
            f"{file.name}: column '{column}' holds text such as {show_value(found.example)}, which "
            f"may be one class or several labels separated by '{found.text}'. Write "
            f"--separator '' for classes, or --separator '{found.text}' for labels."
        )
    return LabelChoice([column], found.text, f"Each cell of '{column}' is cut at '{found.text}'.")


def _find_among_flags(cells: pa.Array) -> str | None:
    """Return the first value that is not 0 or 1 in a column of which most cells are."""
    flags = read_flags(cells)
    n_wrong = int((flags == WRONG).sum())
    n_flags = int((flags >= 0).sum()) - n_wrong
    if not 0 < n_wrong < n_flags:
        return None
    return show_value(cells[int((flags == WRONG).argmax())].as_py())


def _say_uncut(file: DataFile, columns: Sequence[str]) -> str:
    """Say which of several columns may hold several labels in a cell: only a single one is cut.

    If none may, say which columns of text have a label for each value.
    """
    separator_of, example_of = {}, {}
    classes = set(file.class_columns)
    texts = [name for name in columns if name not in classes]
    for name, cells in read_named_head(file, texts).items() if texts else ():
        with explain_arrow_damage(file.name, f"cannot be read in column {name}"):
            words = count_words(cells) if is_text(cells.type) and not holds_flags(cells) else {}
            found = find_separator(words)
        if found is not None and found.certainty is not Certainty.WHOLE:
            separator_of[name] = found.text
        if value := min(filter(str.strip, words), default=""):
            example_of[name] = f"{name}={value.strip()}"
    if not separator_of and example_of:
        first = next(iter(example_of.values()))
        return f"Each value of {show_columns(example_of)} is a label, such as '{first}'."
    if not separator_of:
        return ""
    name, separator = next(iter(separator_of.items()))
    return (
        f"Each cell of {show_columns(separator_of)} is read as one label, though '{separator}' may "
        f"separate several. Name '{name}' alone to have it cut."
    )


def read_labels(file: DataFile, choice: LabelChoice) -> Labels:
    """Read the labels from the columns chosen, as `make_labels` reads these columns in memory.

    Parameters
    ----------
    file : DataFile
        The file.
    choice : LabelChoice
        The columns, and what separates labels within a cell.

    Returns
    -------
    Labels
        The labels, by the rules of `evenfold.labels.column_rules`.
    """
    return read_whole_file(file, find_form(file, choice.columns, choice.separator))
