"""Values as 64-bit numbers that are the same in every file, process and run."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ..labels.arrow_cells import is_bytes, is_text

# Numbers below it are exact as float64.
_LARGEST_EXACT = float(1 << 53)

# Rows whose labelsets are hashed at once: the hashes of their labels take 16 bytes an entry.
_ROWS_AT_ONCE = 65_536


def mix(numbers: NDArray[Any]) -> NDArray[np.uint64]:
    """Return a mixed number for each whole number, never the same for two of them.

    It is the finaliser of splitmix64 (Steele, Lea and Flood 2014).
    """
    value = numbers.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: NDArray[np.uint64] = value ^ (value >> np.uint64(31))
    return mixed


def hash_bytes(kind: str, content: bytes) -> int:
    """Return the hash of text or bytes."""
    digest = hashlib.blake2b(content, digest_size=8, person=kind.encode()).digest()
    return int.from_bytes(digest, "little")


def hash_names(names: Sequence[Any]) -> NDArray[np.uint64]:
    """Return the hash of each label name, text or whole number."""
    if all(isinstance(name, int) for name in names):
        return mix(np.array(names, np.int64))
    return np.array([hash_bytes("text", str(name).encode()) for name in names], np.uint64)


def hash_labelsets(
    hash_of_label: NDArray[np.uint64], lengths: NDArray[Any], indices: NDArray[np.int32]
) -> NDArray[np.uint64]:
    """Return the hash of each row's labels: their sum, which no order or numbering changes."""
    stops = np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))
    hash_of_row = np.empty(len(lengths), np.uint64)
    for start in range(0, len(lengths), _ROWS_AT_ONCE):
        own = stops[start : start + _ROWS_AT_ONCE + 1]
        sums = np.zeros(int(own[-1] - own[0]) + 1, np.uint64)
        np.cumsum(hash_of_label[indices[own[0] : own[-1]]], out=sums[1:])
        ends = sums[own - own[0]]
        hash_of_row[start : start + len(own) - 1] = ends[1:] - ends[:-1]
    return hash_of_row


def hash_rows_alone(partition: int, start: int, n_rows: int) -> NDArray[np.uint64]:
    """Return a hash of its own for each row of a partition, for rows that belong to no group."""
    base = np.uint64(hash_bytes("no group", str(partition).encode()))
    return mix(base ^ mix(np.arange(start, start + n_rows)))


def hash_values(cells: pa.Array) -> NDArray[np.uint64]:
    """Return the hash of each value; what a missing value gets has no meaning.

    Whole numbers get the same hash in every type of number. Text is hashed once for each different
    value.

    Parameters
    ----------
    cells : pyarrow.Array
        Values of any type but lists and structs.

    Returns
    -------
    ndarray of uint64
        (n_cells,) the hashes.
    """
    kind = cells.type
    if isinstance(cells, pa.ExtensionArray):
        return hash_values(cells.storage)
    if pa.types.is_dictionary(kind):
        return _take(hash_values(cells.dictionary), cells.indices)
    if pa.types.is_null(kind):
        return np.zeros(len(cells), np.uint64)
    if pa.types.is_floating(kind):
        return _hash_floats(cells.cast(pa.float64()).to_numpy(zero_copy_only=False))
    if pa.types.is_integer(kind):
        return mix(pc.fill_null(cells, 0).to_numpy(zero_copy_only=False))
    if pa.types.is_temporal(kind) and not pa.types.is_interval(kind):
        width = pa.int32() if kind.bit_width == 32 else pa.int64()
        return hash_values(cells.cast(width))
    coded = (
        cells.cast(pa.large_binary()) if is_bytes(kind) else cells.cast(pa.large_string())
    ).dictionary_encode()
    word = "bytes" if is_bytes(kind) else "text" if is_text(kind) else "value"
    hashes = [
        hash_bytes(word, value) for value in coded.dictionary.cast(pa.large_binary()).to_pylist()
    ]
    return _take(np.array(hashes, np.uint64), coded.indices)


def _take(hashes: NDArray[np.uint64], indices: pa.Array) -> NDArray[np.uint64]:
    place = pc.fill_null(indices, 0).to_numpy(zero_copy_only=False)
    return hashes[place] if len(hashes) else np.zeros(len(place), np.uint64)


def _hash_floats(numbers: NDArray[np.float64]) -> NDArray[np.uint64]:
    # The bits of other numbers are mixed twice, so that they are not those of a whole number.
    hashes = mix(mix(numbers.view(np.uint64)))
    is_whole = (np.abs(numbers) <= _LARGEST_EXACT) & (numbers == np.trunc(numbers))
    hashes[is_whole] = mix(numbers[is_whole].astype(np.int64))
    return hashes


def find_missing(cells: pa.Array, *, blank: bool = True) -> NDArray[np.bool_]:
    """Tell which values are missing: null, NaN and, with `blank`, blank text."""
    if isinstance(cells, pa.ExtensionArray):
        cells = cells.storage
    found: NDArray[np.bool_]
    if pa.types.is_dictionary(cells.type):
        gone = np.append(find_missing(cells.dictionary, blank=blank), True)
        found = gone[
            pc.fill_null(cells.indices.cast(pa.int64()), -1).to_numpy(zero_copy_only=False)
        ]
        return found
    found = pc.is_null(cells, nan_is_null=True).to_numpy(zero_copy_only=False)
    if blank and is_text(cells.type):
        is_blank = pc.equal(pc.utf8_trim_whitespace(cells.cast(pa.large_string())), "")
        found = found | pc.fill_null(is_blank, False).to_numpy(zero_copy_only=False)
    return found
