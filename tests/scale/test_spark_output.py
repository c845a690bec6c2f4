"""Splits of Spark DataFrames that are written to a folder."""

import pyarrow.parquet as pq
import pytest

from evenfold.exceptions import InputError
from evenfold.scale import load, split

from .clusters import HAS_JAVA, start_spark

pytest.importorskip("pyspark", reason="pyspark is not installed")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not HAS_JAVA, reason="Java is not installed"),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    """Return a Spark session."""
    with start_spark("local[1]", tmp_path_factory.mktemp("spark")) as session:
        yield session


def test_output_may_be_a_relative_path(session, tmp_path, monkeypatch):
    """The keys and their parts are written, and the DataFrame reads its column from there."""
    monkeypatch.chdir(tmp_path)
    frame = session.createDataFrame(
        [(number, ["ab"[number % 2]]) for number in range(60)], "id int, labels array<string>"
    )
    given = split(frame, 2, labels="labels", key="id", output="out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "_manifest.json",
        "part-00000.parquet",
    ]
    assert load("out") == given.evenfold_split
    written = pq.read_table(tmp_path / "out" / "part-00000.parquet").to_pylist()
    assert {row.id: row.part for row in given.collect()} == {
        row["id"]: row["part"] for row in written
    }


def test_column_that_is_there_is_refused_before_anything_is_written(session, tmp_path):
    """Also with an output."""
    frame = session.createDataFrame([(1, "a", "x")], "id int, labels string, part string")
    with pytest.raises(InputError, match="'data' must not have a column 'part' yet"):
        split(frame, 2, labels="labels", key="id", output=tmp_path / "out")
    assert list(tmp_path.iterdir()) == []
