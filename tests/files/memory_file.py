"""A file whose columns are in memory, for tests of what is read from any format."""

from pathlib import Path

import pyarrow as pa

from evenfold.files.datafile import DataFile


class Columns(DataFile):
    """A file that is in memory, read a few rows at a time."""

    format, suffix = "memory", ".csv"

    def __init__(self, columns, label_columns=(), rows_at_once=3):
        self.table = columns if isinstance(columns, pa.Table) else pa.table(columns)
        self.path, self.columns, self.label_columns = (
            Path("data.csv"),
            self.table.column_names,
            label_columns,
        )
        self.rows_at_once = rows_at_once

    def read_batches(self, columns):
        """Yield these columns."""
        yield from self.table.select(columns).to_batches(self.rows_at_once)

    def write_parts(self, targets, part_of_row):
        """Write nothing."""
