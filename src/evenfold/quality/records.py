"""Records: columns of one length, read by name, by attribute and by row."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

Records = np.recarray[Any, Any]


def make_records(**columns: NDArray[Any]) -> Records:
    """Return a record array with these columns."""
    length = len(next(iter(columns.values())))
    records: Records = np.recarray(
        length, dtype=np.dtype([(name, column.dtype) for name, column in columns.items()])
    )
    for name, column in columns.items():
        records[name] = column
    records.flags.writeable = False
    return records


def list_records(records: Records) -> list[dict[str, Any]]:
    """Return the records as plain dicts, fit for JSON."""
    names = records.dtype.names or ()
    return [dict(zip(names, map(to_plain, record), strict=True)) for record in records.tolist()]


def to_plain(value: Any) -> Any:
    """Return what JSON can hold: undefined is None, infinite the string "Infinity"."""
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "Infinity"
    return value if isinstance(value, str | int | float) else str(value)
