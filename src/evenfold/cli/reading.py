"""Reading of labels, groups, balanced columns, ids and parts of rows, from any file."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from ..exceptions import AssumptionWarning, InputError
from ..files.column_patterns import read_column_pattern
from .options import Reading
from .seen_inputs import remember_inputs, remember_named

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

    from ..files.datafile import DataFile
    from ..files.label_columns import LabelChoice
    from ..labels.labels import Labels
    from ..links.group_columns import GroupColumn, Groups


# The column that commands write unless they are told another name.
PART = "part"
# Parameters of commands that name columns, and what these columns are.
_ROLES = {
    "groups": "groups",
    "balance": "balance",
    "id_column": "ids",
    "part_column": "parts",
    "fixed": "parts",
    "files": "paths",
    "images": "paths",
    "text": "text",
    "similar": "embeddings",
    "features": "features",
}


class Coded(NamedTuple):
    """A column as codes: row i holds `values[code_of_row[i]]`, and nothing where the code is -1.

    Values are text; `whole_numbers` tells whether they are numbers in the file.
    """

    code_of_row: NDArray[np.int64]
    values: list[str]
    whole_numbers: bool = False

    def list_values(self) -> list[Any]:
        """Return the value of each row, as a number where the file has numbers."""
        values = [int(value) for value in self.values] if self.whole_numbers else self.values
        return [values[code] for code in self.code_of_row]

    def to_column(self, name: str) -> GroupColumn:
        """Return it as a column whose values keep rows together."""
        from ..links.group_columns import GroupColumn

        return GroupColumn(name, self.code_of_row, self.values)


class Rows(NamedTuple):
    """An open file, its labels, the columns that hold them, and the separator within cells.

    There are no such columns in a format that keeps labels elsewhere.
    """

    file: DataFile
    labels: Labels
    label_columns: Sequence[str]
    separator: str | None = None


def read_rows(data: Sequence[str], reading: Reading, quiet: bool = True) -> Rows:
    """Open one file or several and read the labels; print which columns were taken for labels."""
    return read_open_rows(open_file(data, reading, quiet), reading, quiet)


def read_open_rows(file: DataFile, reading: Reading, quiet: bool = True) -> Rows:
    """Read the labels of an open file; print which columns were taken for labels."""
    from .messages import say_all
    from .remarks import remark_labels

    labels, choice = read_labels_of(file, reading)
    said = [choice.guessed] if choice.guessed else []
    say_all([*said, *remark_labels(labels, choice.columns)], quiet)
    return Rows(file, labels, choice.columns, choice.separator)


def open_file(data: Sequence[str], reading: Reading, quiet: bool = True) -> DataFile:
    """Open one file, or several as one data set; print what was assumed."""
    from ..files.data_sets import open_data_set
    from .output_checks import list_inputs

    remember_named(data)
    file = open_data_set(data, reading.format, reading.xml)
    remember_inputs(list_inputs(file, reading))
    return take_items(file, reading, quiet)


def take_items(file: DataFile, reading: Reading, quiet: bool = True) -> DataFile:
    """Return an open file, or its items with --long; print what was assumed."""
    from .messages import say_all

    say_all(file.remarks, quiet)
    if reading.long is None:
        return file
    if reading.labels or reading.separator is not None:
        option = "--labels" if reading.labels else "--separator"
        raise click.UsageError(
            f"--long names the column of labels, each cell one label, so {option} does not go with "
            "it. Leave out one of them."
        )
    from ..files.long_format import open_long

    return open_long(file, reading.long)


def name_data(data: Sequence[str]) -> str:
    """Return what results call the data."""
    return data[0] if len(data) == 1 else f"{data[0]} and {len(data) - 1} more"


def read_labels_of(file: DataFile, reading: Reading) -> tuple[Labels, LabelChoice]:
    """Read the labels of an open file, with the ancestors that a hierarchy adds."""
    labels, choice = _read_labels(file, reading)
    if reading.propagate is not None:
        from ..files.hierarchies import read_hierarchy
        from ..files.named_columns import show_columns
        from ..labels import propagate

        parents_of = read_hierarchy(reading.propagate)
        # A hierarchy is text, so labels that are numbers become text.
        labels = replace(labels, names=[str(name) for name in labels.names])
        if parents_of.keys().isdisjoint(labels.names):
            raise InputError(
                f"{reading.propagate}: none of its labels ({show_columns(parents_of)}) is one of "
                f"{file.name} ({show_columns(labels.names)}). Check that both use the same names."
            )
        labels = propagate(labels, parents_of)
    return labels, choice


def _read_labels(file: DataFile, reading: Reading) -> tuple[Labels, LabelChoice]:
    from ..files.label_columns import LabelChoice, choose_label_columns, read_labels

    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", AssumptionWarning)
        own = None if reading.labels else file.read_own_labels()
    if own is not None:
        if reading.separator is not None:
            raise InputError(
                f"{file.name}: --separator cuts a column of text, and in the format "
                f"{file.format} labels are in none. Leave it out."
            )
        return own, LabelChoice([], guessed="\n".join(str(each.message) for each in said))
    names = split_names(reading.labels, file.columns) or None
    choice = choose_label_columns(file, names, reading.separator, find_roles(file))
    return read_labels(file, choice), choice


def find_roles(file: DataFile) -> dict[str, str]:
    """Return the columns that options of this command name besides labels, and what they are.

    Patterns and guesses of labels leave them out.
    """
    from ..files.named_columns import match_names

    context = click.get_current_context(silent=True)
    given = {} if context is None else context.params
    roles: dict[str, str] = {}
    for parameter, role in _ROLES.items():
        values = given.get(parameter) or ()
        for text in [values] if isinstance(values, str) else values:
            for piece in split_names([text], file.columns):
                pattern = read_column_pattern(file, piece)
                name = piece if pattern is None else pattern.column
                roles |= dict.fromkeys(match_names(file.columns, file.fields, name), role)
    # Where `extend` finds the parts of an old split, if it is told no other column.
    if given.get("new") and not given.get("part_column") and PART in file.columns:
        roles.setdefault(PART, "parts")
    return roles


def split_names(given: Sequence[str], columns: Sequence[str]) -> list[str]:
    """Split at commas, except in a column name that has one; remove blanks the same way."""
    pieces = [
        name for names in given for name in ([names] if names in columns else names.split(","))
    ]
    return [name if name in columns else name.strip() for name in pieces]


def read_codes(file: DataFile, name: str, option: str, *, spell: bool = False) -> Coded:
    """Read a column of names or numbers as codes, by first appearance; blank text is no value.

    With `spell`, bytes that are no text are read too, as digits. Such values could not be written
    into the column again.
    """
    import pyarrow as pa

    column, kind = _read_as_text(file, name, option, spell)
    encoded = column.combine_chunks().dictionary_encode()
    values = encoded.dictionary.to_pylist()
    code_of_row = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype("int64")
    for empty in [code for code, value in enumerate(values) if not value.strip()][::-1]:
        del values[empty]
        code_of_row[code_of_row == empty] = -1
        code_of_row[code_of_row > empty] -= 1
    return Coded(code_of_row, values, pa.types.is_integer(kind))


def read_texts(file: DataFile, name: str, option: str) -> list[str | None]:
    """Read a column of texts or paths; None where a cell is missing."""
    texts: list[str | None] = _read_as_text(file, name, option)[0].to_pylist()
    return texts


def _read_as_text(
    file: DataFile, name: str, option: str, spell: bool = False
) -> tuple[pa.ChunkedArray, pa.DataType]:
    """Return the cells of a column as text, and the type that they have in the file."""
    import pyarrow as pa
    import pyarrow.compute as pc

    from ..files.codecs.bytes_as_text import spell_bytes
    from ..files.codecs.flat_columns import type_without_categories
    from ..files.named_columns import read_column

    column = read_column(file, name, option)
    if spell:
        column = spell_bytes(column)
    if pa.types.is_nested(column.type):
        raise InputError(
            f"{file.name}: {option} {name!r} must hold one name or number in each row, "
            f"got {type_without_categories(column.type)}. Name another column."
        )
    if pa.types.is_floating(column.type):
        column = pc.if_else(pc.is_nan(column), None, column)
    try:
        return column.cast(pa.large_string()), column.type
    except pa.ArrowInvalid:
        raise InputError(
            f"{file.name}: {option} {name!r} must hold names or numbers, "
            "got bytes that are no text. Name another column."
        ) from None
    except pa.ArrowNotImplementedError:
        raise InputError(
            f"{file.name}: {option} {name!r} must hold names or numbers, got {column.type}. "
            "Name another column."
        ) from None


def read_whole_codes(file: DataFile, name: str, option: str, advice: str) -> Coded:
    """Read a column in which every row must have a value."""
    coded = read_codes(file, name, option, spell=True)
    empty = (coded.code_of_row < 0).nonzero()[0]
    if len(empty):
        n_rows = len(coded.code_of_row)
        raise InputError(
            f"{file.name}: {option} {name!r} is empty in {len(empty):,} of {n_rows:,} rows, "
            f"first row {empty[0]} (from 0). {advice}"
        )
    return coded


def split_groups(given: Sequence[str], file: DataFile) -> list[str]:
    """Split names of columns at commas as `split_names` does; a pattern is kept whole."""
    from ..files.named_columns import has_column

    names: list[str] = []
    for text in given:
        pieces = split_names([text], file.columns)
        is_pattern = not has_column(file, pieces[0]) and read_column_pattern(file, text)
        names += [text] if is_pattern else pieces
    return list(dict.fromkeys(names))


def read_group_columns(file: DataFile, given: Sequence[str]) -> tuple[GroupColumn, ...]:
    """Read the columns and patterns whose values keep rows together; an empty cell joins none."""
    return tuple(_read_group(file, name).to_column(name) for name in split_groups(given, file))


def _read_group(file: DataFile, name: str) -> Coded:
    """Read a column of groups, or the groups that a pattern finds in a column."""
    import numpy as np

    pattern = read_column_pattern(file, name)
    if pattern is None:
        return read_codes(file, name, "--groups", spell=True)
    coded = read_codes(file, pattern.column, "--groups", spell=True)
    code_of: dict[str, int] = {}
    codes = [
        -1 if group is None else code_of.setdefault(group, len(code_of))
        for group in pattern.find_groups(file, coded.values)
    ]
    # A row without a value has the code -1, which picks the last one.
    code_of_row = np.array([*codes, -1])[coded.code_of_row]
    return Coded(code_of_row, list(code_of))


def read_groups(file: DataFile, given: Sequence[str]) -> Groups | None:
    """Read the group of each row: rows that share a value of any of the columns."""
    from ..links.group_columns import Groups, join_columns

    columns = read_group_columns(file, given)
    return Groups(join_columns(columns), columns) if columns else None


def read_ids(file: DataFile, name: str | None) -> Coded | None:
    """Read the id of each row."""
    return None if name is None else read_whole_codes(file, name, "--id", "Name every row.")


def read_balance(file: DataFile, names: Sequence[str]) -> dict[str, Any] | None:
    """Read the columns to keep even besides labels."""
    from ..files.named_columns import read_column

    columns = {
        name: file.read_box_column(name)
        if name in file.box_columns and name not in file.columns
        else read_column(file, name, "--balance", file.box_columns)
        for name in names
    }
    # Text files do not mark columns of numbers; all other formats do.
    return (
        {name: _as_numbers(column) for name, column in columns.items()}
        if file.cells_are_text
        else columns
    ) or None


def _as_numbers(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Read text that is all numbers as numbers."""
    import pyarrow as pa

    try:
        return column.cast(pa.float64()) if pa.types.is_string(column.type) else column
    except pa.ArrowInvalid:
        return column


def read_amounts(file: DataFile) -> Any:
    """Read how many boxes of each category every image has."""
    counts = file.read_counts()
    if counts is None:
        raise InputError(
            f"{file.name}: --amounts is of images with boxes, and this {file.format} has none. "
            "Name columns with --balance."
        )
    return counts


def order_parts(coded: Coded) -> Coded:
    """Number parts by their names as `evenfold.measure` does: fold2 comes before fold10."""
    import numpy as np

    from ..labels.row_values import check_part_of_row

    if not coded.values:
        return coded
    number, names = check_part_of_row(coded.values, len(coded.values))
    number_of_code = np.append(number.astype(np.int64), -1)
    return Coded(number_of_code[coded.code_of_row], names or [])
