"""The pass `write`: each partition is written again, with a column that names the part of a row."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..exceptions import InputError
from .locations import open_file_system, stamp_file, write_whole
from .partitions import Partition, explain_reading

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from .work_folder import WorkFolder

# Row groups of files that hold only parts, or keys and parts.
_ROWS_AT_ONCE = 1 << 20


class WriteTask(NamedTuple):
    """One partition to write.

    Attributes
    ----------
    number : int
        The number of the partition.
    partition : Partition
        Its files.
    target : str
        The file to write: a path or a URL.
    """

    number: int
    partition: Partition
    target: str


def write_partition(task: WriteTask, shared: Mapping[str, Any], work: WorkFolder) -> dict[str, Any]:
    """Write the rows of a partition with their parts, in the order of the rows.

    Parameters
    ----------
    task : WriteTask
        The partition and the file to write.
    shared : mapping
        `names`, the names of the parts; `column`, the name of the new column; and `columns`, the
        columns to write before it. None means all of them, an empty list the new column alone. Of
        a partition that is sorted by a key, only the key and the new column are written.
    work : WorkFolder
        Has `part_of_row` of the partition in its record `parts-…`.

    Returns
    -------
    dict
        `n_rows`; `rows_of_part` (n_parts,); `digest`, the SHA-256 of the parts of the rows as
        little-endian numbers of 16 bits; and `stamp`, the size and the stamp of the file.

    Raises
    ------
    InputError
        If a file no longer has the rows that were read, or has a column of that name.

    Notes
    -----
    The bytes of the other columns are copied where all of them are written, so the schema, the
    metadata, the row groups and the compression are those of the file. Memory is bounded: a file
    is never read as a whole.
    """
    part_of_row = np.asarray(work.load(f"parts-{task.number:05d}")["part_of_row"])
    partition = task.partition
    added = _Added(str(shared["column"]), list(shared["names"]), part_of_row)
    columns = shared.get("columns") if partition.key is None else [partition.key]
    is_written = True
    if columns is not None and not columns:
        write_whole(task.target, added.write_alone)
    # A key without rows has no type, and Spark needs no file of it.
    elif partition.paths:
        write_whole(task.target, lambda out: _write_columns(out, partition, columns, added))
    else:
        is_written = False
    return {
        "n_rows": len(part_of_row),
        "rows_of_part": np.bincount(part_of_row, minlength=len(added.names)).astype(np.int64),
        "digest": digest_parts(part_of_row),
        "stamp": list(stamp_file(task.target)) if is_written else None,
    }


def forget_changed_files(tasks: Sequence[WriteTask], work: WorkFolder) -> None:
    """Remove the results of tasks whose files are not there any more as they were written.

    Another run may have replaced them.

    Parameters
    ----------
    tasks : sequence of WriteTask
        The tasks.
    work : WorkFolder
        Has the results of an earlier attempt as records `write-…`.
    """
    done = work.list_done("write")
    if done:
        # Workers have written files, so what fsspec has kept of the folder is out of date.
        open_file_system(tasks[0].target)[0].invalidate_cache()
    for task in tasks:
        if task.number in done:
            name = f"write-{task.number:05d}"
            stamp = work.load(name).get("stamp")
            if not stamp or not stamp[1] or not _has_stamp(task.target, stamp):
                work.remove_record(name)


def _has_stamp(path: str, stamp: Sequence[Any]) -> bool:
    try:
        return list(stamp_file(path)) == list(stamp)
    except FileNotFoundError:
        return False


def digest_parts(part_of_row: NDArray[np.integer[Any]]) -> str:
    """Return the SHA-256 of the parts of rows, as hexadecimal digits."""
    return hashlib.sha256(part_of_row.astype("<u2").tobytes()).hexdigest()


def check_new_column(schema: pa.Schema, column: str, path: str) -> None:
    """Refuse to add a column to a file that has one of that name."""
    if column in schema.names:
        raise InputError(
            f"must be a new column, got {column!r}, which {path} has already. Name another one.",
            parameter="column",
        )


class _Added(NamedTuple):
    """The column that is added.

    Attributes
    ----------
    column : str
        Its name.
    names : list of str
        The names of the parts.
    part_of_row : ndarray of shape (n_rows,)
        The number of each row's part.
    """

    column: str
    names: list[str]
    part_of_row: NDArray[np.integer[Any]]

    def extend_schema(self, schema: pa.Schema) -> pa.Schema:
        """Return the schema with this column at its end."""
        import pyarrow as pa

        return schema.append(pa.field(self.column, pa.string()))

    def extend_batches(
        self, name: str, batches: Iterable[pa.RecordBatch]
    ) -> Iterator[pa.RecordBatch]:
        """Yield the batches with this column at their ends; refuse another number of rows."""
        import pyarrow as pa

        from ..files.row_chunks import number_chunks

        texts = pa.array(self.names, pa.string())
        for start, batch in number_chunks(name, batches, len(self.part_of_row)):
            own = self.part_of_row[start : start + batch.num_rows]
            yield batch.append_column(self.column, texts.take(pa.array(own)))

    def write_alone(self, out: BinaryIO) -> None:
        """Write a file of this column alone."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        schema = self.extend_schema(pa.schema([]))
        texts = pa.array(self.names, pa.string())
        with pq.ParquetWriter(out, schema) as writer:
            for start in range(0, len(self.part_of_row), _ROWS_AT_ONCE):
                own = pa.array(self.part_of_row[start : start + _ROWS_AT_ONCE])
                writer.write_table(pa.table([texts.take(own)], schema=schema))


def _write_columns(
    out: BinaryIO, partition: Partition, columns: Sequence[str] | None, added: _Added
) -> None:
    """Write all columns, or some of them, and the parts."""
    from ..files.codecs.parquet_append import append_column
    from ..files.codecs.parquet_options import (
        find_writer_options,
        open_parquet_writer,
        use_dictionaries,
    )
    from ..files.part_buffers import PartBuffer, write_rows

    path = partition.paths[0]
    file_system, inner = open_file_system(path)
    with explain_reading(path), file_system.open(inner, "rb") as file:
        metadata, schema = _read_footer(file)
        check_new_column(schema, added.column, path)
        options = find_writer_options(metadata)
        if columns is None and len(partition.paths) == 1:
            for_column = use_dictionaries(options, [added.column])
            if append_column(file, out, *added, **for_column):
                return
    # The columns are decoded and written again: some are left out, or several files become one, or
    # the footer is encrypted or very long, or the file has other rows now, which is refused.
    schema = added.extend_schema(schema if columns is None else _select(schema, columns))
    batches = added.extend_batches(path, partition.read(columns))
    with open_parquet_writer(out, schema, options, [schema.field(added.column)]) as writer:
        into_one = np.zeros(len(added.part_of_row), np.int32)
        rows_at_once = -(-metadata.num_rows // max(1, metadata.num_row_groups))
        write_rows(path, batches, [PartBuffer(writer, schema)], into_one, rows_at_once)


def _read_footer(file: Any) -> tuple[pq.FileMetaData, pa.Schema]:
    import pyarrow.parquet as pq

    opened = pq.ParquetFile(file)
    return opened.metadata, opened.schema_arrow


def _select(schema: pa.Schema, columns: Sequence[str]) -> pa.Schema:
    import pyarrow as pa

    return pa.schema([schema.field(column) for column in columns])
