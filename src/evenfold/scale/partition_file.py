"""Partitions as a data file, so that labels are read from them as from any other file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..exceptions import InputError
from ..files.arrow_types import to_plain_types
from ..files.datafile import DataFile
from ..files.label_columns import LabelForm, read_piece
from ..files.struct_fields import NO_FIELDS, Fields
from ..labels.column_rules import HEAD_ROWS
from ..labels.labels import Labels
from .partitions import Partition, show_paths


class PartitionFile(DataFile):
    """One partition, or several whose rows follow each other.

    Parameters
    ----------
    partitions : sequence of Partition
        The partitions.
    columns : sequence of str
        Their columns that may be read.
    schema : pyarrow.Schema, default=None
        The types to which columns are cast; None keeps those of the files.
    fields : mapping of str to Field, default={}
        The fields of their structs that may be read.
    """

    format: ClassVar[str] = "parquet"
    suffix: ClassVar[str] = ".parquet"

    def __init__(
        self,
        partitions: Sequence[Partition],
        columns: Sequence[str],
        schema: pa.Schema | None = None,
        fields: Fields = NO_FIELDS,
    ) -> None:
        paths = [path for partition in partitions for path in partition.paths]
        name = show_paths(paths) if paths else partitions[0].name
        super().__init__(Path(paths[0] if paths else name), name)
        self.columns, self.fields = columns, fields
        self._partitions = partitions
        self._schema = schema
        self._sorted: dict[int, list[pa.RecordBatch]] = {}

    def read_batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield these columns of all rows."""
        for partition in self._partitions:
            for batch in self._read_partition(partition, columns):
                plain = to_plain_types(batch)
                yield plain if self._schema is None else self._cast(plain, self._schema)

    def read_to_guess(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield the rows of the first partition that has any; the others may differ in schema."""
        for partition in self._partitions:
            found = False
            for batch in partition.read(columns):
                found |= batch.num_rows > 0
                yield to_plain_types(batch)
            if found:
                return

    def write_parts(self, targets: Sequence[Path], part_of_row: NDArray[np.int32]) -> None:
        """Refuse: partitions are written one by one, by `write_partition`."""
        raise InputError(
            f"{self.name}: a partition cannot be written as files of parts. "
            "Use evenfold.scale.split."
        )

    def _read_partition(
        self, partition: Partition, columns: Sequence[str]
    ) -> Iterator[pa.RecordBatch]:
        if partition.key is None:
            yield from partition.read(columns, as_codes=self._schema is None)
            return
        # To sort takes the whole partition, so it is read and sorted once.
        if partition.number not in self._sorted:
            self._sorted[partition.number] = list(partition.read(self.columns))
        for batch in self._sorted[partition.number]:
            yield batch.select(columns)

    def _cast(self, batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
        wanted = pa.schema([pa.field(name, schema.field(name).type) for name in batch.schema.names])
        return batch if batch.schema.types == wanted.types else batch.cast(wanted, safe=False)


class FirstRows(PartitionFile):
    """The first rows of partitions, by which is decided how they are read."""

    def read_batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield these columns of the first rows."""
        n_left = HEAD_ROWS
        for batch in super().read_batches(columns):
            yield batch.slice(0, n_left)
            n_left -= batch.num_rows
            if n_left <= 0:
                return


def read_known_labels(file: PartitionFile, form: LabelForm) -> Labels:
    """Read labels, and refuse those that are not known to be held or not.

    Parameters
    ----------
    file : PartitionFile
        The rows to read.
    form : LabelForm
        How labels are read, the same for all partitions.

    Returns
    -------
    Labels
        The labels of these rows.
    """
    labels = read_piece(file, form)
    if labels.unknown is not None and len(labels.unknown[1]):
        indptr, indices = labels.unknown
        row = int(np.flatnonzero(np.diff(indptr))[0])
        column = form.columns[0] if form.width else labels.names[indices[0]]
        raise InputError(
            f"{file.name}: column '{column}' holds an unknown label (null) at row {row}, which is "
            "not supported at scale. Fill it, or use evenfold.split."
        )
    return labels
