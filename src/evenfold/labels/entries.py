"""Entries: which row holds which label, in one canonical form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from ..exceptions import InputError

Positions = tuple[NDArray[np.int64], NDArray[np.int32]]


class Entries(NamedTuple):
    """Label entries as CSR without data: sorted, no duplicates, always of the same index types.

    Attributes
    ----------
    indptr : ndarray of int64
        (n_rows + 1,) where the labels of each row begin.
    indices : ndarray of int32
        (n_entries,) the labels of the rows.
    names : sequence
        The name of each label.
    unknown : tuple of ndarray or None
        The same two arrays for the entries that are neither known to be held nor known not to be.
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    names: Sequence[Any]
    unknown: Positions | None = None


def make_positions(row: NDArray[Any], label: NDArray[Any], n_rows: int, n_labels: int) -> Positions:
    """Sort (row, label) pairs into canonical CSR; repeated pairs count once."""
    if _is_canonical(row, label):
        indptr = np.zeros(n_rows + 1, np.int64)
        np.cumsum(np.bincount(row, minlength=n_rows), out=indptr[1:])
        return indptr, label.astype(np.int32)
    once = scipy.sparse.csr_array(
        (np.ones(len(row), np.int8), (row, label)), shape=(n_rows, n_labels)
    )
    return as_positions(once)


def _is_canonical(row: NDArray[Any], label: NDArray[Any]) -> bool:
    """Tell whether (row, label) pairs are sorted, each once."""
    is_later_row = row[1:] > row[:-1]
    return bool((is_later_row | ((row[1:] == row[:-1]) & (label[1:] > label[:-1]))).all())


def as_positions(canonical: scipy.sparse.csr_array) -> Positions:
    """Copy the index arrays of a canonical CSR array in the types every kernel is compiled for.

    A copy, so that later changes of the user's matrix have no effect.
    """
    return canonical.indptr.astype(np.int64), canonical.indices.astype(np.int32)


def join_columns(columns: Sequence[Entries]) -> Entries:
    """Join the entries of several columns of the same rows, in the order of the columns."""
    n_rows = len(columns[0].indptr) - 1
    offsets = np.cumsum([0] + [len(column.names) for column in columns])
    held = _shift([(column.indptr, column.indices) for column in columns], offsets, n_rows)
    unknown = None
    if any(column.unknown is not None for column in columns):
        nothing = (np.zeros(n_rows + 1, np.int64), np.empty(0, np.int32))
        unknown = _shift([column.unknown or nothing for column in columns], offsets, n_rows)
    return Entries(*held, [name for column in columns for name in column.names], unknown)


def _shift(positions: Sequence[Positions], offsets: NDArray[np.int64], n_rows: int) -> Positions:
    row = np.concatenate([np.repeat(np.arange(n_rows), np.diff(indptr)) for indptr, _ in positions])
    label = np.concatenate(
        [indices + offset for (_, indices), offset in zip(positions, offsets[:-1], strict=True)]
    )
    return make_positions(row, label, n_rows, int(offsets[-1]))


def check_has_rows(n_rows: int) -> None:
    """Refuse an input without rows."""
    if n_rows == 0:
        raise InputError(
            "must have at least one row, got none. Check how the data was read or filtered.",
            parameter="y",
        )
