"""Partitions are written again with the parts of their rows, and nothing else changes."""

import hashlib
import io

import fsspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evenfold.exceptions import InputError
from evenfold.files.codecs import parquet_append
from evenfold.scale.partitions import Partition
from evenfold.scale.work_folder import WorkFolder
from evenfold.scale.writing import WriteTask, digest_parts, write_partition

N_ROWS = 1000
NAMES = ["train", "test", "spare"]


def make_table():
    """Return a table of several types, with metadata of the schema, of a field and of pandas."""
    fields = [
        pa.field("id", pa.int64(), nullable=False, metadata={"unit": "none"}),
        pa.field("labels", pa.list_(pa.string())),
        pa.field("kind", pa.dictionary(pa.int8(), pa.string())),
    ]
    ids = list(range(N_ROWS))
    kinds = pa.array([f"kind{at % 7}" for at in ids]).dictionary_encode()
    kinds = pa.DictionaryArray.from_arrays(kinds.indices.cast(pa.int8()), kinds.dictionary)
    lists = pa.array([[f"label{at % 5}"] * (at % 3) for at in ids], pa.list_(pa.string()))
    schema = pa.schema(fields, metadata={"pandas": "{}", "own": "value"})
    return pa.Table.from_arrays([pa.array(ids), lists, kinds], schema=schema)


@pytest.fixture
def parts():
    """Return the parts of the rows; one part has none."""
    return (np.arange(N_ROWS) * 7 % 5 // 3).astype(np.uint8)


@pytest.fixture
def work(tmp_path, parts):
    """Return a work folder that has the parts of partition 3."""
    folder = WorkFolder(str(tmp_path / "work"))
    folder.save("parts-00003", {"part_of_row": parts})
    return folder


@pytest.fixture
def source(tmp_path):
    """Return a file of several row groups."""
    path = tmp_path / "data.parquet"
    pq.write_table(make_table(), path, row_group_size=300, compression="zstd")
    return str(path)


def write(work, target, *paths, key=None, **shared):
    """Write partition 3."""
    task = WriteTask(3, Partition(3, paths, key), str(target))
    return write_partition(task, {"names": NAMES, "column": "part", **shared}, work)


def name_parts(parts):
    """Return the column that is expected."""
    return pa.chunked_array([pa.array([NAMES[part] for part in parts])])


def check_copy(target, parts):
    """Check that a file has the table, its schema and metadata, and the parts."""
    expected = io.BytesIO()
    pq.write_table(make_table(), expected)
    table = pq.read_table(expected)
    assert table.schema.metadata[b"pandas"] == b"{}"
    assert table.schema.field("id").metadata[b"unit"] == b"none"
    written = pq.ParquetFile(target)
    assert written.read().drop_columns("part").equals(table, check_metadata=True)
    assert written.read()["part"].equals(name_parts(parts))
    column = written.metadata.row_group(0).column(written.metadata.num_columns - 1)
    assert column.has_dictionary_page
    compressions = {
        written.metadata.row_group(0).column(at).compression
        for at in range(written.metadata.num_columns)
    }
    assert compressions == {"ZSTD"}


def list_row_groups(path):
    """Return the number of rows of each row group."""
    metadata = pq.read_metadata(path)
    return [metadata.row_group(at).num_rows for at in range(metadata.num_row_groups)]


def test_a_file_is_copied_with_the_parts_of_its_rows(tmp_path, work, source, parts):
    """Rows, order, schema, metadata, row groups and compression are those of the input."""
    before = (tmp_path / "data.parquet").read_bytes()
    target = tmp_path / "out" / "deep" / "data.parquet"
    record = write(work, target, source)
    check_copy(target, parts)
    assert list_row_groups(target) == [300, 300, 300, 100]
    assert (tmp_path / "data.parquet").read_bytes() == before
    assert record["n_rows"] == N_ROWS
    assert record["rows_of_part"].tolist() == np.bincount(parts, minlength=3).tolist()
    assert record["digest"] == digest_parts(parts)


def test_a_file_whose_footer_cannot_be_copied_is_decoded(
    monkeypatch, tmp_path, work, source, parts
):
    """A long footer is not parsed; the file is then read and written in pieces."""
    monkeypatch.setattr(parquet_append, "_MAX_FOOTER_BYTES", 0)
    write(work, tmp_path / "out.parquet", source)
    check_copy(tmp_path / "out.parquet", parts)
    assert max(list_row_groups(tmp_path / "out.parquet")) < 2 * 300


def test_several_files_of_a_partition_become_one(tmp_path, work, parts):
    """Their rows follow each other."""
    paths = [str(tmp_path / name) for name in ("a.parquet", "b.parquet")]
    for path, own in zip(paths, (make_table()[:400], make_table()[400:]), strict=True):
        pq.write_table(own, path, compression="zstd")
    write(work, tmp_path / "out.parquet", *paths)
    check_copy(tmp_path / "out.parquet", parts)


def test_some_columns_are_written_alone(tmp_path, work, source, parts):
    """For a DataFrame, nothing but the parts is written, or what is needed to join them."""
    write(work, tmp_path / "parts.parquet", source, columns=[])
    alone = pq.read_table(tmp_path / "parts.parquet")
    assert alone.column_names == ["part"]
    assert alone["part"].equals(name_parts(parts))
    write(work, tmp_path / "id.parquet", source, columns=["id"])
    with_id = pq.read_table(tmp_path / "id.parquet")
    assert with_id.column_names == ["id", "part"]
    assert with_id["id"].to_pylist() == list(range(N_ROWS))


def test_parts_of_a_sorted_partition_are_written_with_the_key(tmp_path, work, parts):
    """The parts are those of the rows in the order of the key, in which they were read."""
    rng = np.random.default_rng(0)
    shuffled = make_table().take(rng.permutation(N_ROWS))
    pq.write_table(shuffled, tmp_path / "bucket.parquet")
    write(work, tmp_path / "out.parquet", str(tmp_path / "bucket.parquet"), key="id")
    written = pq.read_table(tmp_path / "out.parquet")
    assert written.column_names == ["id", "part"]
    assert written["id"].to_pylist() == list(range(N_ROWS))
    assert written["part"].equals(name_parts(parts))


def test_a_partition_without_rows_is_written(tmp_path):
    """An empty file has the new column too; a key without files has none."""
    work = WorkFolder(str(tmp_path / "work"))
    work.save("parts-00003", {"part_of_row": np.zeros(0, np.uint8)})
    pq.write_table(make_table()[:0], tmp_path / "data.parquet")
    record = write(work, tmp_path / "out.parquet", str(tmp_path / "data.parquet"))
    assert pq.read_table(tmp_path / "out.parquet").column_names == ["id", "labels", "kind", "part"]
    assert record["rows_of_part"].tolist() == [0, 0, 0]
    write(work, tmp_path / "alone.parquet", columns=[])
    assert pq.read_table(tmp_path / "alone.parquet").column_names == ["part"]
    write(work, tmp_path / "key.parquet", key="id")
    assert not (tmp_path / "key.parquet").exists()


def test_an_object_store_is_read_and_written(work, parts):
    """Any file system of fsspec will do."""
    store = fsspec.filesystem("memory")
    with store.open("/writing/data.parquet", "wb") as file:
        pq.write_table(make_table(), file, compression="zstd")
    write(work, "memory://writing/out/data.parquet", "memory://writing/data.parquet")
    with store.open("/writing/out/data.parquet") as file:
        check_copy(file, parts)
    store.rm("/writing", recursive=True)


@pytest.mark.parametrize("n_rows", [N_ROWS - 1, N_ROWS + 1])
def test_a_file_with_other_rows_is_refused(tmp_path, work, n_rows):
    """It was changed since it was read; nothing is left behind."""
    table = pa.table({"id": range(n_rows)})
    pq.write_table(table, tmp_path / "data.parquet")
    with pytest.raises(InputError, match=r"data.parquet: no longer holds the 1,000 rows"):
        write(work, tmp_path / "out" / "a.parquet", str(tmp_path / "data.parquet"))
    assert list((tmp_path / "out").iterdir()) == []


def test_a_file_that_has_the_column_is_refused(tmp_path, work, source):
    """Its parts would replace what is there."""
    with pytest.raises(InputError, match=r"'column' must be a new column, got 'kind', which .*dat"):
        write(work, tmp_path / "out.parquet", source, column="kind")
    assert not (tmp_path / "out.parquet").exists()


def test_a_damaged_file_is_named(tmp_path, work, source):
    """A file that is cut off is refused with its path."""
    path = tmp_path / "data.parquet"
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InputError, match=r"data.parquet: cannot be read"):
        write(work, tmp_path / "out.parquet", source)


def test_the_digest_is_that_of_16_bits(parts):
    """It does not depend on the type in which the parts are held."""
    expected = hashlib.sha256(b"".join(int(part).to_bytes(2, "little") for part in parts))
    assert digest_parts(parts) == digest_parts(parts.astype(np.uint16)) == expected.hexdigest()
