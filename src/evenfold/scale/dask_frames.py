"""Partitions of Dask DataFrames, which are frames of pandas: what workers do with one."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

from .._checks.values import show_value
from ..exceptions import EvenfoldError, InputError
from .buckets import pack_rows, write_packed, write_table
from .locations import open_file_system

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

# The type of the column of parts.
TEXT = "string[pyarrow]"
# An array of two or more texts or whole numbers, as NumPy shows it.
_ITEM = r"""(?:'[^']*'|"[^"]*"|-?\d+)"""
_ARRAY = rf"^\[\s*{_ITEM}(?:\s+{_ITEM})+\s*\]$"


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


def write_frame(path: str, frame: pd.DataFrame, keep_index: bool) -> None:
    """Write a frame as a Parquet file, with or without its index."""
    import pyarrow as pa

    table = pa.Table.from_pandas(frame, preserve_index=keep_index)
    for name in frame.columns:
        _check_text(str(name), table[str(name)])
    write_table(path, table)


def _check_text(name: str, cells: pa.ChunkedArray) -> None:
    """Refuse the text of arrays, such as "['a' 'b']": Dask makes text of all objects."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if not (pa.types.is_string(cells.type) or pa.types.is_large_string(cells.type)):
        return
    is_array = pc.match_substring_regex(cells, _ARRAY)
    # The text of lists, "['a', 'b']", can be read, and so can arrays of one item.
    if (
        pc.any(is_array).as_py()
        and pc.all(pc.match_substring_regex(cells, r"(?s)^\[.*\]$")).as_py()
    ):
        example = cells.filter(is_array)[0].as_py()
        raise InputError(
            f"must hold lists, got {show_value(example)} in column '{name}', which is the text of "
            "an array. Call dask.config.set({'dataframe.convert-string': False}) before the "
            "DataFrame is made.",
            parameter="data",
        )


def list_running(keys: Collection[Any], dask_worker: Any) -> list[Any]:
    """Return which tasks a worker runs; also those that were cancelled go on to their end."""
    return [task.key for task in dask_worker.state.executing if task.key in keys]


def return_error(function: Callable[..., object], *args: Any) -> EvenfoldError | None:
    """Call a function, and return the error of evenfold that it raises.

    Dask writes errors that tasks raise to the log of the worker, which a user may see.
    """
    try:
        function(*args)
    except EvenfoldError as error:
        return error
    return None


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
