"""Several files of one format that are one data set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, cast

import pyarrow as pa

from ..exceptions import InputError
from .chain import Chain
from .columnar import ColumnarFile
from .datafile import DataFile
from .formats.hf_datasets import HuggingFaceFolder
from .same_schema import check_same_schema, find_other_names
from .text_records import RecordFile


def join_files(files: Sequence[DataFile]) -> DataFile:
    """Return several files as one data set, in their order.

    Parameters
    ----------
    files : sequence of DataFile
        Two files or more.

    Returns
    -------
    DataFile
        The data set. Its `files` are these, and its `rows_of_file` are known once all rows have
        been read. Text formats and formats that Arrow reads in batches are also written as one
        file.

    Raises
    ------
    InputError
        If the files do not have the same format and columns. JSON objects may have any keys.
    """
    first, *others = files
    for other in others:
        if other.format != first.format:
            raise InputError(
                f"{other.name}: is in the format {other.format}, {first.name} in {first.format}. "
                "Name files of one format."
            )
    if isinstance(first, RecordFile):
        return first.join(files, _name(files))
    if isinstance(first, ColumnarFile) and not isinstance(first, HuggingFaceFolder):
        return ManyColumnar(cast(Sequence[ColumnarFile], files))
    return ManyFiles(files)


def _name(files: Sequence[DataFile]) -> str:
    return f"{files[0].name} and {len(files) - 1} more"


class ManyColumnar(ColumnarFile):
    """Several files that Arrow reads in batches, with the same schema.

    Parameters
    ----------
    files : sequence of ColumnarFile
        The files.
    """

    files: Sequence[ColumnarFile]

    def __init__(self, files: Sequence[ColumnarFile]) -> None:
        first = files[0]
        for other in files[1:]:
            check_same_schema(other.path, other.schema, first.path, first.schema)
        super().__init__(first.path, first.schema, _name(files))
        self.format, self.suffix = first.format, first.suffix  # type: ignore[misc]
        self.files = files
        self.rows_at_once = max(file.rows_at_once for file in files)
        self.goes_with = [own for file in files for own in (file.path, *file.goes_with)]

    def read_batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield these columns of all files, one file after the other."""
        return self._read(lambda file: file.read_batches(columns))

    def read_all_columns(self) -> Iterator[pa.RecordBatch]:
        """Yield all rows with the types they have in the files."""
        return self._read(lambda file: file.read_all_columns())

    def open_writer(self, target: Path, schema: pa.Schema) -> AbstractContextManager[Any]:
        """Open a new file as the first one was written."""
        return self.files[0].open_writer(target, schema)

    def check_new(self, column: str) -> None:
        """Refuse what the first file refuses."""
        self.files[0].check_new(column)

    def _read(
        self, read: Callable[[ColumnarFile], Iterable[pa.RecordBatch]]
    ) -> Iterator[pa.RecordBatch]:
        rows_of_file = []
        for file in self.files:
            n_rows = 0
            for batch in read(file):
                n_rows += batch.num_rows
                yield batch
            rows_of_file.append(n_rows)
        self.rows_of_file = rows_of_file


class ManyFiles(Chain):
    """Several files of any format, with the same columns, which are not written as one.

    Parameters
    ----------
    files : sequence of DataFile
        The files.
    """

    are_parts = False

    def __init__(self, files: Sequence[DataFile]) -> None:
        super().__init__(files, ())
        first = files[0]
        self._name = _name(files)
        self.suffix = first.suffix  # type: ignore[misc]
        self.is_table = first.is_table  # type: ignore[misc]
        self.leaves_out_zeros = first.leaves_out_zeros
        self.goes_with = [own for file in files for own in (file.path, *file.goes_with)]
        for other in files[1:]:
            difference = find_other_names(sorted(other.columns), sorted(first.columns))
            if difference:
                raise InputError(
                    f"{other.name}: differs from {first.name}: {difference}. "
                    "Name files of one table, or write them again with the same columns."
                )

    def read_counts(self) -> Any:
        """Refuse: the categories of two files may differ."""
        if self.files[0].read_counts() is not None:
            raise InputError(
                f"{self.name}: amounts are read from one COCO file. Join the files first."
            )
        return None
