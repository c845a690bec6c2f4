"""Records: columns of one length that can be asked for by name, by attribute and by row."""

from __future__ import annotations

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
