"""Copies of data in which new rows name their part, from which the files of parts are written."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..files.registry import open_data
from .output_checks import choose_suffix
from .writing import write_companions

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..files.datafile import DataFile


def can_fill(file: DataFile, column: str) -> bool:
    """Tell whether the format can fill a column, which must be no field of a struct."""
    return file.can_fill_columns and column in file.columns


def fill_copy(
    file: DataFile,
    column: str,
    values: Sequence[str],
    code_of_row: NDArray[np.int32],
    folder: Path,
) -> DataFile:
    """Return a copy of a file with `values[code_of_row[i]]` in row i of a column that it has.

    Rows of code -1 keep their value. The copy is in an empty folder.
    """
    path = folder / f"data{choose_suffix(file)}"
    file.fill_column(path, column, values, code_of_row)
    write_companions(file, path)
    from ..files.long_format import LongTable  # which imports SciPy's sparse matrices

    copy = open_data(str(path), file.format)
    copy._name = file.name
    return file.over(copy) if isinstance(file, LongTable) else copy
