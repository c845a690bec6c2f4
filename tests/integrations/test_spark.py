"""Hive-partitioned folders that Spark writes and reads."""

import pytest

from evenfold.files.registry import open_data

from ..scale.clusters import HAS_JAVA, start_spark

pytest.importorskip("pyspark", reason="pyspark is not installed")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not HAS_JAVA, reason="Java is not installed"),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]


def test_folders_of_spark_are_read_and_written(command, tmp_path):
    """Keys keep their types, escapes and missing values; Spark reads the parts as one table."""
    rows = [
        (at, ["a", "b"][: 1 + at % 2], 1990 + at % 3, [None, "a/b", "50%"][at % 3])
        for at in range(60)
    ]
    with start_spark("local[1]", tmp_path) as session:
        frame = session.createDataFrame(rows, "id long, tags array<string>, year int, city string")
        frame.write.partitionBy("year", "city").parquet(str(tmp_path / "data"))
        file = open_data(str(tmp_path / "data"))
        assert list(file.columns) == ["id", "tags", "year", "city"]
        read = {
            row["id"]: (row["tags"], row["year"], row["city"])
            for batch in file.read_batches(file.columns)
            for row in batch.to_pylist()
        }
        assert read == {row[0]: row[1:] for row in rows}
        assert command("split data --labels tags --folds 3 -o out --hive -q") == (0, "", "")
        again = session.read.parquet(str(tmp_path / "out"))
        assert dict(again.dtypes) == dict(frame.dtypes) | {"part": "string"}
        found = again.select("id", "tags", "year", "city").collect()
        assert sorted(map(tuple, found)) == sorted(rows, key=lambda row: row[0])
        assert {row["count"] for row in again.groupBy("part").count().collect()} == {20}
