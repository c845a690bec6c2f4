"""Parquet: a file, a folder of files and folders, or a pattern such as data/*.parquet."""

from __future__ import annotations

import glob
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from ..._checks.values import show_some
from ...exceptions import InputError
from ...labels.arrow_cells import is_list, is_text
from ..arrow_types import to_plain_types
from ..codecs.parquet_append import append_column
from ..codecs.parquet_chunks import find_wrong_chunk
from ..codecs.parquet_encryption import find_encrypted_columns
from ..codecs.parquet_options import (
    find_writer_options,
    open_parquet_writer,
    use_dictionaries,
)
from ..columnar import ColumnarFile
from ..compression import find_suffix
from ..damage import CHECK_FORMAT, explain_arrow_damage
from ..datafile import DataFile
from ..hive_folders import append_fields, append_keys, find_folder_keys
from ..parquet_folders import list_parquet_files
from ..registry import find_formats
from ..same_schema import check_same_schema
from ..struct_fields import read_with_fields

# A batch has at most this many rows, and about this many bytes.
_MAX_ROWS = 65_536
_MAX_BYTES = 32 << 20
# Without this, Arrow keeps whole column chunks in memory, which for images is the row group.
_IN_PIECES: dict[str, Any] = {"pre_buffer": False, "buffer_size": 1 << 20}


class Parquet(ColumnarFile):
    """One table in one or more parquet files of the same schema, in the order of their paths.

    Notes
    -----
    Parts keep schema, key-value metadata and the compression of each column; of several files,
    those of the first.
    The names of folders below the one that is named may hold columns, such as y=1. They come after
    those of the files. If the files have such a column too, it is read from them.
    """

    format: ClassVar[str] = "parquet"
    suffix: ClassVar[str] = ".parquet"

    def __init__(self, path: Path, name: str | None = None) -> None:
        self._files, base = _find_files(path)
        # One file is called as the whole, several by their own paths.
        self._names = [(name or str(path)) if file == path else str(file) for file in self._files]
        metadata, schema = read_footer(self._files[0], self._names[0])
        folders = [file.relative_to(base).parent.as_posix() for file in self._files]
        self._keys = [
            [key for key in keys if schema.get_field_index(key.name) < 0]
            for keys in find_folder_keys(self._names, folders)
        ]
        self._key_names = {key.name for key in self._keys[0]}
        self._file_schema = schema
        super().__init__(path, append_fields(schema, self._keys[0]), name)
        self._writer_options = find_writer_options(metadata)
        # Each file has its own: writers name the elements of a list differently.
        self._texts_in_lists = [find_texts_in_lists(metadata, schema)]
        self.rows_at_once = _largest_row_group(metadata)
        self._n_rows_of_file = [metadata.num_rows]
        for file, own_name in zip(self._files[1:], self._names[1:], strict=True):
            metadata, schema = read_footer(file, own_name)
            check_same_schema(file, schema, self._files[0], self._file_schema)
            self._texts_in_lists.append(find_texts_in_lists(metadata, schema))
            self.rows_at_once = max(self.rows_at_once, _largest_row_group(metadata))
            self._n_rows_of_file.append(metadata.num_rows)
        self.n_rows_stated = sum(self._n_rows_of_file)

    def list_files(self, n_rows: int) -> list[tuple[DataFile, int]]:
        """Return each file by itself, without the columns in the names of its folders."""
        if len(self._files) == 1:
            return [(self, n_rows)]
        pairs = zip(self._files, self._n_rows_of_file, strict=True)
        return [(Parquet(file), n_own) for file, n_own in pairs]

    def read_batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield these columns, a bounded number of rows and of bytes at a time."""
        return read_with_fields(
            self._read_columns, columns, self.columns, self.fields, reads_paths=True
        )

    def _read_columns(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield columns; given the path of a field, a struct of such fields."""
        # Lists of text are labels. Read as codes of a dictionary, as which most files store them,
        # they take a third of the time.
        for batch in self._read(list(columns), self._texts_in_lists):
            yield to_plain_types(batch)

    def read_all_columns(self) -> Iterator[pa.RecordBatch]:
        """Yield all rows with the types they have in the files."""
        return self._read(None, [[]] * len(self._files))

    def _read(
        self, columns: list[str] | None, as_dictionary: list[list[str]]
    ) -> Iterator[pa.RecordBatch]:
        """Yield columns, all where they are None; these leaves of each file as dictionary codes."""
        for path, name, leaves, keys in zip(
            self._files, self._names, as_dictionary, self._keys, strict=True
        ):
            if columns is not None:
                keys = [key for key in keys if key.name in columns]
            own = columns and [column for column in columns if column not in self._key_names]
            for batch in read_row_groups(path, name, own, leaves):
                yield append_keys(batch, keys)

    def write_with_column(
        self, target: Path, column: str, values: Sequence[str], code_of_row: NDArray[np.int32]
    ) -> None:
        """Write the file with one more text column at the end.

        The bytes of the other columns are copied where that is possible; several files are
        decoded and written again as one.
        """
        self.check_new(column)
        if len(self._files) == 1 and not self._keys[0]:
            options = use_dictionaries(self._writer_options, [column])
            with self._files[0].open("rb") as file, target.open("wb") as out:
                if append_column(file, out, column, values, code_of_row, **options):
                    return
        super().write_with_column(target, column, values, code_of_row)

    def open_writer(self, target: Path, schema: pa.Schema) -> pq.ParquetWriter:
        """Open one new parquet file."""
        added = list(schema)[len(self._file_schema) :]
        return open_parquet_writer(target, schema, self._writer_options, added)


def read_row_groups(
    source: Any, name: str, columns: Sequence[str] | None, as_dictionary: Sequence[str] = ()
) -> Iterator[pa.RecordBatch]:
    """Yield the rows of one file, a bounded number of rows and of bytes at a time.

    Parameters
    ----------
    source : path or file
        A path, or a file open for reading.
    name : str
        What messages call the file.
    columns : sequence of str or None
        The columns to read; None for all.
    as_dictionary : sequence of str, default=()
        The paths of the leaves that are read as codes of a dictionary.

    Yields
    ------
    pyarrow.RecordBatch
        The next rows.
    """
    with (
        explain_arrow_damage(name),
        pq.ParquetFile(source, read_dictionary=list(as_dictionary), **_IN_PIECES) as file,
    ):
        for at in range(file.num_row_groups):
            n_rows = _count_rows_at_once(file.metadata.row_group(at))
            with explain_arrow_damage(name, f"cannot be read in row group {at}"):
                yield from file.iter_batches(n_rows, row_groups=[at], columns=columns)


def read_footer(source: Any, name: str) -> tuple[pq.FileMetaData, pa.Schema]:
    """Return the metadata and the schema of one file, given by its path or open for reading.

    A file with encrypted columns is refused.
    """
    with explain_arrow_damage(name), pq.ParquetFile(source) as file:
        metadata, schema = file.metadata, file.schema_arrow
    is_open = hasattr(source, "read")
    with nullcontext(source) if is_open else Path(source).open("rb") as content:
        encrypted = find_encrypted_columns(content, metadata.serialized_size)
        wrong = None if encrypted else find_wrong_chunk(content, metadata)
    if encrypted:
        raise InputError(
            f"{name}: has encrypted columns ({show_some(encrypted, 5)}), for which evenfold has "
            "no keys. Write the file again without encryption, or without these columns."
        )
    if wrong:
        raise InputError(f"{name}: cannot be read: {wrong}. {CHECK_FORMAT}")
    return metadata, schema


def _find_files(path: Path) -> tuple[list[Path], Path]:
    """Return the files, and the folder below which the names of folders hold columns."""
    if path.is_dir():
        found = list_parquet_files(path)
        if not found:
            raise InputError(f"{path}: is a folder without parquet files. {_advise(path)}")
        return found, path
    if path.exists() or not glob.has_magic(str(path)):
        return [path], path.parent
    # Path.glob takes no absolute pattern.
    found = [Path(name) for name in glob.glob(str(path), recursive=True)]  # noqa: PTH207
    if not found:
        raise InputError(f"{path}: matches no file. Check the pattern.")
    return sorted(found), next(own for own in path.parents if not glob.has_magic(str(own)))


def _advise(folder: Path) -> str:
    """Say how to name the files of a folder without parquet files."""
    for path in sorted(folder.iterdir()):
        found = find_formats(path) if path.is_file() else []
        if found:
            pattern = str(folder / f"*{find_suffix(path)}")
            return f"Name its {found[0]} files: '{pattern}'."
    return "Name the folder that holds them, or a pattern such as data/*/*.parquet."


def _count_rows_at_once(group: pq.RowGroupMetaData) -> int:
    """Return how many rows of a row group to read at a time."""
    n_rows: int = _MAX_BYTES * group.num_rows // max(1, group.total_byte_size)
    return max(1, min(_MAX_ROWS, n_rows))


def find_texts_in_lists(metadata: pq.FileMetaData, schema: pa.Schema) -> list[str]:
    """Return the paths of the columns of lists of text."""
    names = tuple(
        f"{field.name}."
        for field in schema
        if is_list(field.type) and is_text(field.type.value_type)
    )
    paths = (metadata.schema.column(at).path for at in range(metadata.num_columns))
    return [path for path in paths if path.startswith(names)]


def _largest_row_group(metadata: pq.FileMetaData) -> int:
    return max(
        (metadata.row_group(at).num_rows for at in range(metadata.num_row_groups)), default=0
    )
