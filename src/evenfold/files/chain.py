"""Chain: several files read one after the other, as if they were one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ..exceptions import InputError
from ..labels.labels import Labels, stack
from .datafile import DataFile

if TYPE_CHECKING:
    import pyarrow as pa


class Chain(DataFile):
    """The rows of several files: labels mean the same in all, also where one alone would be read otherwise. It is read only.

    Attributes
    ----------
    rows_of_file : rows in each file, known once labels have been read
    """

    def __init__(self, files: Sequence[DataFile]) -> None:
        self._files = files
        self.path = files[0].path
        self.columns = [
            name for name in files[0].columns if all(name in file.columns for file in files)
        ]
        self.rows_of_file: list[int] = []

    @property
    def label_columns(self) -> Sequence[str]:  # type: ignore[override]
        """Those of the first file."""
        return self._files[0].label_columns

    def find_lacking(self, pattern: str) -> DataFile:
        """Return the first file without such a column; all together where each has another one."""
        return next(
            (
                file
                for file in self._files
                if not any(name == pattern or fnmatchcase(name, pattern) for name in file.columns)
            ),
            self,
        )

    def read_batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield these columns of all rows, of the types they have in the first file."""
        rows_of_file = [0] * len(self._files)
        schema = None
        for at, file in enumerate(self._files):
            for batch in file.read_batches(columns):
                schema = batch.schema if schema is None else schema
                rows_of_file[at] += batch.num_rows
                yield batch if batch.schema.equals(schema) else self._cast(batch, schema, file.path)
        self.rows_of_file = rows_of_file

    def read_own_labels(self) -> Labels | None:
        """Return the labels where all files keep them beside their columns, else None."""
        own = [labels for file in self._files if (labels := file.read_own_labels()) is not None]
        if len(own) < len(self._files):
            return None
        self.rows_of_file = [labels.n_rows for labels in own]
        return stack(own)

    def write_parts(self, targets: Sequence[Path], part_of_row: NDArray[np.int32]) -> None:
        """Refuse."""
        raise InputError(
            f"{self.path}: several files are read together, but not written. Write each by itself."
        )

    def _cast(self, batch: pa.RecordBatch, schema: pa.Schema, path: Path) -> pa.RecordBatch:
        import pyarrow as pa

        try:
            return batch.cast(schema)
        except pa.ArrowException:
            odd = next(
                name
                for name in schema.names
                if batch.schema.field(name).type != schema.field(name).type
            )
            kinds = (
                f"{batch.schema.field(odd).type} here and {schema.field(odd).type} in {self.path}"
            )
            raise InputError(
                f"{path}: the column '{odd}' is {kinds}. Write both with one type."
            ) from None
