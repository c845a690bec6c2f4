"""0/1 matrices, dense and sparse → Entries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from .._checks.values import show_value
from ..exceptions import InputError, InputTypeError
from .entries import Entries, Positions, as_positions, check_has_rows, make_positions

# Stored values that are compared at once; the array of their comparisons stays small.
_BLOCK_VALUES = 1 << 20


def read_dense(y: NDArray[Any], names: Sequence[Any] | None = None) -> Entries:
    """Read a 2-D array of 0, 1 and NaN."""
    n_rows, n_labels = y.shape
    check_has_rows(n_rows)
    names = range(n_labels) if names is None else names
    row, label = _find_nonzero(y)
    return _read_stored_values(row, label, y[row, label], (n_rows, n_labels), names)


def read_sparse(y: Any) -> Entries:
    """Read a SciPy sparse matrix or array of any format; repeated ones count once."""
    if y.ndim != 2:
        raise InputError(
            f"must be a table of rows × labels, got a sparse array of {y.ndim} dimension(s). "
            "Reshape it to two.",
            parameter="y",
        )
    if y.dtype.kind not in "buif":
        raise InputTypeError(
            f"must hold 0 and 1, got a sparse array of {y.dtype}. "
            "Convert it to numbers or booleans.",
            parameter="y",
        )
    check_has_rows(y.shape[0])
    if max(y.shape) >= 2**31:
        raise InputError(
            "must have fewer than 2,147,483,648 rows and labels, "
            f"got {y.shape[0]:,} × {y.shape[1]:,}. Drop the empty columns.",
            parameter="y",
        )
    # A coordinate matrix keeps repeated entries apart; in CSR 1 and 1 would become 2.
    if y.format == "csr" and _is_one_throughout(y.data):
        csr = scipy.sparse.csr_array(y)
        if csr.has_canonical_format:
            return Entries(*as_positions(csr), range(y.shape[1]))
    y = y.tocoo()
    return _read_stored_values(y.row, y.col, y.data, y.shape, range(y.shape[1]))


def _is_one_throughout(data: NDArray[Any]) -> bool:
    """Tell whether every stored value is 1, in blocks to save memory."""
    return all(
        bool((data[start : start + _BLOCK_VALUES] == 1).all())
        for start in range(0, len(data), _BLOCK_VALUES)
    )


def _find_nonzero(y: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return row and label of what is not 0, in either memory order.

    Five times as fast as `np.nonzero` of two dimensions.
    """
    if y.flags.f_contiguous and not y.flags.c_contiguous:
        label, row = _find_nonzero(y.T)
        return row, label
    row, label = np.divmod(np.flatnonzero(y if y.dtype == bool else y != 0), y.shape[1])
    return row, label


def _read_stored_values(
    row: NDArray[Any],
    label: NDArray[Any],
    value: NDArray[Any],
    shape: tuple[int, int],
    names: Sequence[Any],
) -> Entries:
    missing = np.isnan(value) if value.dtype.kind == "f" else np.zeros(len(value), bool)
    wrong = np.flatnonzero((value != 0) & (value != 1) & ~missing)
    if wrong.size:
        raise not_binary(wrong.size, value[wrong[0]], row[wrong[0]], names[label[wrong[0]]])
    held = value == 1
    positions = make_positions(row[held], label[held], *shape)
    unknown: Positions | None = None
    if missing.any():
        key = row * np.int64(shape[1]) + label
        missing &= ~np.isin(key, key[held])
        unknown = make_positions(row[missing], label[missing], *shape)
    return Entries(*positions, names, unknown)


def not_binary(n_wrong: int, value: Any, row: int, name: Any) -> InputError:
    """Return the error that a matrix or a column of 0 and 1 holds something else."""
    value = value.item() if isinstance(value, np.generic) else value
    return InputError(
        f"holds values other than 0, 1 and NaN: {n_wrong:,} of them, first {show_value(value)} "
        f"at row {row}, label {name!r}. Pass class codes as a 1-D array "
        "or through evenfold.labels.from_classes, or one column per class.",
        parameter="y",
    )
