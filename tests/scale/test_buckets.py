"""Rows on their way to buckets."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import given
from hypothesis import strategies as st

from evenfold.scale.buckets import cut_into_buckets, pack_rows, write_packed


def make_table(buckets):
    """Return a table with a row for each bucket, in chunks of two rows."""
    numbers = np.arange(len(buckets), dtype=np.uint64)
    labels = pa.array([list(range(n % 3)) for n in range(len(buckets))], pa.list_(pa.int32()))
    table = pa.table({"bucket": pa.array(buckets, pa.int32()), "number": numbers, "labels": labels})
    return pa.Table.from_batches(table.to_batches(max_chunksize=2), table.schema)


@given(st.lists(st.integers(0, 4)))
def test_rows_are_cut_by_bucket_in_their_order(buckets):
    """Each bucket that has rows is there once, in order of the buckets."""
    cut = cut_into_buckets(make_table(buckets))
    assert [bucket for bucket, _ in cut] == sorted(set(buckets))
    for bucket, rows in cut:
        assert rows.column_names == ["number", "labels"]
        assert rows["number"].to_pylist() == [
            number for number, its_bucket in enumerate(buckets) if its_bucket == bucket
        ]


def test_packed_rows_are_written_as_they_were(tmp_path):
    """Rows of several tasks become one file, with the types that they had."""
    table = make_table([2, 1, 2, 1, 1])
    packed = [pack_rows(table).to_pylist() for _ in range(2)]
    assert [row["bucket"] for row in packed[0]] == [1, 2]
    write_packed(str(tmp_path), 1, [rows[0]["rows"] for rows in packed])
    [path] = tmp_path.rglob("*.parquet")
    assert path.parent.name == "bucket=1"
    with path.open("rb") as file:
        written = pq.read_table(file)
    assert written["number"].to_pylist() == [1, 3, 4] * 2
    assert written["labels"].to_pylist() == [[0], [], [0]] * 2
    assert written.schema.field("number").type == pa.uint64()


def test_packed_rows_hold_nothing_of_other_buckets():
    """A slice of a table is written without the rest of the table."""
    few, many = pack_rows(make_table([0] * 5 + [1] * 5000)).to_pylist()
    assert len(few["rows"]) < len(many["rows"]) / 20
