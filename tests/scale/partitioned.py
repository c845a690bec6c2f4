"""Parquet files of made-up partitions, for the tests of evenfold.scale."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from evenfold.scale.partitions import Partition

# pyarrow before 21 does not write views to Parquet files.
WRITES_VIEWS = int(pa.__version__.partition(".")[0]) >= 21
TEXT_VIEW = pa.string_view() if WRITES_VIEWS else pa.large_string()


def write_partitions(folder, tables, key=None):
    """Write each table (or dict of columns) as a file and return them as partitions."""
    partitions = []
    for number, table in enumerate(tables):
        path = folder / f"part-{number:03d}.parquet"
        pq.write_table(table if isinstance(table, pa.Table) else pa.table(table), path)
        partitions.append(Partition(number, (str(path),), key))
    return partitions


def list_label_names(record):
    """Return the label names of each row of a record."""
    ends = np.cumsum(record["lengths"])
    starts = ends - record["lengths"]
    return [
        [record["names"][code] for code in record["indices"][start:end]]
        for start, end in zip(starts, ends, strict=True)
    ]
