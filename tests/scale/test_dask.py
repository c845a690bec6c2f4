"""The engine of Dask, on a cluster of two processes."""

import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evenfold import scale
from evenfold.exceptions import EngineError, InputError
from evenfold.scale.engine import SyncEngine, find_engine
from evenfold.scale.passes import run_pass
from evenfold.scale.work_folder import WorkFolder

from .clusters import start_dask
from .engine_tasks import (
    NumberTask,
    check_killed,
    fail,
    make_rows,
    make_tasks,
    multiply,
    note_run,
    read_buckets,
    refuse_first_at_once,
    refuse_rows,
    refuse_third,
)

distributed = pytest.importorskip("distributed", reason="dask is not installed")
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def cluster():
    """Return two processes of one thread."""
    with start_dask(2) as cluster:
        yield cluster


@pytest.fixture
def engine(cluster):
    """Return the engine of a new client."""
    with distributed.Client(cluster, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
        engine = find_engine(client)
        yield engine
        engine.close()


@pytest.fixture
def work(tmp_path):
    """Return an empty work folder."""
    return WorkFolder(str(tmp_path / "work"))


def read_products(engine, work, tasks):
    """Return the results of a pass."""
    results = run_pass(engine, work, "count", multiply, tasks, {"factor": 10})
    return [(result["product"], result["squares"].tolist()) for result in results]


@pytest.mark.parametrize("allowed_failures", [0, 3])
def test_worker_killed_in_a_pass_changes_nothing(
    engine, cluster, work, tmp_path, monkeypatch, allowed_failures
):
    """The process is gone, its task ran again, and the results are those of one process."""
    monkeypatch.setattr(cluster.scheduler, "allowed_failures", allowed_failures)
    found = read_products(engine, work, make_tasks(tmp_path / "runs", killed=3))
    check_killed(tmp_path / "runs", 3)
    plain = make_tasks(tmp_path / "plain")
    assert found == read_products(SyncEngine(), WorkFolder(str(tmp_path / "sync")), plain)


def test_worker_killed_in_a_shuffle_changes_nothing(engine, tmp_path):
    """The buckets have the rows that one process writes."""
    tasks = make_tasks(tmp_path / "runs", killed=5)
    engine.shuffle(make_rows, tasks, 7, str(tmp_path / "rows"))
    check_killed(tmp_path / "runs", 5)
    SyncEngine().shuffle(make_rows, make_tasks(tmp_path / "plain"), 7, str(tmp_path / "sync"))
    assert read_buckets(tmp_path / "rows") == read_buckets(tmp_path / "sync")


def kill_when_written(task):
    """Make this worker note a run of the task, which kills it, when it writes rows."""
    import evenfold.scale.dask_frames as frames

    write = frames.write_packed

    def write_after_note(*args):
        note_run(task)
        write(*args)

    frames.write_packed = write_after_note


def test_worker_killed_while_buckets_are_written_changes_nothing(engine, tmp_path):
    """Rows that the dead worker had received are made again."""
    tasks = make_tasks(tmp_path / "runs")
    last = NumberTask(9, str(tmp_path / "runs"), killed=9)
    engine._client.run(partial(kill_when_written, last))
    engine.shuffle(make_rows, tasks, 7, str(tmp_path / "rows"))
    check_killed(tmp_path / "runs", 9)
    SyncEngine().shuffle(make_rows, make_tasks(tmp_path / "plain"), 7, str(tmp_path / "sync"))
    assert read_buckets(tmp_path / "rows") == read_buckets(tmp_path / "sync")


def test_error_of_a_task_is_the_error_of_the_pass(engine, work, tmp_path):
    """An error of evenfold arrives as it was raised, and so does any other."""
    tasks = make_tasks(tmp_path / "runs")
    with pytest.raises(InputError, match=r"^'data' must have no gap, got file 3\.$") as raised:
        run_pass(engine, work, "count", refuse_third, tasks, {})
    assert raised.value.parameter == "data"
    with pytest.raises(KeyError, match="absent"):
        run_pass(engine, work, "other", fail, tasks, {})


def test_error_is_raised_when_no_task_runs_any_more(engine, work, tmp_path):
    """Whoever gets the error removes the work folder."""
    tasks = make_tasks(tmp_path / "runs", n_tasks=20)
    with pytest.raises(InputError, match="got file 0"):
        run_pass(engine, work, "count", refuse_first_at_once, tasks, {})
    runs = Path(tmp_path / "runs")
    assert len(list(runs.glob("begun-*"))) == len(list(runs.glob("ended-*"))) < 20


def test_refused_task_is_no_error_of_dask(engine, cluster, work, tmp_path):
    """Workers write errors of tasks to their logs, which a user sees."""
    earlier = len(cluster.scheduler.transition_log)
    with pytest.raises(InputError, match="got file 3"):
        run_pass(engine, work, "count", refuse_third, make_tasks(tmp_path / "runs"), {})
    with pytest.raises(InputError, match="'work' must be"):
        engine.check(WorkFolder("memory://x/work"))
    later = list(cluster.scheduler.transition_log)[earlier:]
    assert later
    assert not [each for each in later if each.finish == "erred"]


def test_error_in_a_shuffle_is_raised(engine, tmp_path):
    """The tables of tasks are made before rows are moved."""
    with pytest.raises(InputError, match="'data' must have no gap, got file 3"):
        engine.shuffle(refuse_rows, make_tasks(tmp_path / "runs"), 7, str(tmp_path / "rows"))


def test_work_folder_that_workers_cannot_reach_is_refused(engine, work):
    """The memory of this process is such a folder."""
    engine.check(work)
    with pytest.raises(InputError, match=r"'work' must be .* got memory://x/work: .* with work="):
        engine.check(WorkFolder("memory://x/work"))


def test_client_without_cluster_is_refused(cluster):
    """A closed client is named before anything is run."""
    client = distributed.Client(cluster, set_as_default=False)
    with pytest.raises(InputError, match="'workers' must be None where engine is a Client"):
        find_engine(client, 2)
    client.close()
    with pytest.raises(InputError, match="'engine' must be a client that is connected to workers"):
        find_engine(client)


def test_lost_scheduler_is_the_error_of_the_engine(cluster, work):
    """What Dask raises depends on what was asked for when the connection was lost."""
    client = distributed.Client(cluster, set_as_default=False)
    engine = find_engine(client)
    client.close()
    with pytest.raises(EngineError, match="'engine' must run all tasks, got: the scheduler was l"):
        engine.run(print, [0], lambda: None)
    with pytest.raises(EngineError, match="the scheduler was lost"):
        engine.check(work)


def test_engine_by_name_starts_and_ends_its_processes(work, tmp_path, monkeypatch):
    """As many processes as there are cores."""
    monkeypatch.setattr("dask.system.CPU_COUNT", 1)
    engine = find_engine("dask")
    try:
        [pid] = engine._client.run(os.getpid).values()
        assert pid != os.getpid()
        assert len(read_products(engine, work, make_tasks(tmp_path / "runs"))) == 6
    finally:
        engine.close()
    assert not Path("/proc", str(pid)).exists()


def test_script_without_guard_is_told_of_it(tmp_path):
    """Its workers run it again, and end without a word."""
    script = tmp_path / "script.py"
    script.write_text("from evenfold.scale.engine import find_engine; find_engine('dask', 2)")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=300)
    assert done.stderr.count("Traceback") == 1, done.stderr
    assert "'engine' must be able to start processes" in done.stderr
    assert done.stderr.endswith("under: if __name__ == '__main__':\n")


@pytest.fixture
def frame(tmp_path):
    """Return a Dask DataFrame of three files with lists, one of them without rows."""
    import dask.dataframe as dd

    (tmp_path / "data").mkdir()
    for number, n_rows in enumerate([4, 0, 3]):
        rows = {
            "id": pa.array(range(n_rows), pa.int64()),
            "labels": pa.array([["a", "b"][:row] for row in range(n_rows)], pa.list_(pa.string())),
            "text": pa.array([f"text {row}" for row in range(n_rows)], pa.string()),
        }
        pq.write_table(pa.table(rows), tmp_path / "data" / f"{number}.parquet")
    return dd.read_parquet(tmp_path / "data")


def test_frame_is_written_by_partitions(engine, frame, work):
    """Each partition is a file with the columns asked for, also one without rows."""
    partitions = engine.take_frame(frame, ["labels"], None, work)
    assert [partition.number for partition in partitions] == [0, 1, 2]
    tables = [pq.read_table(*partition.paths) for partition in partitions]
    assert [table.column_names for table in tables] == [["labels"]] * 3
    assert [table.num_rows for table in tables] == [4, 0, 3]
    assert tables[0]["labels"].to_pylist() == [[], ["a"], ["a", "b"], ["a", "b"]]


def write_parts(folder, parts):
    """Write a file for each partition; return the folder and the names of the files."""
    folder.mkdir()
    names = [f"{number}.parquet" for number in range(len(parts))]
    for name, own in zip(names, parts, strict=True):
        pq.write_table(pa.table({"part": pa.array(own, pa.string())}), folder / name)
    return str(folder), names


def test_frame_gets_the_parts_of_its_rows(engine, frame, tmp_path):
    """The other columns, the divisions and the order of the rows stay."""
    parts = [["train", "test", "train", "val"], [], ["val"] * 3]
    folder, names = write_parts(tmp_path / "parts", parts)
    given = engine.give_frame(frame, folder, names, None, "part")
    assert list(given.columns) == ["id", "labels", "text", "part"]
    assert given.divisions == frame.divisions
    computed = engine._client.compute(given).result()
    assert computed["part"].tolist() == ["train", "test", "train", "val", "val", "val", "val"]
    assert computed["id"].tolist() == [0, 1, 2, 3, 0, 1, 2]
    assert dict(computed.dtypes) == dict(given.dtypes)
    validation = given[given["part"] == "val"]["id"].sum()
    assert engine._client.compute(validation).result() == 6


def test_frame_with_other_rows_than_before_is_refused(engine, frame, tmp_path):
    """Parts are given by position."""
    folder, names = write_parts(tmp_path / "parts", [["train"], [], ["val"] * 3])
    given = engine.give_frame(frame, folder, names, None, "part")
    with pytest.raises(InputError, match=r"'data' must have the same rows each .* 4 rows .* 1\."):
        engine._client.compute(given).result()


def test_columns_of_frames_are_checked(engine, frame, work):
    """A column that is absent, and one that the result would replace."""
    with pytest.raises(InputError, match=r"'data' has no column 'label'. Did you mean 'labels'"):
        engine.take_frame(frame, ["label"], None, work)
    with pytest.raises(InputError, match="'data' must not have a column 'text' yet"):
        engine.give_frame(frame, "parts", [], None, "text")


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"labels": "label"}, r"'labels' must name columns of the DataFrame, got 'label'\. "),
        ({"labels": "labels", "key": "labels"}, r"'key' must .* got 'labels' of the DataFrame, "),
        ({"labels": "labels", "key": "id"}, r"'key' must .* 'id'"),
        ({"labels": "labels", "key": "gap"}, r"'key' .* 'gap' of partition \d of the DataFrame "),
    ],
)
def test_error_of_a_frame_names_no_file(engine, frame, settings, message):
    """The files in the work folder are not the user's."""
    frame = frame.assign(gap=frame["id"].where(frame["id"] > 0))
    with pytest.raises(InputError, match=message) as raised:
        scale.split(frame, 2, engine=engine._client, memory=0, **settings)
    assert ".parquet" not in str(raised.value)
    with pytest.raises(InputError, match=r"^the DataFrame: .*row") as raised:
        scale.split(frame[frame["id"] < 0], 2, labels="labels", engine=engine._client)


def test_index_with_a_name_is_a_column_of_the_files(engine, frame, tmp_path):
    """As in files that Dask writes; the numbers of rows are not written."""
    import pandas as pd

    numbered = scale.split(
        frame, 2, labels="labels", engine=engine._client, output=str(tmp_path / "numbered")
    )
    assert pq.read_schema(numbered.files[0]).names == ["id", "labels", "text", "part"]
    named = frame.set_index("text", sort=False)
    s = scale.split(named, 2, labels="labels", engine=engine._client, output=str(tmp_path / "out"))
    assert s.frame.index.name == "text"
    written = pd.concat([pd.read_parquet(path) for path in s.files])
    assert written.index.tolist() == [f"text {row}" for row in [*range(4), *range(3)]]
    assert list(written.columns) == ["id", "labels", "part"]
