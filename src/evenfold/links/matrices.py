"""`similar`, a matrix with one row of numbers per row of the data → an array or a CSR array."""

from __future__ import annotations

import contextlib
import hashlib
import numbers
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np
import scipy
from numpy.typing import NDArray

from .._checks.values import show_value
from ..exceptions import InputError, InputTypeError
from ..labels.tensors import to_array
from ..labels.wrapping import is_column, to_narwhals

# Squares of larger numbers are not finite in 64 bits.
MAX_NUMBER = 1e100
# Numbers that are read, checked or hashed at once.
_BLOCK_NUMBERS = 1 << 22
# Rows that are hashed at once. Part of the definition of a fingerprint.
_FINGERPRINT_ROWS = 4096
_ROW_TYPES = (list, tuple, np.ndarray)

# A 2-D array or a CSR array. Type checkers would need a cast for what both can do.
Matrix: TypeAlias = Any


def is_sparse(matrix: Any) -> bool:
    """Tell whether a matrix is sparse."""
    return bool(scipy.sparse.issparse(matrix))


def check_matrix(similar: Any, n_rows: int | None, parameter: str) -> Matrix:
    """Read a matrix of finite numbers.

    Parameters
    ----------
    similar : array, sparse matrix, frame, column of lists or list of lists
        (n_rows, n_columns) numbers.
    n_rows : int or None
        The number of rows that it must have; None where it is not known.
    parameter : str
        The name of the argument it came as.

    Returns
    -------
    ndarray or csr_array
        The matrix; an array keeps its type of numbers.

    Raises
    ------
    InputTypeError
        If it is no matrix of numbers.
    InputError
        If its shape is wrong, or a number is missing or not finite.
    """
    similar = to_array(similar, parameter)
    is_dense = isinstance(similar, np.ndarray) or not is_sparse(similar)
    read: Callable[[Any, str], Matrix] = _read_dense if is_dense else _read_sparse
    matrix = read(similar, parameter)
    if n_rows is not None and matrix.shape[0] != n_rows:
        raise InputError(
            f"must have one row for each of the {n_rows:,} rows, got {matrix.shape[0]:,}. "
            "Check that both come from the same data.",
            parameter=parameter,
        )
    if 0 in matrix.shape:
        raise InputError(
            f"must have at least one row and one column, got {matrix.shape[0]:,} × "
            f"{matrix.shape[1]:,}. Pass one row of numbers per row of the data.",
            parameter=parameter,
        )
    _check_finite(matrix, parameter)
    return matrix


def _read_sparse(similar: Any, parameter: str) -> scipy.sparse.csr_array:
    if similar.ndim != 2 or similar.dtype.kind not in "buif":
        raise InputError(
            f"must be a matrix of numbers, got a sparse array of {similar.ndim} dimension(s) of "
            f"{similar.dtype}. Pass one row of numbers per row of the data.",
            parameter=parameter,
        )
    matrix = scipy.sparse.csr_array(similar, dtype=np.float64)
    if not matrix.has_canonical_format or (matrix.data == 0).any():
        matrix = matrix.copy()
        matrix.sum_duplicates()
        matrix.eliminate_zeros()
    return matrix


def _read_dense(similar: Any, parameter: str) -> NDArray[Any]:
    wrapped = to_narwhals(similar, parameter)
    if wrapped is not None and not is_column(wrapped) and wrapped.shape[1] == 1:
        (only,) = wrapped.iter_columns()
        # A frame of one column of lists.
        wrapped = wrapped if only.dtype.is_numeric() else only
    if wrapped is not None and is_column(wrapped):
        similar = wrapped.to_list()
    elif wrapped is not None:
        import narwhals as nw

        for column in wrapped.iter_columns():
            if not column.dtype.is_numeric() and column.dtype != nw.Boolean:
                raise InputTypeError(
                    f"must be a frame of numbers, got {column.dtype} in column {column.name!r}. "
                    "Select the columns of numbers.",
                    parameter=parameter,
                )
        similar = np.column_stack([_to_numbers(column) for column in wrapped.iter_columns()])
    elif isinstance(similar, str | bytes | dict | set | frozenset) or not (
        hasattr(similar, "__len__") or hasattr(similar, "__array__")
    ):
        raise InputTypeError(
            f"must be a matrix of numbers, got {type(similar).__name__}. "
            "Pass one row of numbers per row of the data.",
            parameter=parameter,
        )
    if isinstance(similar, np.ma.MaskedArray):
        similar = np.ma.filled(similar.astype(np.float64), np.nan)
    array = _to_array(similar, parameter)
    if array.ndim != 2:
        raise InputError(
            f"must have two dimensions, got {array.ndim}. "
            "Pass one row of numbers per row of the data.",
            parameter=parameter,
        )
    return array.astype(np.float64) if array.dtype.itemsize > 8 else array


def _to_numbers(column: Any) -> NDArray[Any]:
    """Return the numbers of a column, NaN where one is missing."""
    if column.is_null().any():
        listed = column.to_list()
        return np.array([np.nan if value is None else value for value in listed], np.float64)
    return np.asarray(column.to_numpy())


def _to_array(similar: Any, parameter: str) -> NDArray[Any]:
    array = None
    with contextlib.suppress(ValueError):  # lists of several lengths
        array = np.asarray(similar)
    if array is not None and array.dtype.kind in "buif":
        return array
    rows = list(similar) if array is None or array.ndim else [array.item()]
    lengths = [len(row) if isinstance(row, _ROW_TYPES) else show_value(row) for row in rows]
    for at, (row, length) in enumerate(zip(rows, lengths, strict=True)):
        if isinstance(lengths[0], int) and length != lengths[0]:
            raise InputError(
                f"must have rows of one length, got {lengths[0]} numbers in row 0 and {length} "
                f"in row {at}. Correct row {at}.",
                parameter=parameter,
            )
        for value in row if isinstance(row, _ROW_TYPES) else [row]:
            if not isinstance(value, numbers.Real):
                shown = value.item() if isinstance(value, np.generic) else value
                raise InputTypeError(
                    f"must hold numbers, got {show_value(shown)} in row {at}. "
                    "Convert it, or leave out the row.",
                    parameter=parameter,
                )
    # Columns of arrays, and numbers such as fractions.
    return np.array([list(row) for row in rows], np.float64)


def iterate_rows(matrix: Matrix, numbers_at_once: int = _BLOCK_NUMBERS) -> Iterator[slice]:
    """Yield slices of rows that together are the whole matrix."""
    step = max(1, numbers_at_once // matrix.shape[1])
    if is_sparse(matrix):
        step = max(1, numbers_at_once // max(1, matrix.nnz // matrix.shape[0]))
    for start in range(0, matrix.shape[0], step):
        yield slice(start, min(start + step, matrix.shape[0]))


def _check_finite(matrix: Matrix, parameter: str) -> None:
    if matrix.dtype.kind != "f":
        return
    # Shorter types hold no number above the limit.
    limit = MAX_NUMBER if matrix.dtype.itemsize == 8 else np.inf
    for rows in iterate_rows(matrix):
        block = matrix[rows]
        # NaN is not below the limit either.
        wrong = ~(np.abs(block.data if is_sparse(block) else block) < limit)
        if wrong.any():
            row, column, value = _find_first(block, wrong)
            raise InputError(
                f"must hold finite numbers below {MAX_NUMBER:g}, got {value:g} in row "
                f"{row + rows.start}, column {column}. Compute that row again, or leave it out.",
                parameter=parameter,
            )


def check_binary(matrix: Matrix, metric: str, parameter: str) -> None:
    """Check that a matrix holds 0 and 1 alone."""
    for rows in iterate_rows(matrix):
        block = matrix[rows]
        values = block.data if is_sparse(block) else block
        wrong = (values != 0) & (values != 1)
        if wrong.any():
            row, column, value = _find_first(block, wrong)
            raise InputError(
                f"must hold 0 and 1 for metric={metric!r}, got {value:g} in row "
                f"{row + rows.start}, column {column}. Try metric='cosine' or 'euclidean'.",
                parameter=parameter,
            )


def _find_first(block: Matrix, wrong: NDArray[np.bool_]) -> tuple[int, int, float]:
    """Return row, column and value of the first number marked as wrong."""
    if is_sparse(block):
        table = block.tocoo()
        at = int(np.argmax(wrong))
        return int(table.row[at]), int(table.col[at]), float(table.data[at])
    row, column = divmod(int(np.argmax(wrong)), block.shape[1])
    return row, column, float(block[row, column])


def make_matrix_fingerprint(matrix: Matrix) -> str:
    """Return a name for the numbers of a matrix, whatever its type and form.

    The numbers other than 0 are hashed in 64 bits, row by row, with their columns if a block of
    rows has zeros.

    Examples
    --------
    >>> a = np.array([[0, 1], [2, 3]])
    >>> make_matrix_fingerprint(a) == make_matrix_fingerprint(scipy.sparse.csr_array(a * 1.0))
    True
    """
    whole = hashlib.sha256(f"evenfold matrix 1, {matrix.shape[0]} × {matrix.shape[1]}".encode())
    for start in range(0, matrix.shape[0], _FINGERPRINT_ROWS):
        block = matrix[start : start + _FINGERPRINT_ROWS]
        if is_sparse(block):
            lengths, columns, values = np.diff(block.indptr), block.indices, block.data
        else:
            held = block != 0
            lengths = np.count_nonzero(held, axis=1)
            full = bool(held.all())
            columns = np.empty(0, np.int64) if full else np.nonzero(held)[1]
            values = block if full else block[held]
        if lengths.sum() < block.shape[0] * block.shape[1]:
            whole.update(np.ascontiguousarray(lengths, "<i8").data)
            whole.update(np.ascontiguousarray(columns, "<i8").data)
        whole.update(np.ascontiguousarray(values, "<f8").data)
    return whole.hexdigest()[:32]
