"""Data that fits into memory gets the split of evenfold.split, to the row."""

import numpy as np
import pyarrow as pa
import pytest

import evenfold
from evenfold.scale import split

from .made_files import check_split, cut, find_part_of_row, make_table, write_files

N_ROWS = 300


def make_columns():
    """Return columns for groups, balance and fixed rows, some cells of which are missing."""
    rng = np.random.default_rng(1)
    price = rng.lognormal(size=N_ROWS)
    price[::50] = np.nan
    site = np.array(["Bonn", "Lima", "Oslo"], object)[rng.integers(0, 3, N_ROWS)]
    site[::40] = None
    patient = [None if at % 30 == 0 else f"p{at // 3}" for at in rng.permutation(N_ROWS)]
    fixed = np.where(rng.random(N_ROWS) < 0.1, "fold1", None)
    return {
        "price": pa.array(price, from_pandas=True),
        "site": pa.array(site.tolist(), pa.string()),
        "patient": pa.array(patient),
        "visits": rng.integers(0, 4, N_ROWS),
        "fixed": pa.array(fixed.tolist(), pa.string()),
    }


@pytest.fixture(scope="module")
def table():
    """Return a table with all columns."""
    return make_table(N_ROWS, 15, 0, **make_columns())


def list_values(table, *columns):
    """Return columns as evenfold.split takes them."""
    return {name: table[name].to_pandas() for name in columns}


CASES = {
    "default": (5, {}),
    "parts": ({"train": 0.7, "val": 0.1, "test": 0.2}, {"random_state": 4}),
    "names": ([200, 100], {"names": ["a", "b"]}),
    "order 1": (4, {"order": 1}),
    "order auto": (4, {"order": "auto"}),
    "cover": ([0.9, 0.1], {"cover": 2}),
    "groups": (3, {"groups": "patient"}),
    "balance": (3, {"balance": ["price", "site", "visits"]}),
    "fixed": (3, {"fixed": "fixed"}),
    "all": (3, {"groups": "patient", "balance": "price", "cover": 1, "random_state": 7}),
}


@pytest.mark.parametrize("case", CASES)
def test_split_is_that_of_evenfold_split(case, table, tmp_path):
    """Every row is in the part that it has if all labels are given at once."""
    parts, settings = CASES[case]
    given = dict(settings)
    if "groups" in given:
        given["groups"] = list_values(table, given["groups"])
    if "balance" in given:
        columns = given["balance"]
        given["balance"] = list_values(table, *([columns] if isinstance(columns, str) else columns))
    if "fixed" in given:
        given["fixed"] = table["fixed"].to_pylist()
    expected = evenfold.split(table["labels"].to_pylist(), parts, **given)
    for n_files in (1, 4):
        data = write_files(tmp_path / f"data{n_files}", cut(table, n_files))
        s = split(data, parts, labels="labels", output=tmp_path / f"out{n_files}", **settings)
        assert s.scheme == "memory"
        assert s.names == expected.names
        assert find_part_of_row(s).tolist() == expected.part_of_row.tolist()
        check_split(s, table, exact="groups" not in settings)
        assert s.quality.rld == pytest.approx(expected.quality.rld)


def test_empty_partitions_do_not_matter(table, tmp_path):
    """Files without rows or row groups between others leave the split as it is."""
    empty = table.slice(0, 0)
    pieces = [empty, table.slice(0, 100), empty, table.slice(100), empty]
    data = write_files(tmp_path / "data", pieces)
    s = split(data, 3, labels="labels", output=tmp_path / "out")
    expected = evenfold.split(table["labels"].to_pylist(), 3)
    assert find_part_of_row(s).tolist() == expected.part_of_row.tolist()


def test_engine_does_not_matter(table, tmp_path):
    """With an engine, data that fits into memory gets the same split."""
    data = write_files(tmp_path / "data", cut(table, 3))
    out = [
        split(data, 3, labels="labels", engine=engine, output=tmp_path / f"out{engine}")
        for engine in (None, "sync")
    ]
    assert out[0] == out[1]
