"""Hive-partitioned folders that fastparquet writes."""

import pandas as pd
import pyarrow.parquet as pq
import pytest

from evenfold import scale
from evenfold.files.registry import open_data

from .labels import GROUP, NAMES, Y

fastparquet = pytest.importorskip("fastparquet", reason="fastparquet is not installed")
pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path):
    """Return a folder with the keys year and country."""
    frame = pd.DataFrame(Y, columns=NAMES)
    frame["year"], frame["country"] = 1990 + GROUP % 3, [f"c {group % 2}" for group in GROUP]
    fastparquet.write(
        str(tmp_path / "data"), frame, file_scheme="hive", partition_on=["year", "country"]
    )
    return tmp_path / "data"


def test_its_keys_are_columns(folder, command, tmp_path):
    """They are in the parts, and can group rows."""
    assert list(open_data(str(folder)).columns) == [*NAMES, "year", "country"]
    line = "split data --labels war,drama,crime,art --parts 0.6,0.4 --groups year -o out -q"
    assert command(line) == (0, "", "")
    parts = [pq.read_table(f"out/{name}.parquet").to_pandas() for name in ("train", "test")]
    assert set(parts[0]["year"]).isdisjoint(parts[1]["year"])
    assert sorted(pd.concat(parts)["country"]) == sorted(f"c {group % 2}" for group in GROUP)


def test_its_keys_are_columns_past_memory(folder, tmp_path):
    """The output has the same folders."""
    s = scale.split(
        folder, [0.6, 0.4], labels=NAMES, groups="year", memory=0, output=tmp_path / "out"
    )
    assert len(s.files) == 6
    assert all("/year=" in path and "/country=c" in path for path in s.files)
