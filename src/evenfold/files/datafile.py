"""DataFile: a file of rows, read no further than it is asked for, and written again row by row."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..exceptions import InputError
from ..labels.labels import Labels

if TYPE_CHECKING:
    import pyarrow as pa


class DataFile(ABC):
    """What every format offers. Opening one reads no more than its head; damage found later raises `InputError` with path and place.

    Attributes
    ----------
    format : the name of the format, as `--format` takes it
    suffix : the suffix of files in it
    path : the file or folder
    columns : the names of its columns, in order; empty where the format has none
    label_columns : those of them that the format itself says are labels
    leaves_out_zeros : whether rows say only what is not 0
    goes_with : other files that say something of it
    """

    format: ClassVar[str]
    suffix: ClassVar[str]
    path: Path
    columns: Sequence[str]
    label_columns: Sequence[str] = ()
    leaves_out_zeros: bool = False
    goes_with: Sequence[Path] = ()

    @abstractmethod
    def read_batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield these columns of all rows, in order, a bounded number of rows at a time."""

    def find_lacking(self, pattern: str) -> DataFile:
        """Return the file to name where no column is called so, or like this shell pattern."""
        return self

    def read_to_guess(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield what `read_batches` does, but nulls where it would refuse values of a column that nobody asked for."""
        return self.read_batches(columns)

    def read_own_labels(self) -> Labels | None:
        """Return the labels where the format keeps them beside its columns, else None."""
        return None

    def read_own_features(self) -> Any:
        """Return the features, rows × features, where the format keeps them beside its columns, else None."""
        return None

    @abstractmethod
    def write_parts(self, targets: Sequence[Path], part_of_row: NDArray[np.int32]) -> None:
        """Write the rows of part j, in order and otherwise untouched, to `targets[j]`, in the same format; rows of part -1 nowhere."""

    def check_new(self, column: str) -> None:
        """Refuse a new column that is there already, or that the file cannot have."""
        if type(self).write_with_column is DataFile.write_with_column:
            raise self.cannot_add(column)
        if column in self.columns:
            raise InputError(
                f"{self.path}: has a column '{column}' already. Choose another name for the new one."
            )

    def check_fill(self, column: str) -> None:
        """Refuse to fill a column in a format that cannot."""
        if type(self).fill_column is DataFile.fill_column:
            raise InputError(
                f"{self.path}: in the format {self.format}, '{column}' cannot be filled. Name a new column with --column."
            )

    def cannot_add(self, column: str) -> InputError:
        """Say that there are no columns to add one to."""
        return InputError(
            f"{self.path}: a file in the format {self.format} has no columns to add '{column}' to. Write a folder of parts, or indices."
        )

    def write_with_column(
        self, target: Path, column: str, values: Sequence[str], code_of_row: NDArray[np.int32]
    ) -> None:
        """Write the file with one more column at the end, `values[code_of_row[i]]` in row i; one of that name must not be there yet."""
        raise self.cannot_add(column)

    def fill_column(
        self, target: Path, column: str, values: Sequence[str], code_of_row: NDArray[np.int32]
    ) -> None:
        """Write the file with `values[code_of_row[i]]` in a column that is there already; rows of code -1 keep what they have."""
        self.check_fill(column)

    def companions(self, target: Path) -> list[tuple[Path, bytes]]:
        """Return what belongs beside a file of this data: path and content, for data that will stand at `target`."""
        return []
