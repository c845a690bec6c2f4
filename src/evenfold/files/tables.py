"""Files that hold several tables: which one is meant, as in data.xlsx::Sheet2."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .._checks.choices import suggest
from .._checks.values import show_some
from ..exceptions import InputError

_MARK = "::"
_MOST_SHOWN = 12


def split_table(text: str) -> tuple[str, str | None]:
    """Return a path and the table that is named after it, None if none is.

    Examples
    --------
    >>> from evenfold.files.tables import split_table
    >>> split_table("data.xlsx::Sheet2"), split_table("data.csv")
    (('data.xlsx', 'Sheet2'), ('data.csv', None))
    """
    path, mark, table = text.partition(_MARK)
    return (path, table) if mark and not Path(text).exists() else (text, None)


def choose_table(name: str, asked: str | None, tables: Sequence[str], word: str) -> str:
    """Return the table to read: the one that is asked for, else the only one.

    Parameters
    ----------
    name : str
        What messages call the file.
    asked : str or None
        The table that the user named.
    tables : sequence of str
        The tables that there are.
    word : str
        What they are called, in the singular.

    Returns
    -------
    str
        One of the tables.
    """
    path = name if asked is None else name.removesuffix(f"{_MARK}{asked}")
    if asked is not None and asked not in tables:
        hint = suggest(asked, tables)
        raise InputError(
            f"{path}: has no {word} {asked!r}. "
            f"{word.capitalize()}s: {show_some(tables, _MOST_SHOWN)}.{' ' * bool(hint)}{hint}"
        )
    if asked is not None:
        return asked
    if len(tables) == 1:
        return tables[0]
    if not tables:
        raise InputError(f"{name}: holds no {word} to read. Check how it was written.")
    named = show_some((f"{path}{_MARK}{table}" for table in tables), _MOST_SHOWN)
    raise InputError(f"{name}: holds {len(tables)} {word}s. Name one of them: {named}.")
