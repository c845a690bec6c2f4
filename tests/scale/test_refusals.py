"""What cannot be split is refused with a clear error, and nothing is left behind."""

import importlib.util

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from evenfold.exceptions import EvenfoldError
from evenfold.scale import sections, split

from .made_files import cut, hash_files, make_table, write_files

N_ROWS = 200


@pytest.fixture(scope="module")
def table():
    """Return a table with columns that can be misused."""
    return make_table(
        N_ROWS,
        12,
        price=np.linspace(0.5, 9.5, N_ROWS),
        site=["Bonn" if at % 3 else "Lima" for at in range(N_ROWS)],
        giant=["one" if at < 150 else str(at) for at in range(N_ROWS)],
        fixed=["dev" if at == 120 else None for at in range(N_ROWS)],
        most=["fold0" if at < 120 else None for at in range(N_ROWS)],
        point=[{"x": 1}] * N_ROWS,
    )


def split_rows(tmp_path, tables, parts=3, **settings):
    """Split the files of tables into the folder out."""
    data = write_files(tmp_path / "data", tables)
    settings = {"labels": "labels", "output": tmp_path / "out", "memory": 0} | settings
    given = settings.pop("data", data)
    return split(given, parts, **settings)


REFUSED = {
    "column": ({"labels": "labls"}, "'labels' must name columns of .*Did you mean 'labels'"),
    "groups": ({"groups": "who"}, "'groups' must name columns of .*got 'who'"),
    "balance": ({"balance": ["price", "who"]}, "'balance' must name columns of .*got 'who'"),
    "fixed": ({"fixed": "who"}, "'fixed' must name columns of .*got 'who'"),
    "key": ({"key": "who"}, "'key' must name columns of .*got 'who'"),
    "no labels": ({"labels": "price"}, "price.*0.5"),
    "nested groups": ({"groups": "point"}, "'groups' must name a column with one name"),
    "engine": ({"engine": "ray"}, "'engine' must be .*got 'ray'"),
    "workers": ({"engine": "sync", "workers": 2}, "'workers' must be 1 where engine is 'sync'"),
    "sum": ({"parts": [0.5, 0.4]}, "'parts' must sum to 1 or to the 200 rows, got 0.9"),
    "rows": ({"parts": [150, 40]}, "'parts' must sum to 1 or to the 200 rows, got 190"),
    "more parts than rows": ({"parts": 201}, "'parts' .*201"),
    "memory": ({"memory": "lots"}, "'memory' must be a number of bytes, got 'lots'"),
    "negative memory": ({"memory": -1}, "'memory' must be a number of bytes, got -1"),
    "budget": ({"budget": "some"}, "'budget' must be a number of label entries .*got 'some'"),
    "large share": ({"budget": 1.5}, "'budget' must be a number of label entries .*got 1.5"),
    "order": ({"order": 2}, "'order' must be 1 or 'auto', got 2"),
    "seed": ({"random_state": None}, "'random_state' must be"),
    "cover": ({"cover": -1}, "'cover' must be 0 or more rows"),
    "unknown part": ({"fixed": "fixed"}, r"'fixed' must name parts \(fold0, .*got 'dev' in column"),
    "too many fixed": ({"fixed": "most"}, "'fixed' must leave every part its size, got 120 rows"),
    "giant group": ({"groups": "giant"}, "'groups' puts 150 of 200 rows into one group"),
    "column there": ({"column": "site"}, "'column' must be a new column, got 'site'"),
    "no output": ({"output": None}, "'output' must name a folder"),
    "key repeats": ({"key": "site"}, "'key' must differ from row to row, got '.*' more than once"),
}


@pytest.mark.parametrize("engine", [None, "sync"])
@pytest.mark.parametrize("case", REFUSED)
def test_wrong_argument_is_refused_and_nothing_written(case, engine, table, tmp_path, monkeypatch):
    """The error names the parameter and the value, and there is no output or work folder."""
    monkeypatch.setattr(sections, "ENTRIES_OF_SECTION", 200)
    settings, message = REFUSED[case]
    settings = {"engine": engine} | settings
    with pytest.raises(EvenfoldError, match=f"(?s){message}"):
        split_rows(tmp_path, cut(table, 3), **settings)
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


@pytest.mark.parametrize("case", ["key repeats", "unknown part", "giant group", "column"])
def test_wrong_argument_is_refused_of_data_in_memory(case, table, tmp_path):
    """The same errors are raised of data that fits into memory."""
    settings, message = REFUSED[case]
    message = message.replace("puts 150 of 200 rows", "puts 150 of 200 rows")
    with pytest.raises(EvenfoldError, match=f"(?s){message}"):
        split_rows(tmp_path, cut(table, 3), memory="1GB", **settings)
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


@pytest.mark.parametrize("memory", [0, "1GB"])
def test_key_that_repeats_in_another_file_is_refused(memory, table, tmp_path):
    """A key of two files is found before anything is placed."""
    tables = [table.slice(0, 120), table.slice(100, 100)]
    message = r"'key' must be different in every row, got 20 .* 'id', in different partitions\."
    with pytest.raises(EvenfoldError, match=message):
        split_rows(tmp_path, tables, key="id", memory=memory)
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("data/009.parquet", "'data' must name files that are there, got .*009.parquet"),
        ("data/*.parq", "'data' must name files that are there, got .*matches none"),
        (["data/000.parquet", "no.parquet"], "'data' must name files that are there, got no.p"),
        ([], "'data' must name at least one file"),
        (7, "'data' must be a path, a pattern or a list of these, got int"),
        (pd.DataFrame({"labels": [["a"]]}), "got a DataFrame of pandas. Use evenfold.split"),
        (pa.table({"labels": [["a"]]}), "got a Table of pyarrow. Use evenfold.split"),
    ],
)
def test_data_that_is_not_there_is_refused(data, message, table, tmp_path, monkeypatch):
    """Missing files, patterns without a match and data in memory are named."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(EvenfoldError, match=message):
        split_rows(tmp_path, cut(table, 2), data=data)
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_files_that_differ_are_refused(table, tmp_path):
    """A file that lacks a column, or has another type for it, is named with both types."""
    other = table.set_column(1, "labels", pa.array(range(N_ROWS)))
    with pytest.raises(EvenfoldError, match=r"001\.parquet: column 'labels' is int64, but"):
        split_rows(tmp_path, [table, other])
    with pytest.raises(EvenfoldError, match=r"001\.parquet: has no column 'labels'"):
        split_rows(tmp_path, [table, table.drop_columns("labels")])
    (tmp_path / "data" / "001.parquet").write_bytes(b"no parquet")
    with pytest.raises(EvenfoldError, match=r"001\.parquet"):
        split(tmp_path / "data", 3, labels="labels", output=tmp_path / "out")
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_files_without_rows_are_refused(table, tmp_path):
    """Data must have rows."""
    with pytest.raises(EvenfoldError, match="rows"):
        split_rows(tmp_path, [table.slice(0, 0)] * 2)
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


@pytest.mark.parametrize("engine", ["dask", "spark"])
def test_engine_that_is_not_installed_is_refused(engine, table, tmp_path, monkeypatch):
    """The error has the line that installs it."""
    find = importlib.util.find_spec
    absent = {"distributed", "pyspark"}
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *rest: None if name in absent else find(name)
    )
    with pytest.raises(EvenfoldError, match=rf"pip install 'evenfold\[{engine}\]'"):
        split_rows(tmp_path, [table], engine=engine)
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


@pytest.mark.parametrize("output", ["data", "data/out", "."])
def test_output_within_the_input_is_refused(output, table, tmp_path):
    """No file is written where files are read, or above them."""
    data = write_files(tmp_path / "data", [table])
    before = hash_files(tmp_path)
    with pytest.raises(EvenfoldError, match="'output' must be "):
        split(data, 3, labels="labels", output=tmp_path / output, force=True)
    assert hash_files(tmp_path) == before


def test_output_with_other_files_is_refused(table, tmp_path):
    """Files of someone else are named and kept."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "notes.txt").write_text("mine")
    with pytest.raises(EvenfoldError, match="'output' must be a folder without other files"):
        split_rows(tmp_path, [table])
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["notes.txt"]


def test_earlier_split_survives_an_error(table, tmp_path):
    """With force, a split that cannot be made leaves the earlier one as it was."""
    split_rows(tmp_path, cut(table, 3))
    before = hash_files(tmp_path / "out")
    for settings in ({"labels": "labls"}, {"key": "site"}, {"fixed": "fixed"}):
        (name,) = settings
        with pytest.raises(EvenfoldError, match=f"'{name}'"):
            split_rows(tmp_path, cut(table, 3), force=True, **settings)
        assert hash_files(tmp_path / "out") == before


def test_other_arguments_are_refused_without_force(table, tmp_path):
    """A folder with a split is replaced only on demand."""
    s = split_rows(tmp_path, cut(table, 3))
    before = hash_files(tmp_path / "out")
    with pytest.raises(EvenfoldError, match=r"'output' must be .*force=True"):
        split_rows(tmp_path, cut(table, 3), random_state=1)
    assert hash_files(tmp_path / "out") == before
    other = split_rows(tmp_path, cut(table, 3), random_state=1, force=True)
    assert other != s
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "000.parquet",
        "001.parquet",
        "002.parquet",
        "_manifest.json",
    ]


def test_work_folder_of_the_user_is_left_as_it_was(table, tmp_path):
    """Neither an error nor the end of the split leaves anything in the folder named by work."""
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "notes.txt").write_text("mine")
    with pytest.raises(EvenfoldError, match="labls"):
        split_rows(tmp_path, cut(table, 3), labels="labls", work=tmp_path / "work")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "work"]
    split_rows(tmp_path, cut(table, 3), work=tmp_path / "work")
    assert [path.name for path in (tmp_path / "work").iterdir()] == ["notes.txt"]
