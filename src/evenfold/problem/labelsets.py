"""Labelsets: which rows or units have exactly the same labels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def number_labelsets(
    indptr: NDArray[np.int64], indices: NDArray[np.int32], amounts: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return (n_units,) numbers, equal where two units hold the same criteria and amounts.

    They are numbered by first appearance. A set is identified by two 64-bit sums of scrambled
    criterion numbers, which needs no Python object per row. Two different sets agree in one sum
    with a probability of about n² / 2⁶⁵, a millionth for five million rows. Then some of their rows
    count as separate sets. They agree in both sums with a probability of n² / 2¹²⁹.
    """
    key = _sum_of_scrambles(indptr, indices, amounts, 1)
    other = _sum_of_scrambles(indptr, indices, amounts, 2)
    # Sorting by one sum takes half the time of sorting by two.
    order = np.argsort(key)
    is_new = np.ones(len(order), bool)
    is_new[1:] = (key[order[1:]] != key[order[:-1]]) | (other[order[1:]] != other[order[:-1]])
    number = np.empty(len(order), np.int64)
    number[order] = np.cumsum(is_new) - 1
    first = np.empty(int(is_new.sum()), np.int64)
    # Assigned from the last to the first, so that the first stays.
    first[number[::-1]] = np.arange(len(order) - 1, -1, -1)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[number]


def _sum_of_scrambles(
    indptr: NDArray[np.int64], indices: NDArray[np.int32], amounts: NDArray[np.int64], salt: int
) -> NDArray[np.uint64]:
    scrambled = _scramble(
        np.arange(int(indices.max(initial=-1)) + 1, dtype=np.uint64) * np.uint64(2)
        + np.uint64(salt << 33)
    )[indices]
    if len(amounts):
        scrambled = _scramble(scrambled + amounts.astype(np.uint64))
    sums = np.zeros(len(indptr) - 1, np.uint64)
    held = np.flatnonzero(indptr[1:] > indptr[:-1])
    if len(held):
        sums[held] = np.add.reduceat(scrambled, indptr[held])
    return sums


def _scramble(value: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Mix the bits (the finaliser of splitmix64), so that sums of different sets differ."""
    value = value + np.uint64(0x9E3779B97F4A7C15)
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))
