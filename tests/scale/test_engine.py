"""The contract of engines, for the engine of this process, and how an engine is found."""

import sys

import pytest

from evenfold.exceptions import InputError, InputTypeError
from evenfold.scale.engine import SyncEngine, find_engine
from evenfold.scale.work_folder import WorkFolder

from .engine_tasks import make_rows, make_tasks, read_buckets


def test_shuffle_keeps_all_rows_and_writes_each_to_its_bucket(tmp_path):
    """A repeated shuffle changes nothing, and buckets without rows have no folder."""
    tasks = make_tasks(tmp_path / "runs")
    for _ in range(2):
        SyncEngine().shuffle(make_rows, tasks, 7, str(tmp_path / "rows"))
    buckets = read_buckets(tmp_path / "rows")
    assert set(buckets) == {f"bucket={number}" for number in range(6)}
    expected = [row for task in tasks for row in make_rows(task).to_pylist()]
    assert sum(map(len, buckets.values())) == len(expected) == 600
    for row in expected:
        assert {name: value for name, value in row.items() if name != "bucket"} in buckets[
            f"bucket={row['bucket']}"
        ]


def test_check_leaves_nothing_behind(tmp_path):
    """A folder that can be written is accepted, and is empty afterwards."""
    SyncEngine().check(WorkFolder(str(tmp_path)))
    assert list(tmp_path.iterdir()) == []


def test_folder_that_cannot_be_written_is_refused(tmp_path):
    """The message says which argument names another one."""
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match=r"'work' must be a folder .*/file/work.* with work=\."):
        SyncEngine().check(WorkFolder(str(tmp_path / "file" / "work")))


@pytest.mark.parametrize("given", [None, "sync"])
def test_engine_without_workers_is_this_process(given):
    """None and 'sync' are the same."""
    assert find_engine(given).name == "sync"
    assert find_engine(given, 1).name == "sync"


@pytest.mark.parametrize(
    ("engine", "workers", "error", "message"),
    [
        ("dusk", None, InputError, "'engine' must be one of .*, got 'dusk'. Did you mean 'dask'"),
        (
            7,
            None,
            InputTypeError,
            "'engine' must be 'sync', .*SparkSession, got 7, a int. Leave it out",
        ),
        ("sync", 2, InputError, "'workers' must be 1 where engine is 'sync', got 2. .*'dask'"),
        ("dask", 0, InputError, "'workers' must be 1 or more, got 0"),
    ],
)
def test_wrong_engines_are_refused(engine, workers, error, message):
    """The message says what is allowed."""
    with pytest.raises(error, match=message):
        find_engine(engine, workers)


@pytest.mark.parametrize(("engine", "package"), [("dask", "distributed"), ("spark", "pyspark")])
def test_missing_package_is_named_with_its_install_line(engine, package, monkeypatch):
    """The extra has the name of the engine."""
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(InputError, match=rf"'engine' must be .* pip install 'evenfold\[{engine}\]"):
        find_engine(engine)


def test_engine_without_frames_refuses_one(tmp_path):
    """One process has no DataFrames of its own."""
    message = "'engine' must be that of the DataFrame, got 'sync', "
    with pytest.raises(InputError, match=message):
        SyncEngine().give_frame(None, str(tmp_path), [], None, "part")
    with pytest.raises(InputError, match=message):
        SyncEngine().take_frame(None, ["labels"], None, WorkFolder(str(tmp_path / "work")))
