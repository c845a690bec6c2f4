"""The engine of Spark: a local session, and a local cluster with two executors."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evenfold import scale
from evenfold.exceptions import InputError
from evenfold.scale.engine import SyncEngine, find_engine
from evenfold.scale.passes import run_pass
from evenfold.scale.work_folder import WorkFolder

from .clusters import HAS_JAVA, start_spark
from .engine_tasks import (
    check_killed,
    fail,
    make_rows,
    make_tasks,
    multiply,
    read_buckets,
    refuse_rows,
    refuse_third,
    reorder,
)

pytest.importorskip("pyspark", reason="pyspark is not installed")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not HAS_JAVA, reason="Java is not installed"),
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
]
CLUSTER = "local-cluster[2,1,1024]"
with_clusters = pytest.mark.parametrize("session", ["local[2]", CLUSTER], indirect=True)
with_session = pytest.mark.parametrize("session", ["local[2]"], indirect=True)


@pytest.fixture(scope="module")
def session(request, tmp_path_factory):
    """Return a Spark session."""
    with start_spark(request.param, tmp_path_factory.mktemp("spark")) as session:
        yield session


@pytest.fixture
def engine(session):
    """Return the engine of the session."""
    return find_engine(session)


@pytest.fixture
def work(tmp_path):
    """Return an empty work folder."""
    return WorkFolder(str(tmp_path / "work"))


def read_products(engine, work, tasks):
    """Return the results of a pass."""
    results = run_pass(engine, work, "count", multiply, tasks, {"factor": 10})
    return [(result["product"], result["squares"].tolist()) for result in results]


def list_victims(session):
    """Return what can be killed; in local mode the only Java machine is the driver's."""
    return ["worker", "executor"] if session.conf.get("spark.master") == CLUSTER else ["worker"]


@with_clusters
def test_process_killed_in_a_pass_changes_nothing(session, engine, tmp_path):
    """The process is gone, its task ran again, and the results are those of one process."""
    plain = make_tasks(tmp_path / "plain")
    expected = read_products(SyncEngine(), WorkFolder(str(tmp_path / "sync")), plain)
    for victim in list_victims(session):
        tasks = make_tasks(tmp_path / victim, killed=3, victim=victim)
        found = read_products(engine, WorkFolder(str(tmp_path / f"{victim}-work")), tasks)
        check_killed(tmp_path / victim, 3)
        assert found == expected


@with_clusters
def test_process_killed_in_a_shuffle_changes_nothing(session, engine, tmp_path):
    """The buckets have the rows that one process writes."""
    SyncEngine().shuffle(make_rows, make_tasks(tmp_path / "plain"), 7, str(tmp_path / "sync"))
    for victim in list_victims(session):
        tasks = make_tasks(tmp_path / victim, killed=5, victim=victim)
        engine.shuffle(make_rows, tasks, 7, str(tmp_path / f"{victim}-rows"))
        check_killed(tmp_path / victim, 5)
        assert read_buckets(tmp_path / f"{victim}-rows") == read_buckets(tmp_path / "sync")


@with_session
def test_error_of_a_task_is_the_error_of_the_pass(engine, work, tmp_path):
    """An error of evenfold arrives as it was raised, and so does any other."""
    tasks = make_tasks(tmp_path / "runs")
    with pytest.raises(InputError, match=r"^'data' must have no gap, got file 3\.$") as raised:
        run_pass(engine, work, "count", refuse_third, tasks, {})
    assert raised.value.parameter == "data"
    assert work.list_done("count") == {0, 1, 2, 4, 5}
    with pytest.raises(KeyError, match="absent"):
        run_pass(engine, work, "other", fail, tasks, {})
    with pytest.raises(InputError, match="'data' must have no gap, got file 3"):
        engine.shuffle(refuse_rows, tasks, 7, str(tmp_path / "rows"))


@with_session
def test_work_folder_that_workers_cannot_reach_is_refused(engine, work):
    """The memory of this process is such a folder."""
    engine.check(work)
    with pytest.raises(InputError, match=r"'work' must be .* got memory://x/work: .* with work="):
        engine.check(WorkFolder("memory://x/work"))


def make_frame(session, ids=range(100)):
    """Return a DataFrame whose rows have another order each time it is computed."""
    rows = [(f"id {number}", ["a", "b"][: number % 3], number) for number in ids]
    frame = session.createDataFrame(rows, "id string, labels array<string>, number int")
    reordered = frame.repartition(3).mapInArrow(reorder, frame.schema)
    return reordered.withColumnRenamed("id", "the.id")


@with_session
def test_frame_is_written_in_partitions_by_the_key(session, engine, tmp_path, monkeypatch):
    """All rows, each in the same partition whatever the order they come in."""
    monkeypatch.setattr("evenfold.scale.spark.ROWS_PER_PARTITION", 30)
    frame = make_frame(session)
    assert frame.collect() != frame.collect()
    found = []
    for name in ("first", "second"):
        partitions = engine.take_frame(
            frame, ["labels"], "the.id", WorkFolder(str(tmp_path / name))
        )
        assert [partition.number for partition in partitions] == [0, 1, 2, 3]
        assert {partition.key for partition in partitions} == {"the.id"}
        tables = [pq.read_table(*partition.paths) for partition in partitions]
        found.append([sorted(table.to_pylist(), key=lambda row: row["the.id"]) for table in tables])
    assert found[0] == found[1]
    rows = {row["the.id"]: row["labels"] for rows in found[0] for row in rows}
    assert rows == {f"id {number}": ["a", "b"][: number % 3] for number in range(100)}


@with_session
def test_frame_gets_the_parts_of_its_keys(session, engine, tmp_path):
    """The other columns stay where they were."""
    parts = ["train" if number < 80 else "test" for number in range(100)]
    (tmp_path / "parts").mkdir()
    for start in (0, 50):
        ids = [f"id {number}" for number in range(start, start + 50)]
        table = pa.table({"the.id": ids, "part": parts[start : start + 50]})
        pq.write_table(table, tmp_path / "parts" / f"{start}.parquet")
    names = ["0.parquet", "50.parquet"]
    frame = make_frame(session)
    given = engine.give_frame(frame, str(tmp_path / "parts"), names, "the.id", "part")
    assert given.columns == ["the.id", "labels", "number", "part"]
    assert {row.number: row.part for row in given.collect()} == dict(enumerate(parts))


@with_session
def test_keys_and_columns_of_frames_are_checked(session, engine, work):
    """Nothing is written where a key repeats or is null, or where a column is absent."""
    for ids, message in [
        ([1, 2, 3, 2], r"'key' must be .* each value .* got 'the\.id', in which 'id 2' is there 2"),
        ([], "'data' must have rows, got a DataFrame without any"),
    ]:
        with pytest.raises(InputError, match=message):
            engine.take_frame(make_frame(session, ids), ["labels"], "the.id", work)
    with pytest.raises(InputError, match="'key' must name a column that is different in every"):
        engine.take_frame(make_frame(session), ["labels"], None, work)
    nested = r"'key' must .* got 'labels' of the DataFrame, which holds array<string>\. Name"
    with pytest.raises(InputError, match=nested):
        engine.take_frame(make_frame(session), ["number"], "labels", work)
    frame = session.createDataFrame([(1, ["a"]), (None, ["b"])], "id int, labels array<string>")
    with pytest.raises(
        InputError, match=r"'key' must be .*, got 'id', which is null in 1 of 2 rows"
    ):
        engine.take_frame(frame, ["labels"], "id", work)
    with pytest.raises(InputError, match=r"'data' has no column 'label'. Did you mean 'labels'"):
        engine.take_frame(frame, ["label"], "id", work)
    with pytest.raises(InputError, match="'data' must not have a column 'labels' yet"):
        engine.give_frame(frame, "parts", [], "id", "labels")
    assert not Path(work.path).exists()


@with_session
def test_error_of_a_frame_names_no_file(session):
    """The files in the work folder are not the user's."""
    settings = {"key": "the.id", "memory": 0}
    with pytest.raises(InputError, match=r"'labels' must name columns of the DataFrame, got 'x'"):
        scale.split(make_frame(session), 2, labels="x", **settings)
    with pytest.raises(InputError, match=r"'groups' .* got 'labels' of the DataFrame, which holds"):
        scale.split(make_frame(session), 2, labels="number", groups="labels", **settings)


@with_session
def test_stopped_session_is_refused(session, tmp_path):
    """Before anything is run; the active session is taken if none is named."""
    engine = find_engine("spark")
    assert engine._session is session
    engine.close()
    with pytest.raises(InputError, match="'workers' must be None where a Spark session is active"):
        find_engine("spark", 2)
    assert session.range(3).count() == 3
    session.stop()
    with pytest.raises(InputError, match="'engine' must be a Spark session that can be reached"):
        find_engine(session)
