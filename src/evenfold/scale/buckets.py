"""Rows on their way to buckets: cut by bucket, packed for an engine's shuffle, written to files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from .locations import join_path, write_whole

if TYPE_CHECKING:
    import pyarrow as pa

# The file of a bucket whose rows arrive together.
_NAME = "rows"


def cut_into_buckets(table: pa.Table) -> list[tuple[int, pa.Table]]:
    """Return the buckets that a table has rows of, and these rows without the column `bucket`."""
    buckets = table["bucket"].to_numpy()
    order = np.argsort(buckets, kind="stable")
    rows = table.drop_columns(["bucket"]).take(order)
    found, starts, n_rows = np.unique(buckets[order], return_index=True, return_counts=True)
    slices = zip(found.tolist(), starts.tolist(), n_rows.tolist(), strict=True)
    return [(bucket, rows.slice(start, n)) for bucket, start, n in slices]


def pack_rows(table: pa.Table) -> pa.Table:
    """Return the columns `bucket` and `rows`: the rows of each bucket as the bytes of a table.

    Engines shuffle these few long values faster than many rows, and need not know the types of the
    columns: Spark has no unsigned numbers, and a frame of pandas has no lists.
    """
    import pyarrow as pa

    cut = cut_into_buckets(table)
    return pa.table(
        {
            "bucket": pa.array([bucket for bucket, _ in cut], pa.int32()),
            "rows": pa.array([_to_bytes(rows) for _, rows in cut], pa.binary()),
        }
    )


def write_packed(folder: str, bucket: int, packed: Iterable[Any]) -> None:
    """Write all packed rows of a bucket to one file."""
    import pyarrow as pa

    tables = []
    for content in packed:
        with pa.ipc.open_stream(content) as reader:
            tables.append(reader.read_all())
    write_bucket(folder, bucket, pa.concat_tables(tables, promote_options="default"), _NAME)


def write_bucket(folder: str, bucket: int, rows: pa.Table, name: str) -> None:
    """Write rows of a bucket as a file of its folder."""
    write_table(join_path(folder, f"bucket={bucket}", f"{name}.parquet"), rows)


def write_table(path: str, table: pa.Table) -> None:
    """Write a table as a Parquet file, whole."""
    import pyarrow.parquet as pq

    write_whole(path, lambda file: pq.write_table(table, file))


def _to_bytes(table: pa.Table) -> bytes:
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    # `combine_chunks` also copies slices, which would be written with all of their parent's rows.
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table.combine_chunks())
    return bytes(sink.getvalue())
