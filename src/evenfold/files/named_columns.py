"""Columns of a file, and fields of its structs, by name, pattern or range."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from .._checks.choices import suggest
from .._checks.values import show_some
from ..exceptions import InputError
from .column_ranges import explain_range, find_range
from .datafile import DataFile
from .memory import count_batches
from .struct_fields import DOT, NO_FIELDS, Fields, holds_structs

if TYPE_CHECKING:
    import pyarrow as pa

_MOST_SHOWN = 12


def show_columns(names: Iterable[str]) -> str:
    """Name columns in a message, no more than can be read."""
    return show_some(names, _MOST_SHOWN)


def has_column(file: DataFile, name: str) -> bool:
    """Tell whether a name is that of a column, or the path of a field of a struct."""
    return name in file.columns or name in _find_fields(file, name)


def check_column(file: DataFile, name: str, option: str, also: Sequence[str] = ()) -> None:
    """Refuse a name that no column has, and say which there are; `also` names others."""
    if not has_column(file, name):
        file = file.find_lacking(name)
        known = list_known([*file.columns, *also], _find_fields(file, name), name)
        raise InputError(f"{option} '{name}' is not a column of {file.name}. {known}")


def list_known(columns: Sequence[str], fields: Fields, name: str) -> str:
    """Say which columns there are besides a name that none has, or which fields of its column."""
    root = name.partition(DOT)[0]
    inner = [own for own, field in fields.items() if field.path[0] == root]
    word, known = (f"Fields of '{root}'", inner) if inner else ("Columns", columns)
    hint = suggest(name, known)
    return f"{word}: {show_columns(known)}.{' ' * bool(hint)}{hint}"


def match_columns(file: DataFile, pattern: str, option: str) -> list[str]:
    """Return the columns of a name, shell pattern or range; refuse one without columns."""
    matched = match_names(file.columns, _find_fields(file, pattern), pattern)
    if not matched:
        why, unknown = explain_range(pattern, file.columns)
        if why:
            file = file.find_lacking(unknown) if unknown is not None else file
            known = f" Columns: {show_columns(file.columns)}." if unknown is not None else ""
            raise InputError(f"{file.name}: {option} '{pattern}' is {why.rstrip()}{known}")
        check_column(file, pattern, option)
    return matched


def match_names(columns: Sequence[str], fields: Fields, pattern: str) -> list[str]:
    """Return the columns of a name or shell pattern; if there are none, the fields, or a range.

    Parameters
    ----------
    columns : sequence of str
        The columns.
    fields : mapping of str to Field
        The fields of their structs.
    pattern : str
        A name or pattern of columns, a path of fields such as `ann.*`, or a range `first:last`.

    Returns
    -------
    list of str
        The names; none if nothing matches.

    Notes
    -----
    In patterns of fields, a `*` stands for one name, not for several with dots between them.
    """
    if pattern in columns or pattern in fields:
        return [pattern]
    pieces = pattern.split(DOT)
    inner = (
        name
        for name, field in fields.items()
        if len(field.path) == len(pieces) and all(map(fnmatchcase, field.path, pieces))
    )
    matched = [name for name in columns if fnmatchcase(name, pattern)] or list(inner)
    return matched or find_range(pattern, columns)


def in_file_order(file: DataFile, chosen: Collection[str]) -> list[str]:
    """Return columns and fields in the order of the file, columns first."""
    columns = [name for name in file.columns if name in chosen]
    if len(columns) == len(chosen):
        return columns
    fields = dict.fromkeys(file.fields)
    for name in columns:
        fields.pop(name, None)
    return [*columns, *(name for name in fields if name in chosen)]


def list_fields_of(file: DataFile, name: str) -> list[str]:
    """Return the paths of the fields of a struct column."""
    return [own for own, field in file.fields.items() if field.path[0] == name]


def refuse_structs(file: DataFile, name: str, kind: pa.DataType) -> None:
    """Refuse a column of structs, or of lists of them, and name its fields."""
    if holds_structs(kind):
        raise InputError(
            f"{file.name}: column '{name}' holds structs. Name a field of them: "
            f"{show_columns(list_fields_of(file, name))}."
        )


def leave_out(file: DataFile, chosen: Collection[str], apart: Collection[str]) -> set[str]:
    """Return columns without those that are `apart`; of a struct with such fields, the others."""
    kept = set(chosen) - set(apart)
    for name in set(apart).difference(file.columns):
        if name in _find_fields(file, name):
            root = file.fields[name].path[0]
            if root in kept:
                kept.remove(root)
                kept.update(list_fields_of(file, root))
    return kept - set(apart)


def _find_fields(file: DataFile, name: str) -> Fields:
    # Only a path has a dot, and some formats look for fields in the whole file.
    return file.fields if DOT in name and name not in file.columns else NO_FIELDS


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
    chunks = []
    for batch in count_batches(file.name, file.read_batches([name])):
        refuse_structs(file, name, batch.column(0).type)
        chunks.append(batch.column(0))
    return pa.chunked_array(chunks) if chunks else pa.chunked_array([pa.nulls(0)])
