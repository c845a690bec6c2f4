"""Fields of structs, named by their path: `ann.labels` is `labels` in the column `ann`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import pyarrow as pa

DOT = "."


class Field(NamedTuple):
    """A field of a struct column that is no struct itself.

    Attributes
    ----------
    path : tuple of str
        The column, and the names of the fields within it.
    is_in_list : bool
        Whether it is a field of structs in lists, so that a cell is a list of its values.
    """

    path: tuple[str, ...]
    is_in_list: bool = False


Fields = Mapping[str, Field]
NO_FIELDS: Fields = {}


def name_fields(found: Iterable[Field]) -> dict[str, Field]:
    """Return fields by their dotted path; two of the same path are left out, for names have dots.

    Parameters
    ----------
    found : iterable of Field
        The fields.

    Returns
    -------
    dict of str to Field
        The fields, in their order.
    """
    fields_of: dict[str, set[Field]] = {}
    for field in found:
        fields_of.setdefault(DOT.join(field.path), set()).add(field)
    return {name: own.pop() for name, own in fields_of.items() if len(own) == 1}


def list_fields(schema: pa.Schema) -> dict[str, Field]:
    """Return the fields of all struct columns of a schema, also of structs in lists."""
    return name_fields(
        own for field in schema for own in _find_leaves(field.type, Field((field.name,)))
    )


def holds_structs(kind: pa.DataType) -> bool:
    """Tell whether cells of a type are structs, or lists of structs."""
    import pyarrow as pa

    return bool(pa.types.is_struct(_find_element(kind)))


def _find_element(kind: pa.DataType) -> pa.DataType:
    """Return the type of what is in lists; another type as it is."""
    from ..labels.arrow_cells import is_list

    while is_list(kind):
        kind = kind.value_type
    return kind


def _find_leaves(kind: pa.DataType, at: Field) -> Iterator[Field]:
    import pyarrow as pa

    element = _find_element(kind)
    if pa.types.is_struct(element):
        is_in_list = at.is_in_list or element is not kind
        for inner in element:
            yield from _find_leaves(inner.type, Field((*at.path, inner.name), is_in_list))
    elif len(at.path) > 1:
        yield at


def read_with_fields(
    read: Callable[[Sequence[str]], Iterable[pa.RecordBatch]],
    columns: Sequence[str],
    known: Sequence[str],
    fields: Fields,
    reads_paths: bool = False,
) -> Iterator[pa.RecordBatch]:
    """Yield columns and fields of structs, given what reads whole columns.

    Parameters
    ----------
    read : callable
        Returns batches that have the columns named.
    columns : sequence of str
        Names of columns, and keys of `fields`. A column of that very name is taken first.
    known : sequence of str
        All columns.
    fields : mapping of str to Field
        The fields of its structs.
    reads_paths : bool, default=False
        Whether `read` also takes paths of fields that are in no list, and then gives structs of
        these fields alone.

    Yields
    ------
    pyarrow.RecordBatch
        The columns and fields, in the order wanted, each under the name given.
    """
    import pyarrow as pa

    whole = set(known)
    taken = {name: fields[name] for name in columns if name not in whole}
    if not taken:
        for batch in read(columns):
            yield batch.select(list(columns))
        return

    def find_needed(name: str) -> str:
        field = taken.get(name)
        if field is None:
            return name
        return name if reads_paths and not field.is_in_list else field.path[0]

    for batch in read(list(dict.fromkeys(map(find_needed, columns)))):
        arrays = [
            take_field(batch.column(taken[name].path[0]), taken[name].path[1:])
            if name in taken
            else batch.column(name)
            for name in columns
        ]
        yield pa.RecordBatch.from_arrays(arrays, names=list(columns))


def take_field(cells: pa.Array, path: Sequence[str]) -> pa.Array:
    """Return a field of structs, null where the struct is; of lists of structs, lists of it."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    from ..labels.arrow_cells import is_list, read_lists

    if not path:
        return cells
    if not is_list(cells.type):
        return take_field(pc.struct_field(cells, [path[0]]), path[1:])
    lengths, values = read_lists(cells)
    offsets = np.zeros(len(cells) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    mask = cells.is_null() if cells.null_count else None
    return pa.LargeListArray.from_arrays(pa.array(offsets), take_field(values, path), mask=mask)


def find_type(schema: pa.Schema, field: Field) -> pa.DataType:
    """Return the type in which a field is read."""
    import pyarrow as pa

    root, *inner = field.path
    return take_field(pa.array([], schema.field(root).type), inner).type


def add_paths(value: Any, path: tuple[str, ...], is_null_at: dict[tuple[str, ...], bool]) -> None:
    """Note the paths of the fields within a JSON value at `path`, and if all seen are null."""
    if isinstance(value, dict):
        for key, own in value.items():
            add_paths(own, (*path, key), is_null_at)
    elif isinstance(value, list) and any(isinstance(own, dict) for own in value):
        for own in value:
            add_paths(own, path, is_null_at)
    elif len(path) > 1:
        is_null_at[path] = is_null_at.get(path, True) and value is None


def drop_empty_structs(is_null_at: Mapping[tuple[str, ...], bool]) -> Iterator[Field]:
    """Yield the fields that were noted, without nulls in places where other rows have objects."""
    above = {path[:length] for path in is_null_at for length in range(2, len(path))}
    return (Field(path) for path, is_null in is_null_at.items() if not (is_null and path in above))


def take_value(value: Any, path: Sequence[str]) -> Any:
    """Return a field of a JSON value as `take_field` does; `ValueError` if it is no object."""
    for at, key in enumerate(path):
        if value is None:
            return None
        if isinstance(value, list):
            return [take_value(own, path[at:]) for own in value]
        if not isinstance(value, dict):
            raise ValueError(type(value).__name__)
        value = value.get(key)
    return value
