"""Columns in the names of folders are those that pyarrow.dataset finds."""

import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenfold.exceptions import InputError
from evenfold.files.formats.parquet import Parquet
from evenfold.files.hive_folders import find_folder_keys, name_folder

from .columnar_table import read_whole


def write_files(folder, names):
    """Write two rows into each folder of these names; return the root."""
    for number, name in enumerate(names):
        (folder / "data" / name).mkdir(parents=True, exist_ok=True)
        rows = pa.table({"id": [2 * number, 2 * number + 1], "tags": [["a"], ["b", "a"]]})
        pq.write_table(rows, folder / "data" / name / "part-0.parquet")
    return folder / "data"


FOLDERS = {
    "numbers": ["y=1", "y=2", "y=-3"],
    "numbers with zeros": ["y=01", "y=1"],
    "hexadecimal numbers": ["y=0x10"],
    "the largest number": ["y=2147483647", "y=-2147483648"],
    "a larger number": ["y=2147483648"],
    "text": ["y=1", "y=a"],
    "signs and blanks": ["y=+1", "y= 1", "y=1 "],
    "fractions": ["y=1.5", "y=1e3"],
    "missing values": ["y=1", "y=__HIVE_DEFAULT_PARTITION__"],
    "missing text": ["y=b", "y=__HIVE_DEFAULT_PARTITION__"],
    "an empty value": ["y="],
    "escaped names": ["a%20b=x%2Fy", "a%20b=%C3%A4"],
    "no escapes": ["y=%zz", "y=a%"],
    "an equals sign": ["y=a=b"],
    "two keys": ["y=1/z=a", "y=2/z=a", "y=1/z=b"],
    "other folders": ["x/y=1/w", "x/y=2"],
    "a key twice": ["y=1/y=2"],
    "dates": ["when=2020-01-01", "when=2020-01-02"],
    "letters": ["y=ä", "y=true"],
}


@pytest.mark.parametrize("name", FOLDERS)
def test_keys_are_columns_as_pyarrow_finds_them(tmp_path, name):
    """Names, types, values and the order of rows."""
    root = write_files(tmp_path, FOLDERS[name])
    expected = ds.dataset(root, partitioning="hive").to_table().sort_by("id")
    file = Parquet(root)
    found = pa.Table.from_batches(file.read_all_columns())
    assert list(file.columns) == expected.column_names
    assert found.sort_by("id").equals(expected)
    keys = expected.column_names[2:]
    assert pa.Table.from_batches(file.read_batches(keys)).to_pydict() == (
        found.select(keys).to_pydict()
    )


def test_missing_values_alone_are_text(tmp_path):
    """pyarrow.dataset would raise an error."""
    root = write_files(tmp_path, ["y=__HIVE_DEFAULT_PARTITION__"])
    column = read_whole(Parquet(root)).column("y")
    assert (column.type, column.to_pylist()) == (pa.string(), [None, None])


@pytest.mark.parametrize("pattern", ["data/*/*/*.parquet", "data/y=*/**/*.parquet"])
def test_a_pattern_has_the_keys_below_its_first_folder(tmp_path, pattern):
    """The folder above is not part of the pattern."""
    write_files(tmp_path / "run=7", ["y=1/z=a", "y=2/z=b"])
    assert list(Parquet(tmp_path / "run=7" / pattern).columns) == ["id", "tags", "y", "z"]
    below = Parquet(tmp_path / "run=7" / "data" / "y=1" / "*" / "*.parquet")
    assert list(below.columns) == ["id", "tags", "z"]
    assert list(Parquet(tmp_path / "run=7/data/y=1/z=a/part-0.parquet").columns) == ["id", "tags"]


def test_parts_hold_the_keys(tmp_path):
    """They come after the columns of the files, also where one file is split."""
    root = write_files(tmp_path, ["y=1", "y=2"])
    file = Parquet(root)
    file.write_parts([tmp_path / "a", tmp_path / "b"], np.array([0, 1, 1, 0], np.int32))
    part = pq.read_table(tmp_path / "b")
    assert part.column_names == ["id", "tags", "y"]
    assert (part["id"].to_pylist(), part["y"].to_pylist()) == ([1, 2], [1, 2])
    file = Parquet(write_files(tmp_path / "one", ["y=1"]))
    file.write_with_column(tmp_path / "more", "part", ["train"], np.zeros(2, np.int32))
    assert pq.read_table(tmp_path / "more").select(["y", "part"]).to_pydict() == {
        "y": [1, 1],
        "part": ["train", "train"],
    }


def test_pandas_writes_and_reads_the_folders(tmp_path):
    """The index is kept as in a single file."""
    frame = pd.DataFrame({"tags": [["a"], ["b"], ["a"]], "y": ["u", "v", "u"]}, index=[4, 5, 6])
    frame.to_parquet(tmp_path / "data", partition_cols=["y"])
    file = Parquet(tmp_path / "data")
    file.write_parts([tmp_path / "part"], np.zeros(3, np.int32))
    again = pd.read_parquet(tmp_path / "part")
    assert again["y"].to_dict() == frame["y"].to_dict()


def test_a_column_of_the_files_comes_before_that_of_their_folders(tmp_path):
    """Some programs write both."""
    for value in (1, 2):
        (tmp_path / "data" / f"y={value}").mkdir(parents=True)
        rows = pa.table({"y": [value, value], "id": [1, 2]})
        pq.write_table(rows, tmp_path / "data" / f"y={value}" / "a.parquet")
    file = Parquet(tmp_path / "data")
    assert list(file.columns) == ["y", "id"]
    assert read_whole(file)["y"].type == pa.int64()


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (
            ["y=1", "z=2"],
            "data/z=2/part-0.parquet: is in folders with the keys z, but {}/data/y=1/part-0.parquet"
            " in folders with the keys y. Name folders of one table, or a pattern of its files.",
        ),
        (["", "y=1"], "{}/data/part-0.parquet in folders with no keys. Name folders of one table"),
        (["y=%ff"], "its folder 'y=%ff' is not UTF-8 where it has %. Rename it."),
    ],
)
def test_folders_that_do_not_go_together_are_refused(tmp_path, names, message):
    """The message has both files."""
    root = write_files(tmp_path, names)
    with pytest.raises(InputError, match=re.escape(message.format(tmp_path))):
        Parquet(root)


@given(st.text(st.characters(codec="utf-8"), min_size=1), st.text(st.characters(codec="utf-8")))
def test_the_name_of_a_folder_is_read_again(column, value):
    """Whatever the characters."""
    name = name_folder(column, value)
    assert "/" not in name
    [[key]] = find_folder_keys(["data"], [name])
    assert (key.name, str(key.value)) == (column, value) or key.is_number
