"""The pass `read`: a partition → labels, groups, balanced columns and keys as numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from .._checks.values import show_value
from ..exceptions import InputError
from ..files.label_columns.codes import Vocabulary
from ..files.label_columns.reading import number_rows
from ..labels.arrow_cells import remove_texts
from .columns import Columns
from .partition_file import PartitionFile, read_known_labels
from .partitions import Partition
from .value_hashes import find_missing, hash_labelsets, hash_names, hash_rows_alone, hash_values


def read_partition(
    partition: Partition, columns: Columns, *, labelsets: bool = False
) -> dict[str, Any]:
    """Read one partition into arrays and lists that can be saved.

    Parameters
    ----------
    partition : Partition
        The partition; it may have no rows.
    columns : Columns
        The columns to read, and how.
    labelsets : bool, default=False
        Whether to count the different sets of labels.

    Returns
    -------
    dict
        `n_rows`; `lengths`, the number of labels of each row; `indices`, the labels of the rows as
        numbers of `names`, sorted in each row; `names`, in the order of `merge_names`; `counts`,
        the rows of each label. With groups, `groups`, a hash of each row's group, and
        `n_without_group`, the rows that have none. With fixed parts, `fixed`, numbers of
        `fixed_names`, -1 where a row is free. For the column number i of `balance`,
        `balance_i_numbers`, NaN where missing, or `balance_i_codes`, numbers of
        `balance_i_values`, in which None stands for missing values. With a key, `keys`, its sorted
        hashes. With `labelsets`, `labelset_hashes`, sorted, and `labelset_counts`.

    Raises
    ------
    InputError
        If a cell cannot be read, or if a key is missing or repeated; it names file and column.
    """
    file = PartitionFile([partition], columns.needed)
    labels = read_known_labels(file, columns.form)
    record: dict[str, Any] = {
        "n_rows": labels.n_rows,
        "lengths": np.diff(labels.indptr).astype(np.uint32),
        "indices": labels.indices,
        "names": list(labels.names),
        "counts": labels.count_of_label,
    }
    if labelsets:
        hash_of_row = hash_labelsets(hash_names(labels.names), record["lengths"], record["indices"])
        hashes, counts = np.unique(hash_of_row, return_counts=True)
        record["labelset_hashes"], record["labelset_counts"] = hashes, counts.astype(np.int64)
    if columns.groups is not None:
        record["groups"], record["n_without_group"] = _read_groups(
            file, columns.groups, partition.number
        )
    if columns.fixed is not None:
        record["fixed"], record["fixed_names"] = _read_fixed(file, columns.fixed)
    for at, name in enumerate(columns.balance):
        if columns.balance_is_number[at]:
            record[f"balance_{at}_numbers"] = _read_numbers(file, name)
        else:
            codes, values = _read_categories(file, name)
            record[f"balance_{at}_codes"], record[f"balance_{at}_values"] = codes, values
    if columns.key is not None:
        record["keys"] = _read_keys(file, columns.key)
    return record


def _read_column(file: PartitionFile, name: str) -> Iterator[tuple[int, pa.Array]]:
    for start, batch in number_rows(file, [name]):
        yield start, batch.column(0)


def _read_groups(file: PartitionFile, name: str, number: int) -> tuple[NDArray[np.uint64], int]:
    """Return the hash of each row's group, and how many rows have none and are alone."""
    pieces, n_alone = [np.empty(0, np.uint64)], 0
    for start, cells in _read_column(file, name):
        hashes, is_alone = hash_values(cells), find_missing(cells)
        hashes[is_alone] = hash_rows_alone(number, start, len(cells))[is_alone]
        pieces.append(hashes)
        n_alone += int(is_alone.sum())
    return np.concatenate(pieces), n_alone


def _read_fixed(file: PartitionFile, name: str) -> tuple[NDArray[np.int32], list[str]]:
    vocabulary = Vocabulary()
    pieces = [np.empty(0, np.int32)]
    for _, cells in _read_column(file, name):
        texts = cells.cast(pa.large_string())
        pieces.append(vocabulary.encode(remove_texts(texts, pa.array(find_missing(cells)))))
    return np.concatenate(pieces), list(vocabulary)


def _read_numbers(file: PartitionFile, name: str) -> NDArray[np.float64]:
    pieces = [np.empty(0)]
    for start, cells in _read_column(file, name):
        numbers = cells.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
        infinite = np.flatnonzero(np.isinf(numbers))
        if infinite.size:
            raise InputError(
                f"column '{name}' of {file.name} must hold finite numbers, "
                f"got {numbers[infinite[0]]} at row {start + infinite[0]}.",
                parameter="balance",
            )
        pieces.append(numbers)
    return np.concatenate(pieces)


def _read_categories(file: PartitionFile, name: str) -> tuple[NDArray[np.int32], list[Any]]:
    vocabulary = Vocabulary()
    pieces = [np.empty(0, np.int32)]
    for _, cells in _read_column(file, name):
        codes = vocabulary.encode(cells)
        if (codes < 0).any():
            codes[codes < 0] = vocabulary.number(None)
        pieces.append(codes)
    values = [
        value if value is None or isinstance(value, str | int) else str(value)
        for value in vocabulary
    ]
    return np.concatenate(pieces), values


def _read_keys(file: PartitionFile, name: str) -> NDArray[np.uint64]:
    pieces = [np.empty(0, np.uint64)]
    for start, cells in _read_column(file, name):
        missing = np.flatnonzero(find_missing(cells, blank=False))
        if missing.size:
            raise InputError(
                f"must be there in every row, got none in column '{name}' of {file.name} at row "
                f"{start + missing[0]}. Give each row a key of its own.",
                parameter="key",
            )
        pieces.append(hash_values(cells))
    hash_of_row = np.concatenate(pieces)
    keys = np.sort(hash_of_row)
    repeated = np.flatnonzero(keys[1:] == keys[:-1])
    if repeated.size:
        row = int(np.flatnonzero(hash_of_row == keys[repeated[0]])[0])
        value = next(
            cells[row - start].as_py()
            for start, cells in _read_column(file, name)
            if start <= row < start + len(cells)
        )
        raise InputError(
            f"must differ from row to row, got {show_value(value)} more than once in column "
            f"'{name}' of {file.name}. Give each row a key of its own.",
            parameter="key",
        )
    return keys
