"""Partitions: the Parquet files of which data consists, and their schemas."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from ..exceptions import InputError
from ..files.arrow_types import to_plain_type, to_plain_types
from ..files.damage import explain_arrow_damage
from ..files.formats.parquet import find_texts_in_lists, read_footer, read_row_groups
from ..files.hive_folders import FolderKey, append_fields, append_keys
from ..files.named_columns import list_known
from ..files.struct_fields import DOT, find_type, list_fields, read_with_fields
from ..labels.arrow_cells import is_bytes, is_list, is_text
from .locations import is_local, open_file_system

# Where a DataFrame is written before it is split: its files are not those of the user.
FRAME_FOLDER = "evenfold-frame"
_FRAME = "the DataFrame"
# Rows of a batch of a partition that is in memory.
_MAX_ROWS = 65_536
# Footers that are read at once: on an object store each takes a few round trips.
_N_THREADS = 8


class Partition(NamedTuple):
    """One piece of the data, which one worker reads.

    Attributes
    ----------
    number : int
        Its place among the partitions, from 0.
    paths : tuple of str
        Its Parquet files, whose rows follow each other.
    key : str or None
        The column by which its rows are sorted when they are read; None keeps their order.
    folder_keys : tuple of FolderKey
        The columns that are in the names of the folders of its one file.
    """

    number: int
    paths: tuple[str, ...]
    key: str | None = None
    folder_keys: tuple[FolderKey, ...] = ()

    @property
    def name(self) -> str:
        """What messages call it."""
        return show_paths(self.paths) if self.paths else f"partition {self.number}"

    def read(
        self, columns: Sequence[str] | None, *, as_codes: bool = False
    ) -> Iterator[pa.RecordBatch]:
        """Yield its rows, a bounded number at a time.

        A partition with a key is read into memory as a whole.

        Parameters
        ----------
        columns : sequence of str or None
            The columns in the order wanted; None for all of the files.
        as_codes : bool, default=False
            Whether lists of text are read as codes of a dictionary, which takes less time.

        Yields
        ------
        pyarrow.RecordBatch
            The next rows, with the types that they have in the files; with a key, text and bytes
            that are views become plain.
        """
        if self.key is None:
            wanted = columns or ()
            keys = [key for key in self.folder_keys if key.name in wanted]
            names = {key.name for key in keys}
            own = columns and [name for name in columns if name not in names]
            for path in self.paths:
                for batch in _read_file(path, own, as_codes):
                    yield append_keys(batch, keys).select(columns) if keys else batch
        else:
            # Rows of codes with several dictionaries cannot be sorted together.
            yield from self._read_sorted(columns, self.key)

    def _read_sorted(self, columns: Sequence[str] | None, key: str) -> Iterator[pa.RecordBatch]:
        own = None if columns is None else list(dict.fromkeys([*columns, key]))
        tables = [
            pa.Table.from_batches([to_plain_types(batch)])
            for path in self.paths
            for batch in _read_file(path, own, as_codes=False)
        ]
        if not tables:
            return
        table = pa.concat_tables(tables, promote_options="permissive")
        with explain_reading(self.name, f"cannot be sorted by {key}"):
            keys = table.column(key)
            if pa.types.is_dictionary(keys.type):
                keys = keys.cast(keys.type.value_type)
            table = table.take(pc.sort_indices(keys))
        yield from (table if columns is None else table.select(columns)).to_batches(_MAX_ROWS)


def show_paths(paths: Sequence[str]) -> str:
    """Name files in a message: the first one and how many more there are."""
    first = show_path(paths[0])
    if len(paths) == 1:
        return first
    return _FRAME if first != paths[0] else f"{first} and {len(paths) - 1:,} more"


def show_path(path: str) -> str:
    """Name a file in a message; one of a DataFrame is called by its partition."""
    folder, _, name = path.replace("\\", "/").rpartition("/")
    if folder.rpartition("/")[2] != FRAME_FOLDER:
        return path
    # Partitions of Spark are made here, and have no number that the user knows.
    number = name.partition(".")[0].partition("partition-")[2]
    return f"partition {int(number)} of {_FRAME}" if number else _FRAME


@contextmanager
def explain_reading(name: str, what: str = "cannot be read") -> Iterator[None]:
    """Name the file in errors of Arrow and of the file system."""
    with explain_arrow_damage(name, what):
        try:
            yield
        except FileNotFoundError as error:
            raise InputError(f"{name}: is not there. Was it moved or deleted?") from error
        except PermissionError as error:
            raise InputError(f"{name}: may not be read. Check its permissions.") from error


@contextmanager
def _open(path: str) -> Iterator[Any]:
    """Give what Arrow can read: a path on this machine, an open file elsewhere."""
    file_system, inner = open_file_system(path)
    with explain_reading(show_path(path)):
        if is_local(path):
            yield inner
        else:
            with file_system.open(inner, "rb") as file:
                yield file


def _read_file(
    path: str, columns: Sequence[str] | None, as_codes: bool
) -> Iterator[pa.RecordBatch]:
    leaves: list[str] = []
    schema = pa.schema([])
    if as_codes or any(DOT in name for name in columns or ()):
        with _open(path) as source:
            metadata, schema = read_footer(source, path)
        leaves = find_texts_in_lists(metadata, schema) if as_codes else []
    with _open(path) as source:
        if columns is None:
            yield from read_row_groups(source, path, None, leaves)
            return
        fields = {name: own for name, own in list_fields(schema).items() if name in columns}
        read = partial(read_row_groups, source, path, as_dictionary=leaves)
        names = schema.names if fields else columns
        yield from read_with_fields(read, columns, names, fields, reads_paths=True)


def read_schemas(paths: Sequence[str]) -> list[pa.Schema]:
    """Return the schema of each file, from its footer.

    Parameters
    ----------
    paths : sequence of str
        The files.

    Returns
    -------
    list of pyarrow.Schema
        Their schemas.

    Raises
    ------
    InputError
        If a file is not there, or is not a Parquet file; the error names it.
    """
    stop = threading.Event()

    def read_schema(path: str) -> pa.Schema | None:
        if stop.is_set():
            return None
        with _open(path) as source:
            return read_footer(source, path)[1]

    with ThreadPoolExecutor(_N_THREADS) as pool:
        try:
            return list(pool.map(read_schema, paths))
        except BaseException:
            stop.set()
            raise


def read_partition_schemas(partitions: Sequence[Partition]) -> list[pa.Schema]:
    """Return the schema of each file, with the columns that are in the names of its folders."""
    paths = [path for partition in partitions for path in partition.paths]
    keys = [partition.folder_keys for partition in partitions for _ in partition.paths]
    return [append_fields(*own) for own in zip(read_schemas(paths), keys, strict=True)]


def count_rows(paths: Sequence[str]) -> int:
    """Return the number of rows of all files, from their footers."""
    n_rows = 0
    for path in paths:
        with _open(path) as source:
            n_rows += read_footer(source, path)[0].num_rows
    return n_rows


def check_schemas(partitions: Sequence[Partition], columns: Sequence[str]) -> pa.Schema:
    """Check that all files have the columns that are needed, with types that go together.

    Parameters
    ----------
    partitions : sequence of Partition
        The partitions.
    columns : sequence of str
        The columns that are needed.

    Returns
    -------
    pyarrow.Schema
        The schema of the first file; each needed column has a type that holds those of all files.

    Raises
    ------
    InputError
        If a file cannot be read, lacks a column, or has another type; the error names the file.

    Notes
    -----
    Only the footers are read.
    Types go together if they are equal, if both are text, both bytes, both numbers, or both lists
    of such types. A column without values, or of empty lists only, goes with any type.
    """
    paths = [path for partition in partitions for path in partition.paths]
    return join_schemas(paths, read_partition_schemas(partitions), columns)


def join_schemas(
    paths: Sequence[str], schemas: Sequence[pa.Schema], columns: Sequence[str]
) -> pa.Schema:
    """Check schemas that are read already, as `check_schemas` does."""
    joined = schemas[0]
    for name in columns:
        kind, source = pa.null(), paths[0]
        for path, schema in zip(paths, schemas, strict=True):
            own = _find_type(path, schema, name)
            both = _join_types(kind, own)
            if both is None:
                raise InputError(
                    f"{show_path(path)}: column '{name}' is {own}, but {kind} in "
                    f"{show_path(source)}. "
                    "Write all files with one schema."
                )
            if both != kind:
                kind, source = both, path
        at = joined.get_field_index(name)
        field = pa.field(name, kind)
        joined = joined.append(field) if at < 0 else joined.set(at, field)
    return joined


def _find_type(path: str, schema: pa.Schema, name: str) -> pa.DataType:
    n_times = schema.names.count(name)
    if n_times == 1:
        return to_plain_type(schema.field(name).type)
    if n_times > 1:
        raise InputError(
            f"{show_path(path)}: more than one column is named '{name}'. Give each its own name."
        )
    fields = list_fields(schema)
    if name in fields:
        return to_plain_type(find_type(schema, fields[name]))
    known = list_known(schema.names, fields, name)
    raise InputError(f"{show_path(path)}: has no column '{name}'. {known}")


def _join_types(one: pa.DataType, other: pa.DataType) -> pa.DataType | None:
    """Return a type that holds the values of both; None where they do not go together."""
    if one == other or pa.types.is_null(other):
        return one
    if pa.types.is_null(one):
        return other
    if is_list(one) and is_list(other):
        inner = _join_types(one.value_type, other.value_type)
        return None if inner is None else pa.large_list(inner)
    if pa.types.is_dictionary(one) or pa.types.is_dictionary(other):
        return _join_types(*(_without_dictionary(kind) for kind in (one, other)))
    if is_text(one) and is_text(other):
        return pa.large_string()
    if is_bytes(one) and is_bytes(other):
        return pa.large_binary()
    if pa.types.is_integer(one) and pa.types.is_integer(other):
        both_unsigned = pa.types.is_unsigned_integer(one) and pa.types.is_unsigned_integer(other)
        return pa.uint64() if both_unsigned else pa.int64()
    if all(pa.types.is_integer(kind) or pa.types.is_floating(kind) for kind in (one, other)):
        return pa.float64()
    return None


def _without_dictionary(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_dictionary(kind) else kind
