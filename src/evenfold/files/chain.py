"""Chain: several files read one after the other, as if they were one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..exceptions import InputError
from ..labels.labels import Labels, stack
from .datafile import DataFile
from .struct_fields import DOT, Fields

if TYPE_CHECKING:
    import pyarrow as pa


class Chain(DataFile):
    """The rows of several files, each a part, read only.

    A label means the same in all files, also where one file alone would be read differently.

    Parameters
    ----------
    files : sequence of DataFile
        The files, in order.
    part_names : sequence of str
        The part that each file is.

    Attributes
    ----------
    files : sequence of DataFile
        The files.
    part_names : sequence of str
        The part that each file is.
    """

    are_parts = True
    is_written = False

    def __init__(self, files: Sequence[DataFile], part_names: Sequence[str]) -> None:
        super().__init__(files[0].path, files[0].name)
        self.format = files[0].format  # type: ignore[misc]
        self.files = files
        self.part_names = part_names
        columns_of = [set(file.columns) for file in files]
        self.columns = [name for name in files[0].columns if all(name in own for own in columns_of)]
        self.remarks = [remark for file in files for remark in file.remarks]

    @property
    def label_columns(self) -> Sequence[str]:  # type: ignore[override]
        """Those of the first file."""
        return self.files[0].label_columns

    @property
    def class_columns(self) -> Sequence[str]:  # type: ignore[override]
        """Those of the first file."""
        return self.files[0].class_columns

    @property
    def path_column(self) -> str | None:  # type: ignore[override]
        """That of all files, if it is the same."""
        named = {file.path_column for file in self.files}
        return named.pop() if len(named) == 1 else None

    @property
    def fields(self) -> Fields:  # type: ignore[override]
        """Those that all files have."""
        first, *others = self.files
        fields_of = [file.fields for file in others]
        return {
            name: own
            for name, own in first.fields.items()
            if all(name in fields for fields in fields_of)
        }

    def find_lacking(self, pattern: str) -> DataFile:
        """Return the first file without such a column; this one where every file has one."""

        def has_match(file: DataFile) -> bool:
            names = [*file.columns, *(file.fields if DOT in pattern else ())]
            return any(name == pattern or fnmatchcase(name, pattern) for name in names)

        return next((file for file in self.files if not has_match(file)), self)

    def read_batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield these columns of all rows, with the types they have in the first file."""
        return self._read(lambda file: file.read_batches(columns))

    def read_to_compare(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield cells that can be compared, those of all files with the types of the first."""
        return self._read(lambda file: file.read_to_compare(columns))

    def _read(
        self, read: Callable[[DataFile], Iterator[pa.RecordBatch]]
    ) -> Iterator[pa.RecordBatch]:
        rows_of_file = [0] * len(self.files)
        schema = None
        for at, file in enumerate(self.files):
            for batch in read(file):
                schema = batch.schema if schema is None else schema
                rows_of_file[at] += batch.num_rows
                yield batch if batch.schema.equals(schema) else self._cast(batch, schema, file.name)
        self.rows_of_file = rows_of_file

    def read_own_labels(self) -> Labels | None:
        """Return the labels where all files keep them outside of columns, else None."""
        own = [labels for file in self.files if (labels := file.read_own_labels()) is not None]
        if len(own) < len(self.files):
            return None
        self._check_names(own)
        self.rows_of_file = [labels.n_rows for labels in own]
        return stack(own)

    def _check_names(self, own: Sequence[Labels]) -> None:
        """Refuse files of which only some name their labels: a number is the name of none."""
        named = [
            (file, isinstance(labels.names[0], str))
            for file, labels in zip(self.files, own, strict=True)
            if labels.names
        ]
        for file, has_names in named:
            first, first_has = named[0]
            if has_names != first_has:
                said = "no names, those of {} have" if first_has else "names, those of {} have none"
                raise InputError(
                    f"{file.name}: its labels have {said.format(first.name)}. "
                    "Save all files with the names of the labels."
                )

    def read_own_features(self) -> Any:
        """Return the features where all files keep them outside of columns, else None."""
        import scipy

        own = [file.read_own_features() for file in self.files]
        if any(matrix is None for matrix in own):
            return None
        # Files that leave out zeros do not say how many features there are.
        n_features = max(matrix.shape[1] for matrix in own)
        matrices = [scipy.sparse.csr_array(matrix) for matrix in own]
        wide = [
            scipy.sparse.csr_array(
                (matrix.data, matrix.indices, matrix.indptr), shape=(matrix.shape[0], n_features)
            )
            for matrix in matrices
        ]
        return scipy.sparse.vstack(wide, format="csr")

    def write_parts(self, targets: Sequence[Path], part_of_row: NDArray[np.int32]) -> None:
        """Refuse."""
        raise self.cannot_be_one()

    def _cast(self, batch: pa.RecordBatch, schema: pa.Schema, name: str) -> pa.RecordBatch:
        import pyarrow as pa

        try:
            return batch.cast(schema)
        except pa.ArrowException:
            column, kind, wanted = next(
                (wanted.name, own.type, wanted.type)
                for own, wanted in zip(batch.schema, schema, strict=True)
                if own.type != wanted.type
            )
            raise InputError(
                f"{name}: the column '{column}' is {kind} here and {wanted} in {self.name}. "
                "Write both with one type."
            ) from None
