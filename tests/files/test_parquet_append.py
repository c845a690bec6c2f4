"""A column is appended to files that are streams, and to no file that changes meanwhile."""

import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evenfold.files.codecs.parquet_append import append_column


class Stream(io.RawIOBase):
    """A file that can only be written from its beginning to its end."""

    def __init__(self):
        self.content = bytearray()

    def writable(self):
        """Tell that it can be written."""
        return True

    def write(self, content):
        """Add bytes at the end."""
        self.content += content
        return len(content)


class Shrinking(io.BytesIO):
    """A file of which nothing can be read any more once it is read from its beginning."""

    def seek(self, *position):
        """Lose all content at the beginning."""
        if position == (0,):
            self.truncate(0)
        return super().seek(*position)


def make_file(kind=io.BytesIO):
    """Return a table of four row groups, and its file."""
    table = pa.table({"id": range(100)})
    file = io.BytesIO()
    pq.write_table(table, file, row_group_size=30)
    return table, kind(file.getvalue())


def test_the_target_may_be_a_stream():
    """Object stores take bytes in their order only; codes may be unsigned."""
    table, file = make_file()
    stream = Stream()
    codes = (np.arange(100) % 3).astype(np.uint8)
    assert append_column(file, stream, "part", ["a", "b", "c"], codes)
    written = pq.ParquetFile(io.BytesIO(bytes(stream.content)))
    expected = table.append_column("part", pa.array(["abc"[code] for code in codes]))
    assert written.read().equals(expected)
    assert [written.metadata.row_group(at).num_rows for at in range(4)] == [30, 30, 30, 10]


def test_a_file_that_becomes_shorter_is_refused():
    """Nothing is read for ever from a file that ends too early."""
    _, file = make_file(Shrinking)
    with pytest.raises(OSError, match="has become shorter while it was copied"):
        append_column(file, io.BytesIO(), "part", ["a"], np.zeros(100, np.int32))


def test_nothing_is_written_for_another_number_of_rows():
    """The caller can write the file in another way, or refuse it."""
    _, file = make_file()
    stream = Stream()
    assert not append_column(file, stream, "part", ["a"], np.zeros(99, np.int32))
    assert not stream.content
