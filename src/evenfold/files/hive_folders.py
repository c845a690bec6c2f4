"""Hive-partitioned folders: the names of folders, such as y=1, hold the values of columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple
from urllib.parse import unquote

import pyarrow as pa

from ..exceptions import InputError
from .named_columns import show_columns

# The name that Hive gives to a missing value.
_MISSING = "__HIVE_DEFAULT_PARTITION__"
# Characters that Hive does not write into the names of folders.
_ESCAPED = frozenset("\"#%'*/:=?\\{[]^\x7f") | {chr(code) for code in range(32)}


class FolderKey(NamedTuple):
    """A column of a file that is in the name of its folder.

    Attributes
    ----------
    name : str
        The name of the column.
    value : int, str or None
        The value of all rows of the file; None if it is missing.
    is_number : bool
        Whether the values of all files are whole numbers.
    """

    name: str
    value: int | str | None
    is_number: bool

    @property
    def field(self) -> pa.Field:
        """The column in a schema."""
        return pa.field(self.name, pa.int32() if self.is_number else pa.string())


def find_folder_keys(paths: Sequence[str], folders: Sequence[str]) -> list[tuple[FolderKey, ...]]:
    """Return the columns that are in the names of folders, for each file of a table.

    Parameters
    ----------
    paths : sequence of str
        The files, as messages call them.
    folders : sequence of str
        The folder of each file, below the folder that the user named, with / between names.

    Returns
    -------
    list of tuple of FolderKey
        The columns of each file, in the order of its folders; the same for all files.

    Raises
    ------
    InputError
        If the folders of two files have different keys, or if a name is not UTF-8.

    Notes
    -----
    Names, values and types are those that `pyarrow.dataset` finds: 32-bit numbers if all values
    are, otherwise text. Missing values alone are text.
    """
    texts_of_file = [_read_keys(*own) for own in zip(paths, folders, strict=True)]
    first = texts_of_file[0]
    for path, texts in zip(paths, texts_of_file, strict=True):
        if texts.keys() != first.keys():
            raise InputError(
                f"{path}: is in folders with {_show_keys(texts)}, but {paths[0]} in folders with "
                f"{_show_keys(first)}. Name folders of one table, or a pattern of its files."
            )
    columns = {name: _find_values([texts[name] for texts in texts_of_file]) for name in first}
    return [
        tuple(FolderKey(name, own[at], is_number) for name, (own, is_number) in columns.items())
        for at in range(len(paths))
    ]


def append_keys(batch: pa.RecordBatch, keys: Sequence[FolderKey]) -> pa.RecordBatch:
    """Return rows with the columns that are in the names of their folders."""
    for key in keys:
        value = pa.scalar(key.value, key.field.type)
        batch = batch.append_column(key.field, pa.repeat(value, batch.num_rows))
    return batch


def append_fields(schema: pa.Schema, keys: Sequence[FolderKey]) -> pa.Schema:
    """Return a schema with the columns that are in the names of folders."""
    for key in keys:
        schema = schema.append(key.field)
    return schema


def name_folder(column: str, value: str) -> str:
    """Return the name of the folder of a value, such as part=train.

    Examples
    --------
    >>> from evenfold.files.hive_folders import name_folder
    >>> name_folder("part", "50%")
    'part=50%25'
    """
    return f"{_escape(column)}={_escape(value)}"


def _escape(text: str) -> str:
    return "".join(f"%{ord(sign):02X}" if sign in _ESCAPED else sign for sign in text)


def _read_keys(path: str, folder: str) -> dict[str, str | None]:
    keys: dict[str, str | None] = {}
    for name in folder.split("/"):
        if "=" in name:
            try:
                key, value = (unquote(text, errors="strict") for text in name.split("=", 1))
            except UnicodeDecodeError:
                raise InputError(
                    f"{path}: its folder {name!r} is not UTF-8 where it has %. Rename it."
                ) from None
            keys.setdefault(key, None if value == _MISSING else value)
    return keys


def _find_values(texts: Sequence[str | None]) -> tuple[Sequence[int | str | None], bool]:
    """Return the values of a column, and whether they are numbers."""
    if all(text is None for text in texts):
        return texts, False
    try:
        return pa.array(texts, pa.string()).cast(pa.int32()).to_pylist(), True
    except pa.ArrowInvalid:
        return texts, False


def _show_keys(texts: dict[str, str | None]) -> str:
    return f"the keys {show_columns(texts)}" if texts else "no keys"
