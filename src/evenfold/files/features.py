"""The features of a file: columns of numbers, or what a format keeps besides its labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from scipy import sparse

from .._checks.values import show_value
from ..exceptions import InputError
from ..labels.arrow_cells import is_text
from .damage import explain_arrow_damage
from .datafile import DataFile
from .formats.npz import Npz
from .label_columns.guesses import read_head
from .memory import MemoryCount, check_memory
from .named_columns import has_column, in_file_order, match_columns, show_columns

_BYTES_OF_NUMBER = 8


class Features(NamedTuple):
    """What learners learn from.

    Attributes
    ----------
    matrix : ndarray or scipy.sparse.csr_array
        (n_rows, n_features) the features.
    guessed : str
        A sentence about what was guessed, empty where nothing was.
    columns : sequence of str
        The columns of the file that they were read from; none if they were elsewhere.
    """

    matrix: Any
    guessed: str = ""
    columns: Sequence[str] = ()


def read_features(file: DataFile, given: Sequence[str], other_columns: Sequence[str]) -> Features:
    """Read the features of all rows.

    Parameters
    ----------
    file : DataFile
        The data.
    given : sequence of str
        Names or shell patterns of columns of numbers, or one npz file with the features of the
        same rows. If empty, what the format keeps as features, else all columns of numbers.
    other_columns : sequence of str
        The columns of labels, groups and the like. They are no features unless they are named:
        patterns leave them out.

    Returns
    -------
    Features
        The features, and what was guessed.

    Notes
    -----
    Text that is all numbers is numbers; a missing cell is NaN. Columns of a file that leaves out
    zeros become a sparse matrix.
    """
    if len(given) == 1 and given[0].endswith(Npz.suffix) and given[0] not in file.columns:
        return Features(_read_beside(given[0]))
    if given:
        if not file.columns:
            raise file.has_no_columns(
                given, "Leave out --features, or name an npz file that holds them."
            )
        columns = _choose_columns(file, given, other_columns)
        return Features(read_numbers(file, columns), columns=columns)
    own = file.read_own_features()
    if own is not None:
        return Features(own)
    apart = {*other_columns, *file.key_columns}
    columns = _find_numbers(file, [name for name in file.columns if name not in apart])
    if not columns:
        raise InputError(
            f"{file.name}: holds no features: no column of numbers besides the labels. "
            "Say with --features where they are: columns, or an npz file."
        )
    return Features(
        read_numbers(file, columns),
        f"No --features given: {len(columns):,} columns of numbers are read: "
        f"{show_columns(columns)}.",
        columns,
    )


def _choose_columns(
    file: DataFile, given: Sequence[str], other_columns: Sequence[str]
) -> list[str]:
    """Return the columns that names and patterns stand for, in the order of the file."""
    chosen: set[str] = set()
    for pattern in given:
        matched = match_columns(file, pattern, "--features")
        chosen.update(matched if has_column(file, pattern) else set(matched) - {*other_columns})
    if not chosen:
        raise InputError(
            f"{file.name}: --features {','.join(given)!r} leaves no column besides those of "
            "labels, groups and the like. Name columns."
        )
    return in_file_order(file, chosen)


def _read_beside(name: str) -> Any:
    path = Path(name)
    if not path.exists():
        raise InputError(f"{path}: no such file. Check the name and the folder, or name columns.")
    matrix = Npz(path).read_matrix()
    if matrix is None:
        raise InputError(
            f"{path}: holds no features: no array X or features, nor a single one of two "
            "dimensions. Save them as X."
        )
    return matrix


def _find_numbers(file: DataFile, columns: Sequence[str]) -> list[str]:
    head = read_head(file, columns, to_guess=True) if columns else {}
    return [
        name
        for name, cells in head.items()
        if cells.null_count < len(cells) and _to_numbers(cells) is not None
    ]


def read_numbers(file: DataFile, columns: Sequence[str], option: str = "--features") -> Any:
    """Read columns of numbers as a matrix, NaN for missing cells.

    Parameters
    ----------
    file : DataFile
        The data.
    columns : sequence of str
        The columns.
    option : str, default="--features"
        The option that names them, for errors.

    Returns
    -------
    ndarray or scipy.sparse.csr_array
        (n_rows, n_columns) the numbers.
    """
    blocks = list(_read_blocks(file, columns, option))
    if not blocks:
        raise file.holds_no("rows")
    return (
        sparse.csr_array(sparse.vstack(blocks, format="csr"))
        if file.leaves_out_zeros
        else np.vstack(blocks)
    )


def _read_blocks(file: DataFile, columns: Sequence[str], option: str) -> Iterator[Any]:
    start = 0
    memory = MemoryCount(file.name, f"{len(columns):,} features of its rows")
    with explain_arrow_damage(file.name):
        for batch in file.read_batches(columns):
            n_bytes = _BYTES_OF_NUMBER * batch.num_rows * len(columns)
            if file.leaves_out_zeros:  # no block is kept
                check_memory(file.name, n_bytes, f"{len(columns):,} features of some rows")
            else:
                memory.add(n_bytes)
            block = np.empty((batch.num_rows, len(columns)))
            for place, name in enumerate(columns):
                numbers = _to_numbers(batch.column(place))
                if numbers is None:
                    raise _no_number(file, name, batch.column(place), start, option)
                block[:, place] = numbers
            yield sparse.csr_array(block) if file.leaves_out_zeros else block
            start += batch.num_rows


def _to_numbers(cells: pa.Array) -> NDArray[np.float64] | None:
    """Return the numbers, NaN for missing cells; None where a cell is no number."""
    if pa.types.is_dictionary(cells.type):
        cells = cells.dictionary_decode()
    kind = cells.type
    if not (
        is_text(kind)
        or pa.types.is_integer(kind)
        or pa.types.is_floating(kind)
        or pa.types.is_boolean(kind)
        or pa.types.is_decimal(kind)
    ):
        return None if not pa.types.is_null(kind) else np.full(len(cells), np.nan)
    try:
        return np.asarray(cells.cast(pa.float64()).to_numpy(zero_copy_only=False), np.float64)
    except pa.ArrowInvalid:
        return None


def _no_number(file: DataFile, name: str, cells: pa.Array, start: int, option: str) -> InputError:
    row = next((row for row in range(len(cells)) if _to_numbers(cells.slice(row, 1)) is None), 0)
    value = show_value(cells[row].as_py())
    return InputError(
        f"{file.name}: column '{name}' holds {value} at row {start + row}, "
        f"where a number is expected. Leave it out of {option}."
    )
