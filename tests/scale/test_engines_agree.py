"""One split whatever the engine, the number of workers and the order of rows."""

import pytest

import evenfold

from .clusters import HAS_JAVA, start_dask, start_spark
from .engine_tasks import reorder
from .killed_passes import read_all, split_files, write_files

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with data, and the splits of it by one process."""
    folder = tmp_path_factory.mktemp("agree")
    write_files(folder / "data")
    for groups in (False, True):
        split_files(folder / "data", folder / f"sync-{groups}", "sync", groups)
    return folder


@pytest.fixture(scope="module", params=["local[2]", "local[3]"])
def session(request, tmp_path_factory):
    """Return a Spark session."""
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    if not HAS_JAVA:
        pytest.skip("Java is not installed")
    with start_spark(request.param, tmp_path_factory.mktemp("spark")) as session:
        yield session


def test_dask_gives_the_split_of_one_process(folder, tmp_path):
    """Whatever the number of workers, from files and from a DataFrame with their partitions."""
    distributed = pytest.importorskip("distributed", reason="dask is not installed")
    import dask.dataframe as dd

    with start_dask(1) as cluster, distributed.Client(cluster, set_as_default=False) as client:
        for n_workers in (1, 2, 4):
            cluster.scale(n_workers)
            client.wait_for_workers(n_workers, timeout=120)
            for groups in (False, True):
                output = tmp_path / f"{n_workers}-{groups}"
                split_files(folder / "data", output, client, groups)
                assert read_all(output) == read_all(folder / f"sync-{groups}")
        frame = dd.read_parquet(folder / "data")
        for groups in (False, True):
            found = split_files(frame, None, client, groups)
            wanted = evenfold.scale.load(folder / f"sync-{groups}")
            assert found.digest == wanted.digest
            parts = client.compute(found.frame["part"].value_counts()).result()
            assert [parts[name] for name in wanted.names] == wanted.sizes.tolist()


def test_spark_gives_the_split_of_one_process(session, folder, tmp_path):
    """From files."""
    for groups in (False, True):
        split_files(folder / "data", tmp_path / f"{groups}", session, groups)
        assert read_all(tmp_path / f"{groups}") == read_all(folder / f"sync-{groups}")


# The parts of rows by their keys, from the first split of a Spark DataFrame.
first_split = {}


@pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")
def test_split_of_a_spark_frame_does_not_depend_on_the_session(session, folder, monkeypatch):
    """Nor on the order of rows, which is another one each time the DataFrame is computed."""
    monkeypatch.setattr("evenfold.scale.spark.ROWS_PER_PARTITION", 70)
    n_partitions = 1 if session.conf.get("spark.master") == "local[2]" else 5
    session.conf.set("spark.sql.shuffle.partitions", str(n_partitions))
    files = session.read.parquet(f"file://{folder / 'data'}")
    frame = files.repartition(n_partitions).mapInArrow(reorder, files.schema)
    for groups in (False, True):
        found = split_files(frame, None, session, groups, key="id")
        parts = {row.id: row.part for row in found.select("id", "part").collect()}
        assert len(parts) == 300
        record = (found.evenfold_split.digest, parts)
        assert record == first_split.setdefault(groups, record)
