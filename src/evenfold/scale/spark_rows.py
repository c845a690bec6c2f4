"""Rows of Spark in which numbers of tasks go to workers, and errors come back."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

# Errors return as rows of this bucket: Spark would wrap them in errors of its own.
ERRORS = -1


def read_numbers(batches: Iterator[pa.RecordBatch]) -> Iterator[int]:
    """Yield the numbers of the tasks in batches."""
    for batch in batches:
        yield from batch["id"].to_pylist()


def pack_error(error: Exception) -> pa.RecordBatch:
    """Return a row that holds an error."""
    import pyarrow as pa

    try:
        content = pickle.dumps(error)
        pickle.loads(content)
    except Exception:
        content = pickle.dumps(RuntimeError(f"{type(error).__name__}: {error}"))
    columns = {"bucket": pa.array([ERRORS], pa.int32()), "rows": pa.array([content], pa.binary())}
    return pa.RecordBatch.from_pydict(columns)


def raise_first(errors: Sequence[Any]) -> None:
    """Raise the error of the first row, if there is one."""
    for row in errors:
        raise pickle.loads(row.rows)
