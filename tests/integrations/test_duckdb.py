"""Relations of DuckDB, and what DuckDB reads of a split."""

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import evenfold
from evenfold.exceptions import InputTypeError
from evenfold.labels import make_labels

from .labels import GROUP, IN_GROUPS, NAMES, Y, check_same

duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed")
pytestmark = pytest.mark.slow


@pytest.fixture
def connection():
    """Return a connection with a table of 0/1 labels."""
    with duckdb.connect() as connection:
        connection.register("frame", pd.DataFrame(Y, columns=NAMES).assign(patient=GROUP))
        connection.sql("CREATE TABLE movies AS SELECT * FROM frame")
        yield connection


def test_relations_are_computed(connection):
    """As labels and as groups."""
    labels = connection.sql("SELECT * EXCLUDE patient FROM movies")
    check_same(evenfold.split(labels, 3))
    patients = connection.sql("SELECT patient FROM movies")
    check_same(evenfold.split(labels, 3, groups=patients), IN_GROUPS)
    assert make_labels(labels).names == NAMES


def test_lists_of_a_relation_are_labels(connection):
    """The only column of a relation is read as that of a frame."""
    relation = connection.sql(
        "SELECT [['a', 'b'], ['b'], []][1 + i % 3] AS tags FROM range(9) t(i)"
    )
    assert make_labels(relation).count_of_label.tolist() == [3, 6]


def test_a_connection_is_refused(connection):
    """The message names a call that gives a frame, which is read."""
    result = connection.execute("SELECT * EXCLUDE patient FROM movies")
    with pytest.raises(InputTypeError, match=r"got DuckDBPyConnection of .* Call .df\(\) first\."):
        evenfold.split(result, 3)
    check_same(evenfold.split(result.df(), 3))


def test_a_split_into_folders_is_read(command, tmp_path):
    """DuckDB has the column part."""
    rows = pa.table(dict(zip(NAMES, Y.T, strict=True)) | {"id": range(60)})
    pq.write_table(rows, tmp_path / "data.parquet")
    line = "split data.parquet --labels war,drama,crime,art --folds 3 -o out --hive -q"
    assert command(line) == (0, "", "")
    query = "SELECT part, count(*) FROM read_parquet('out/*/*.parquet', hive_partitioning = true) "
    assert sorted(duckdb.sql(f"{query} GROUP BY part").fetchall()) == [
        ("fold0", 20),
        ("fold1", 20),
        ("fold2", 20),
    ]
