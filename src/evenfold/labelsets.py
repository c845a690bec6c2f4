"""Labelsets: which rows or units hold exactly the same."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def number_labelsets(indptr: NDArray[np.int64], indices: NDArray[np.int32], amounts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return (n_units,) numbers, equal where two units hold the same criteria in the same amounts, by first appearance.

    A set is known by two 64-bit sums of scrambled criterion numbers. That two different sets agree in both has a chance of
    about n² / 2¹²⁹, less than that of a memory error, and costs no Python object per row.
    """
    keys = np.stack([_sum_of_scrambles(indptr, indices, amounts, salt) for salt in (1, 2)], axis=1)
    order = np.lexsort((keys[:, 1], keys[:, 0]))
    is_new = np.ones(len(order), bool)
    is_new[1:] = (keys[order[1:]] != keys[order[:-1]]).any(axis=1)
    number = np.empty(len(order), np.int64)
    number[order] = np.cumsum(is_new) - 1
    first = np.full(int(is_new.sum()), len(order))
    np.minimum.at(first, number, np.arange(len(order)))
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[number]


def _sum_of_scrambles(indptr: NDArray[np.int64], indices: NDArray[np.int32], amounts: NDArray[np.int64], salt: int) -> NDArray[np.uint64]:
    scrambled = _scramble(np.arange(int(indices.max(initial=-1)) + 1, dtype=np.uint64) * np.uint64(2) + np.uint64(salt << 33))[indices]
    if len(amounts):
        scrambled = _scramble(scrambled + amounts.astype(np.uint64))
    running = np.concatenate((np.zeros(1, np.uint64), np.cumsum(scrambled)))
    return running[indptr[1:]] - running[indptr[:-1]]


def _scramble(value: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Mix the bits (the finaliser of splitmix64), so that sums of different sets differ."""
    value = value + np.uint64(0x9E3779B97F4A7C15)
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))
