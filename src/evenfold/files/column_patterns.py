"""ColumnPattern: groups that a regular expression finds in a column, such as a camera in a path."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from .._checks.values import show_value
from ..exceptions import InputError

if TYPE_CHECKING:
    from .datafile import DataFile

# What stands for the column of image paths, whatever a format calls it.
_PATH = "path"
_LONGEST_PATH = 200


class ColumnPattern(NamedTuple):
    """A column, and the expression whose match is the group of a row.

    Attributes
    ----------
    given : str
        What the user wrote: path:(cam[0-9]+).
    column : str
        The column.
    expression : re.Pattern
        The expression.
    """

    given: str
    column: str
    expression: re.Pattern[str]

    def find_groups(self, file: DataFile, values: Sequence[str]) -> list[str | None]:
        """Return the group in each value: the first bracket of the expression, or all it matched.

        Parameters
        ----------
        file : DataFile
            The file, for the error.
        values : sequence of str
            The values of the column.

        Returns
        -------
        list of str or None
            The groups; None where the expression matches, but the bracket took no part in it or is
            empty.

        Raises
        ------
        InputError
            If it does not match a value; the first one is named.
        """
        found = [self.expression.search(value) for value in values]
        if None in found:
            first = show_value(values[found.index(None)], _LONGEST_PATH)
            raise InputError(
                f"{file.name}: --groups {self.given!r} matches nothing in {first} and in "
                f"{found.count(None):,} of the {len(values):,} values of '{self.column}'. "
                "Change the expression, or end it with '|$' so that such rows join nothing."
            )
        bracket = 1 if self.expression.groups else 0
        return [match[bracket] or None for match in found if match is not None]


def read_column_pattern(file: DataFile, given: str) -> ColumnPattern | None:
    r"""Read `column:expression`; None where no column has the name before the first colon.

    Parameters
    ----------
    file : DataFile
        The file. `path` also stands for its column of image paths.
    given : str
        What the user wrote. A name that is a column itself is no pattern.

    Returns
    -------
    ColumnPattern or None
        The pattern.

    Raises
    ------
    InputError
        If the expression is not a regular expression.
    """
    from .named_columns import has_column

    column, colon, text = given.partition(":")
    if column == _PATH and column not in file.columns and file.path_column is not None:
        column = file.path_column
    if not colon or given in file.columns or not has_column(file, column):
        return None
    try:
        return ColumnPattern(given, column, re.compile(text))
    except re.error as error:
        raise InputError(
            f"{file.name}: --groups {given!r} is not a regular expression: {error}. Correct it."
        ) from None
