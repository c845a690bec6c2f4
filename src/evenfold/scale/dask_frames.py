"""Partitions of Dask DataFrames, which are frames of pandas: what workers do with one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..exceptions import InputError
from .buckets import pack_rows, write_packed, write_table
from .locations import open_file_system

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

# The type of the column of parts.
TEXT = "string[pyarrow]"


def make_packed(function: Callable[[Any], pa.Table], task: Any) -> pd.DataFrame:
    """Return the packed rows of a task."""
    return to_packed_frame(pack_rows(function(task)))


def to_packed_frame(packed: pa.Table | None) -> pd.DataFrame:
    """Return packed rows as a frame that Dask does not take for text; None: no rows."""
    import pandas as pd
    import pyarrow as pa

    kind = pd.ArrowDtype(pa.large_binary())
    if packed is None:
        packed = pa.table({"bucket": pa.array([], pa.int32()), "rows": pa.array([], pa.binary())})
    rows = pd.Series(packed["rows"].cast(pa.large_binary()).to_pylist(), dtype=kind)
    return pd.DataFrame({"bucket": packed["bucket"].to_numpy(), "rows": rows})


def write_all_packed(frame: pd.DataFrame, folder: str) -> pd.DataFrame:
    """Write packed rows to the files of their buckets; return no rows."""
    for bucket, packed in frame.groupby("bucket", sort=False)["rows"]:
        write_packed(folder, int(bucket), packed)
    return frame.iloc[:0]


def write_frame(path: str, frame: pd.DataFrame) -> None:
    """Write a frame as a Parquet file, without its index."""
    import pyarrow as pa

    write_table(path, pa.Table.from_pandas(frame, preserve_index=False))


def read_parts(column: str, path: str) -> pd.DataFrame:
    """Return the column of a file that holds the parts of a partition."""
    import pyarrow.parquet as pq

    system, inner = open_file_system(path)
    return pq.read_table(inner, columns=[column], filesystem=system).to_pandas().astype(TEXT)


def add_parts(frame: pd.DataFrame, parts: pd.DataFrame) -> pd.DataFrame:
    """Return a frame with the columns of another one, row by row."""
    if len(frame) != len(parts):
        raise InputError(
            f"must have the same rows each time it is computed, got {len(frame):,} rows in a "
            f"partition that had {len(parts):,}. Write it to files first, and split these.",
            parameter="data",
        )
    return frame.assign(**{name: parts[name].to_numpy() for name in parts.columns}).astype(
        dict.fromkeys(parts.columns, TEXT)
    )
