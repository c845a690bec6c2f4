"""What a pattern of label columns leaves out: ids, paths, and columns that have another role."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from ..._checks.values import show_some
from ...exceptions import InputError
from ...labels.arrow_cells import count_words, holds_flags, is_list_text, is_text
from ...labels.column_rules import NEARLY_ALL, Certainty, find_separator
from ..damage import explain_arrow_damage
from ..datafile import DataFile
from ..named_columns import has_column, in_file_order, match_columns
from .guesses import is_called_labels, read_head

# The pattern that asks for all columns, so that columns are left out by what they hold.
_ALL = "*"
_MOST_SHOWN = 6
_ID = re.compile(r"(?i:(^|[\W_])ids?)$|[a-z]I[Dd]s?$")
_PATH = re.compile(r"\.[A-Za-z]\w{1,5}$")


def match_label_columns(
    file: DataFile, patterns: Sequence[str], role_of: Mapping[str, str]
) -> tuple[list[str], str]:
    """Return the columns that names and patterns stand for, without those that hold no labels.

    Parameters
    ----------
    file : DataFile
        The file.
    patterns : sequence of str
        Names, shell patterns, and ranges such as first:last.
    role_of : mapping of str to str
        The columns that have another role, such as groups, and the option that says so. Only a name
        takes them as labels.

    Returns
    -------
    list of str
        The columns, in the order of the file.
    str
        A sentence about what was left out; empty where nothing was.
    """
    matched = {pattern: match_columns(file, pattern, "--labels") for pattern in patterns}
    return leave_out(file, matched, role_of)


def leave_out(
    file: DataFile, matched: Mapping[str, Sequence[str]], role_of: Mapping[str, str]
) -> tuple[list[str], str]:
    """Return the columns that are matched, without those that hold no labels, and what to say."""
    chosen: set[str] = set()
    left: dict[str, str] = {}
    for pattern, names in matched.items():
        if has_column(file, pattern):
            chosen.add(pattern)
            continue
        why = {name: role_of[name] for name in names if name in role_of}
        if pattern == _ALL:
            why |= _find_no_labels(file, [name for name in names if name not in why])
        left |= why
        chosen.update(name for name in names if name not in why)
    left = {name: left[name] for name in in_file_order(file, left) if name not in chosen}
    if not left:
        return in_file_order(file, chosen), ""
    listed = show_some([f"{name} ({why})" for name, why in left.items()], _MOST_SHOWN)
    if not chosen:
        raise InputError(
            f"{file.name}: --labels '{','.join(matched)}' leaves out all columns: {listed}. "
            "Name the columns of labels."
        )
    patterns = ",".join(pattern for pattern in matched if not has_column(file, pattern))
    said = f"--labels '{patterns}' leaves out {listed}."
    return in_file_order(file, chosen), said


def _find_no_labels(file: DataFile, columns: Sequence[str]) -> dict[str, str]:
    """Return the columns whose first rows show that they hold no labels, and why."""
    head = read_head(file, columns, to_guess=True) if columns else {}
    with explain_arrow_damage(file.name):
        found = {name: _find_reason(name, cells) for name, cells in head.items()}
    return {name: why for name, why in found.items() if why}


def _find_reason(name: str, cells: pa.Array) -> str:
    if pa.types.is_dictionary(cells.type):
        cells = cells.dictionary_decode()
    is_number = pa.types.is_integer(cells.type)
    if not (is_number or is_text(cells.type)) or holds_flags(cells):
        return ""
    if is_number:
        n_filled = len(cells) - cells.null_count
        n_values = len(pc.unique(cells.drop_null()))
        return _judge_values(name, n_values, n_filled)
    words = {word: count for word, count in count_words(cells).items() if word.strip()}
    if is_list_text(cells) or not words:
        return ""
    n_filled = sum(words.values())
    if 2 * sum(count for word, count in words.items() if _PATH.search(word)) > n_filled:
        return "paths"
    separator = find_separator(words)
    if separator is not None and separator.certainty is Certainty.SURE:
        return ""
    return _judge_values(name, len(words), n_filled)


def _judge_values(name: str, n_values: int, n_filled: int) -> str:
    if _ID.search(name) and not is_called_labels(name):
        return "ids"
    if n_filled > 1 and n_values >= NEARLY_ALL * n_filled:
        return "nearly every cell differs"
    return ""
