"""Parquet files of old and of new rows."""

import pyarrow as pa
import pyarrow.parquet as pq

LABELS = [["a"], ["b"], ["a", "b"], ["c"], []] * 20


def prepare(folder, _command):
    """Write three files and, as new data, one more."""
    for name in ("data/0", "data/1", "data/2", "2026-11-16/0"):
        path = folder / f"{name}.parquet"
        path.parent.mkdir(exist_ok=True)
        pq.write_table(pa.table({"labels": LABELS}), path)
