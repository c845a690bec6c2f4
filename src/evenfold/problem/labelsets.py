"""Labelsets: which rows or units have exactly the same labels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .._kernels.entries import number_equal_rows

# Bits of the random number of a criterion: sums over the criteria of a unit stay below 63 bits.
_SCRAMBLE_BITS = 40


def number_labelsets(
    indptr: NDArray[np.int64], indices: NDArray[np.int32], amounts: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return (n_units,) numbers, equal where two units hold the same criteria and amounts.

    They are numbered by first appearance. The criteria of each unit must be sorted. Equal units are
    found by a sum of scrambled criterion numbers, which needs no Python object per unit.
    """
    n_units = len(indptr) - 1
    number, keys = np.empty(n_units, np.int64), np.empty(n_units, np.int64)
    table = np.full(1 << (2 * n_units).bit_length(), -1, np.int64)
    number_equal_rows.for_work(2 * len(indices) + n_units)(
        indptr, indices, amounts, _scramble(int(indices.max(initial=-1)) + 1), keys, table, number
    )
    return number


def _scramble(n_criteria: int) -> NDArray[np.int64]:
    """Return a mixed number for each criterion (the finaliser of splitmix64, its upper bits)."""
    value = np.arange(n_criteria, dtype=np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    value = value ^ (value >> np.uint64(31))
    return (value >> np.uint64(64 - _SCRAMBLE_BITS)).astype(np.int64)
