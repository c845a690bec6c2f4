"""The scheme `memory`: the labels of all partitions, split by `evenfold.split` itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..labels.balances import check_balance
from ..labels.labels import Labels
from ..problem.parts import Parts
from ..splits.make_split import make_split
from ..splits.split_result import Split
from .columns import Columns
from .work_folder import WorkFolder

# Bytes that a split in memory takes for a label entry, and for a row. Measured with row profiles:
# 55 bytes an entry with 5 labels a row (3 million rows), 30 with 43 (0.3 million rows).
BYTES_OF_ENTRY, BYTES_OF_ROW = 28, 120


def split_in_memory(
    work: WorkFolder,
    n_partitions: int,
    names: Sequence[Any],
    columns: Columns,
    parts: Parts,
    settings: Mapping[str, Any],
) -> Split:
    """Split the rows of all partitions as `evenfold.split` does."""
    records = [work.load(f"units-{number:05d}") for number in range(n_partitions)]
    labels = join_labels(records, names)
    groups = None
    if columns.groups is not None:
        groups = {columns.groups: np.concatenate([record["groups"] for record in records])}
    balance = {
        name: _join_column(records, at, columns.balance_is_number[at])
        for at, name in enumerate(columns.balance)
    }
    fixed = None
    if columns.fixed is not None:
        part_of = {name: part for part, name in enumerate(parts.names)}
        fixed = np.concatenate(
            [
                np.array([*(part_of[name] for name in record["fixed_names"]), -1], np.int32)[
                    record["fixed"]
                ]
                for record in records
            ]
        )
    return make_split(
        labels,
        parts,
        groups=groups,
        balance=check_balance(balance or None, labels.n_rows),
        fixed=fixed,
        measure_cover=True,
        **settings,
    )


def join_labels(records: Sequence[Mapping[str, Any]], names: Sequence[Any]) -> Labels:
    """Return the labels of all partitions, one partition after the other."""
    number_of = {name: number for number, name in enumerate(names)}
    indices: list[NDArray[np.int32]] = [np.empty(0, np.int32)]
    for record in records:
        number = np.array([number_of[name] for name in record["names"]], np.int32)
        indices.append(number[record["indices"]])
    lengths = np.concatenate([record["lengths"] for record in records])
    indptr = np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))
    return Labels(indptr, np.concatenate(indices), list(names))


def _join_column(records: Sequence[Mapping[str, Any]], at: int, is_number: bool) -> Any:
    if is_number:
        return np.concatenate([record[f"balance_{at}_numbers"] for record in records])
    return [
        record[f"balance_{at}_values"][code]
        for record in records
        for code in record[f"balance_{at}_codes"]
    ]
