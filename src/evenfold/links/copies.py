"""Exact copies: rows with equal values, and files with equal content."""

from __future__ import annotations

import hashlib
import itertools
import stat
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from .._checks.values import show_value
from ..exceptions import InputError, InputTypeError
from ..labels.column_rules import is_missing
from ..labels.row_values import list_values, number_hashable
from ..labels.tensors import to_array
from ..labels.wrapping import is_column, to_narwhals
from .file_paths import not_readable, read_path
from .normal_text import normalise_text


def number_equal_rows(copies: Any, n_rows: int | None = None) -> NDArray[np.int64]:
    """Number rows by their values.

    Parameters
    ----------
    copies : array, sparse matrix, frame, column or list
        (n_rows,) or (n_rows, n_columns) the values.
    n_rows : int, default=None
        The number of rows; by default that of the values.

    Returns
    -------
    ndarray of int64
        (n_rows,) numbers by first appearance, equal where rows are equal; -1 where all values of a
        row are missing.

    Notes
    -----
    Text is compared as `normalise_text` returns it; empty text is missing.
    Missing values are equal: two rows with the same values and NaN in the same places are copies.
    A row of zeros is a row like others, in a sparse matrix too.

    Examples
    --------
    >>> from evenfold.links.copies import number_equal_rows
    >>> number_equal_rows(["A dog", "a  dog", None, "cat", ""])
    array([ 0,  0, -1,  1, -1])
    """
    found = _number_rows(copies)
    if n_rows is not None and len(found) != n_rows:
        raise InputError(
            f"must have one entry for each of the {n_rows:,} rows, got {len(found):,}. "
            "Check that both come from the same data.",
            parameter="copies",
        )
    return found


def number_equal_files(paths: Any, n_rows: int | None = None) -> NDArray[np.int64]:
    """Number files by their content.

    Parameters
    ----------
    paths : list, array or column
        (n_rows,) the file of each row.
    n_rows : int, default=None
        The number of rows; by default that of the paths.

    Returns
    -------
    ndarray of int64
        (n_rows,) numbers by first appearance, equal where the SHA-256 of the files is equal; -1
        where a row has no file or its file is empty.

    Notes
    -----
    Only files whose size another file has are read.
    """
    path_of_row = [
        read_path(value, row, "files")
        for row, value in enumerate(list_values(paths, n_rows, "files"))
    ]
    row_of_path: dict[Path, int] = {}
    for row, path in enumerate(path_of_row):
        if path is not None:
            row_of_path.setdefault(path, row)
    size_of_path = {path: _find_size(path, row) for path, row in row_of_path.items()}
    n_of_size = Counter(size_of_path.values())
    read = [path for path, size in size_of_path.items() if size and n_of_size[size] > 1]
    # hashlib and reads release the lock of Python, so that threads use all cores.
    with ThreadPoolExecutor() as pool:
        digests = pool.map(lambda path: _digest_file(path, row_of_path[path]), read)
        content: dict[Path, Hashable] = dict(zip(read, digests, strict=True))
    for path, size in size_of_path.items():
        if size and path not in content:
            content[path] = size
    return number_hashable(None if path is None else content.get(path) for path in path_of_row)[0]


def _find_size(path: Path, row: int) -> int:
    try:
        status = path.stat()
    except (OSError, ValueError) as error:  # ValueError: a path with a null character
        raise not_readable(path, row, error, "files") from None
    if not stat.S_ISREG(status.st_mode):
        raise not_readable(path, row, "it is no file", "files")
    return status.st_size


def _digest_file(path: Path, row: int) -> bytes:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").digest()
    except OSError as error:
        raise not_readable(path, row, error, "files") from None


def _number_rows(copies: Any) -> NDArray[np.int64]:
    copies = to_array(copies, "copies")
    if scipy.sparse.issparse(copies):
        return _number_sparse(copies)
    wrapped = to_narwhals(copies, "copies")
    if wrapped is not None and not is_column(wrapped):
        return _number_columns([_list_column(column) for column in wrapped.iter_columns()])
    if isinstance(copies, np.ndarray) and copies.ndim == 2:
        if copies.dtype.kind in "biu" or copies.dtype in (np.float16, np.float32, np.float64):
            return _number_matrix(copies)
        return _number_columns([column.tolist() for column in copies.T])
    if isinstance(copies, list) and any(isinstance(row, list | tuple) for row in copies):
        return number_hashable(_to_keys(copies))[0]
    return number_hashable(_to_keys(list_values(copies, None, "copies")))[0]


def _list_column(column: Any) -> list[Any]:
    """Return the values of a column of a frame; times of Arrow as numbers.

    Arrow has times that Python does not have, such as a duration of a million years.
    """
    native = column.to_native()
    if type(native).__module__.partition(".")[0] == "pyarrow":
        import pyarrow as pa

        if pa.types.is_temporal(native.type) and not pa.types.is_interval(native.type):
            width = pa.int32() if native.type.bit_width == 32 else pa.int64()
            return list(native.cast(width).to_pylist())
    return list(column.to_list())


def _number_columns(columns: list[list[Any]]) -> NDArray[np.int64]:
    """Number rows by the numbers of their values in each column."""
    codes = [number_hashable(_to_keys(column))[0] for column in columns]
    matrix = np.stack(codes, axis=1) if codes else np.empty((0, 0), np.int64)
    return _number_bytes(_check_columns(matrix), (matrix == -1).all(axis=1))


def _number_matrix(matrix: NDArray[Any]) -> NDArray[np.int64]:
    _check_columns(matrix)
    if matrix.dtype.kind != "f":
        return _number_bytes(np.ascontiguousarray(matrix), np.zeros(len(matrix), bool))
    is_nan = np.isnan(matrix)
    return _number_bytes(np.ascontiguousarray(_unify(matrix, is_nan)), is_nan.all(axis=1))


def _number_sparse(matrix: Any) -> NDArray[np.int64]:
    """Number rows by the columns and values of their entries."""
    csr = scipy.sparse.csr_array(matrix, copy=True)
    csr.sum_duplicates()
    csr.eliminate_zeros()
    data = csr.data
    if data.dtype.kind == "f":
        data = _unify(data, np.isnan(data))
    columns = csr.indices.astype(np.int64)
    rows = (
        columns[start:stop].tobytes() + data[start:stop].tobytes()
        for start, stop in itertools.pairwise(csr.indptr.tolist())
    )
    return number_hashable(map(_digest, rows))[0]


def _check_columns(matrix: NDArray[Any]) -> NDArray[Any]:
    if matrix.shape[1] == 0:
        raise InputError(
            "must have at least one column, got none. Check how the columns were chosen.",
            parameter="copies",
        )
    return matrix


def _unify(values: NDArray[Any], is_nan: NDArray[np.bool_]) -> NDArray[Any]:
    """Return floats with one form of NaN and of zero, so that equal values have equal bytes."""
    return np.where(is_nan, np.nan, values + 0).astype(values.dtype)


def _number_bytes(matrix: NDArray[Any], is_missing_row: NDArray[np.bool_]) -> NDArray[np.int64]:
    gone = is_missing_row.tolist()
    digests = (None if missing else _digest(row) for row, missing in zip(matrix, gone, strict=True))
    return number_hashable(digests)[0]


def _digest(content: Any) -> bytes:
    """Return 16 bytes in place of the content, to save memory."""
    return hashlib.blake2b(content, digest_size=16).digest()


def _to_keys(values: Iterable[Any]) -> Iterator[Hashable]:
    """Yield what is compared of each value; None where it is missing."""
    for row, value in enumerate(values):
        try:
            key = _to_key(value)
            hash(key)
        except TypeError:
            raise InputTypeError(
                f"must hold values that can be compared, got {show_value(value)} at row {row}, "
                f"a {type(value).__name__}. Turn them into text or numbers.",
                parameter="copies",
            ) from None
        yield key


def _to_key(value: Any) -> Hashable:
    if isinstance(value, str):
        return normalise_text(value) or None
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, list | tuple):
        keys = tuple(map(_to_key, value))
        return None if all(key is None for key in keys) else keys
    if isinstance(value, dict):
        return frozenset((key, _to_key(part)) for key, part in value.items())
    if isinstance(value, set):
        return frozenset(map(_to_key, value))
    key: Hashable = None if is_missing(value) else value
    return key
