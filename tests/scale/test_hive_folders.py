"""Data past memory in Hive-partitioned folders: keys are columns, and folders stay."""

import re

import fsspec
import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

import evenfold
from evenfold.exceptions import InputError
from evenfold.scale import extend, sections, split

from .made_files import make_table

N_ROWS = 600


@pytest.fixture
def rows():
    """Return labels with the columns year, city and mark."""
    rng = np.random.default_rng(1)
    city = [None if at % 50 == 0 else f"c{at}" for at in rng.integers(0, 9, N_ROWS)]
    return make_table(
        N_ROWS,
        year=pa.array(rng.integers(1990, 2000, N_ROWS), pa.int32()),
        city=pa.array(city),
        mark=pa.array(rng.integers(0, 2, N_ROWS), pa.int32()),
    )


def write_by(rows, folder, keys):
    """Write a table into the folders of some columns; return the rows in the order of the files."""
    ds.write_dataset(rows, folder, format="parquet", partitioning=keys, partitioning_flavor="hive")
    files = sorted(folder.rglob("*.parquet"))
    return ds.dataset(files, partitioning="hive", partition_base_dir=str(folder)).to_table()


def read_written(folder, s):
    """Return the rows of a split in the order of its files, with the keys of their folders."""
    table = ds.dataset(s.files, partitioning="hive", partition_base_dir=str(folder)).to_table()
    assert [table["part"].to_pylist().count(name) for name in s.names] == s.sizes.tolist()
    return table


@pytest.mark.parametrize("engine", [None, "sync"])
@pytest.mark.parametrize("memory", [0, "1GB"])
def test_keys_group_and_balance_rows(rows, engine, memory, tmp_path, monkeypatch):
    """Files keep their folders, and get one more column."""
    monkeypatch.setattr(sections, "ENTRIES_OF_SECTION", 500)
    data, out = tmp_path / "data", tmp_path / "out"
    before = write_by(rows, data, ["city", "mark"])
    columns = {"labels": "labels", "groups": "city", "balance": ["mark", "year"]}
    s = split(data, [0.6, 0.4], output=out, engine=engine, memory=memory, **columns)
    written = read_written(out, s)
    assert written.drop_columns("part").select(before.column_names).equals(before)
    parts_of = {}
    for city, part in zip(written["city"].to_pylist(), written["part"].to_pylist(), strict=True):
        parts_of.setdefault(city, set()).add(part)
    assert all(len(parts) == 1 for city, parts in parts_of.items() if city is not None)
    if memory:
        expected = evenfold.split(
            before["labels"].to_pylist(),
            [0.6, 0.4],
            groups=before["city"].to_pylist(),
            balance=before.select(["mark", "year"]).to_pandas(),
        )
        assert written["part"].to_pylist() == [expected.names[at] for at in expected.part_of_row]


def test_a_key_can_be_a_label(rows, tmp_path):
    """Of the numbers 0 and 1, or one label for each value."""
    data = tmp_path / "data"
    before = write_by(rows, data, ["mark"])
    s = split(data, 2, labels="mark", output=tmp_path / "out")
    assert (s.labels, s.counts.sum()) == (["mark"], sum(before["mark"].to_pylist()))
    write_by(rows, tmp_path / "years", ["year"])
    s = split(f"{tmp_path}/years/*/*.parquet", 2, labels="year", output=tmp_path / "more")
    assert s.labels == list(range(1990, 2000))


def test_new_files_are_read_in_the_same_way(rows, tmp_path):
    """Also from a store, with the keys of their own folders."""
    write_by(rows.slice(0, 400), tmp_path / "old", ["mark"])
    write_by(rows.slice(400), tmp_path / "new" / "day=1", ["mark"])
    columns = {"labels": "labels", "balance": "mark"}
    split(tmp_path / "old", 2, output=tmp_path / "out", **columns)
    s = extend(tmp_path / "out", tmp_path / "new")
    assert s.n_rows == N_ROWS
    files = sorted(str(path.relative_to(tmp_path / "out")) for path in map(type(tmp_path), s.files))
    assert files == [
        "day=1/mark=0/part-0.parquet",
        "day=1/mark=1/part-0.parquet",
        "mark=0/part-0.parquet",
        "mark=1/part-0.parquet",
    ]


def test_files_of_a_store_have_the_keys_of_their_folders(rows, tmp_path):
    """The split is that of the same files on this machine."""
    data = tmp_path / "data"
    write_by(rows, data, ["city"])
    store = fsspec.filesystem("memory")
    store.put(str(data), "/hive/data", recursive=True)
    columns = {"labels": "labels", "groups": "city"}
    s = split(data, 3, output=tmp_path / "out", **columns)
    assert split("memory://hive/data", 3, output=tmp_path / "more", **columns) == s
    store.rm("/hive", recursive=True)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"column": "mark"}, "'column' must be a new column, got 'mark', which "),
        ({"labels": "none"}, "Columns: id, labels, year, city, mark."),
        ({"groups": "marks"}, "Did you mean 'mark'?"),
    ],
)
def test_wrong_columns_are_refused(rows, change, message, tmp_path):
    """Keys are columns of the data."""
    write_by(rows, tmp_path / "data", ["mark"])
    with pytest.raises(InputError, match=re.escape(message)):
        split(tmp_path / "data", 2, output=tmp_path / "out", **{"labels": "labels"} | change)


def test_folders_of_several_keys_are_refused(rows, tmp_path):
    """The message has both files."""
    write_by(rows, tmp_path / "data" / "old", ["mark"])
    write_by(rows, tmp_path / "data" / "new", ["year", "mark"])
    message = (
        "/old/mark=0/.* is in folders with the keys mark, but .* in folders with the keys year, "
    )
    with pytest.raises(InputError, match=message):
        split(tmp_path / "data", 2, labels="labels", output=tmp_path / "out")


def test_a_column_of_the_files_comes_before_a_key(rows, tmp_path):
    """Its type is that of the files."""
    data = tmp_path / "data" / "city=7"
    data.mkdir(parents=True)
    pq.write_table(rows, data / "a.parquet")
    s = split(tmp_path / "data", 2, labels="city", output=tmp_path / "out")
    assert s.labels == sorted(set(rows["city"].to_pylist()) - {None})
