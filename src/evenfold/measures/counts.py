"""Counting: how many rows of each label each part holds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# Entries counted at once: enough to make the sums over parts × labels cheap, few enough to need little memory.
_AT_ONCE = 1 << 22


def count_by_part(
    indptr: NDArray[np.int64], indices: NDArray[np.int32], part_of_row: NDArray[np.int32], n_parts: int, n_labels: int
) -> NDArray[np.int64]:
    """Return (n_parts, n_labels) rows of each label in each part, without a dense rows × labels array."""
    total = np.zeros(n_parts * n_labels, np.int64)
    n_rows = len(part_of_row)
    start = 0
    while start < n_rows:
        stop = max(start + 1, int(np.searchsorted(indptr, indptr[start] + _AT_ONCE, side="right")) - 1)
        part = np.repeat(part_of_row[start:stop].astype(np.int64), np.diff(indptr[start : stop + 1]))
        total += np.bincount(part * n_labels + indices[indptr[start] : indptr[stop]], minlength=len(total))
        start = stop
    return total.reshape(n_parts, n_labels)
