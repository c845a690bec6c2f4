"""Embeddings: one row of numbers for each row of the data, from columns or from a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..exceptions import InputError
from .codecs.npy_arrays import read_npy
from .datafile import DataFile
from .features import read_numbers
from .formats.npz import Npz
from .named_columns import in_file_order, match_columns, read_column
from .registry import find_format, open_data

_ARRAY_SUFFIX = ".npy"


def is_embedding_file(name: str) -> bool:
    """Tell whether a text names a file of embeddings, and not a column."""
    path = Path(name)
    return path.suffix == _ARRAY_SUFFIX or find_format(path) is not None or path.is_file()


def read_embedding_file(path: Path, option: str) -> Any:
    """Read a matrix that a file holds: an array, a sparse matrix, or columns of numbers.

    Parameters
    ----------
    path : Path
        The file: .npy, .npz, or any format with columns, all of which are taken.
    option : str
        The option that names the file, for errors.

    Returns
    -------
    ndarray, scipy.sparse.csr_array or list
        (n_rows, n_columns) the numbers.
    """
    if not path.exists():
        raise InputError(f"{option} {path}: no such file. Check the name and the folder.")
    if path.suffix == _ARRAY_SUFFIX:
        return read_npy(path, f"{option} {path}")
    file = open_data(str(path))
    if isinstance(file, Npz):
        matrix = file.read_matrix()
        if matrix is None:
            raise InputError(
                f"{option} {path}: does not say which array to take. Save one of two dimensions."
            )
        return matrix
    if not file.columns:
        raise file.has_no_columns([option], "Save the embeddings as .npy.")
    return read_embedding_columns(file, file.columns, option)


def read_embedding_columns(file: DataFile, given: Sequence[str], option: str) -> Any:
    """Read columns of numbers, by name or pattern, or one column of lists of numbers.

    Parameters
    ----------
    file : DataFile
        The data.
    given : sequence of str
        Names or shell patterns of columns.
    option : str
        The option that names them, for errors.

    Returns
    -------
    ndarray, scipy.sparse.csr_array or list
        (n_rows, n_columns) the numbers; lists of several lengths as they are.
    """
    chosen = {name for pattern in given for name in match_columns(file, pattern, option)}
    names = in_file_order(file, chosen)
    if len(names) > 1:
        return read_numbers(file, names, option)
    column = read_column(file, names[0], option)
    if not pa.types.is_nested(column.type):
        return read_numbers(file, names, option)
    return _read_lists(column.combine_chunks())


def _read_lists(column: pa.Array) -> Any:
    """Return lists of numbers as an array if all have the same length."""
    n_numbers = len(column.flatten()) if hasattr(column, "flatten") else 0
    if column.null_count or not len(column) or not n_numbers or n_numbers % len(column):
        return column.to_pylist()
    numbers = column.flatten()
    lengths = np.asarray(pc.list_value_length(column))
    if numbers.null_count or not (lengths == lengths[0]).all():
        return column.to_pylist()
    return numbers.to_numpy(zero_copy_only=False).reshape(len(column), -1)
