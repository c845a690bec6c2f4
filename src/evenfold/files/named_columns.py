"""Columns of a file by name or pattern."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from .._checks.choices import suggest
from .._checks.values import show_some
from ..exceptions import InputError
from .datafile import DataFile

if TYPE_CHECKING:
    import pyarrow as pa

_MOST_SHOWN = 12


def show_columns(names: Iterable[str]) -> str:
    """Name columns in a message, no more than can be read."""
    return show_some(names, _MOST_SHOWN)


def check_column(file: DataFile, name: str, option: str, also: Sequence[str] = ()) -> None:
    """Refuse a name that no column has, and say which there are; `also` names others."""
    if name not in file.columns:
        file = file.find_lacking(name)
        known = [*file.columns, *also]
        hint = suggest(name, known)
        raise InputError(
            f"{option} '{name}' is not a column of {file.name}. "
            f"Columns: {show_columns(known)}.{' ' * bool(hint)}{hint}"
        )


def match_columns(file: DataFile, pattern: str, option: str) -> list[str]:
    """Return the columns that a name or shell pattern stands for; refuse one without columns."""
    matched = (
        [pattern]
        if pattern in file.columns
        else [name for name in file.columns if fnmatchcase(name, pattern)]
    )
    if not matched:
        check_column(file, pattern, option)
    return matched


def read_column(
    file: DataFile, name: str, option: str, also: Sequence[str] = ()
) -> pa.ChunkedArray:
    """Read one whole column, of groups, ids or parts.

    Parameters
    ----------
    file : DataFile
        The file.
    name : str
        The column.
    option : str
        The option that names the column, for the error that there is none.
    also : sequence of str, default=()
        What else the option may name, for this error.

    Returns
    -------
    pyarrow.ChunkedArray
        The cells of all rows.
    """
    import pyarrow as pa

    check_column(file, name, option, also)
    chunks = [batch.column(0) for batch in file.read_batches([name])]
    return pa.chunked_array(chunks) if chunks else pa.chunked_array([pa.nulls(0)])
