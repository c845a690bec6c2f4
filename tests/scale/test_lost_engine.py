"""An engine that is lost does not take the finished results with it."""

import pytest

from evenfold.exceptions import EngineError, InputError
from evenfold.scale import extend, load, split
from evenfold.scale.engine import SyncEngine, make_engine_error
from evenfold.scale.work_folder import WorkFolder

from .made_files import check_split, cut, make_table, write_files

SETTINGS = {"labels": "labels", "memory": 0, "engine": "sync"}


@pytest.fixture(scope="module")
def table():
    """Return the rows."""
    return make_table(400, 12)


@pytest.fixture
def data(table, tmp_path):
    """Return a folder of four files."""
    return write_files(tmp_path / "data", cut(table, 4))


def lose_engine_after(context, n_tasks):
    """Lose the engine after a number of tasks of the passes."""
    run, n_left = SyncEngine.run, [n_tasks]

    def run_or_lose(self, function, tasks, on_done):
        for task in tasks:
            n_left[0] -= not isinstance(task, int)
            if n_left[0] < 0:
                raise make_engine_error("the scheduler was lost")
            run(self, function, [task], on_done)

    context.setattr(SyncEngine, "run", run_or_lose)


@pytest.mark.parametrize("n_tasks", [6, 21])
def test_results_stay_when_the_engine_is_lost(n_tasks, data, table, tmp_path, monkeypatch):
    """The second run goes on, in a pass over labels or while files are written."""
    expected = split(data, 3, output=tmp_path / "other", **SETTINGS)
    with monkeypatch.context() as context:
        lose_engine_after(context, n_tasks)
        with pytest.raises(EngineError, match="run the same call again: a split of files goes on"):
            split(data, 3, output=tmp_path / "out", **SETTINGS)
    assert list((tmp_path / "out").glob(".evenfold*"))

    def refuse(*_, **__):
        raise AssertionError("a partition was read again")

    monkeypatch.setattr("evenfold.scale.run.read_partition", refuse)
    s = split(data, 3, output=tmp_path / "out", **SETTINGS)
    assert s == expected
    check_split(s, table)
    assert not list((tmp_path / "out").glob(".*"))


def test_extension_goes_on_when_the_engine_was_lost(data, table, tmp_path, monkeypatch):
    """The split is as it was until then."""
    out = tmp_path / "out"
    first = split(data, 3, output=out, **SETTINGS)
    new = write_files(tmp_path / "new", cut(table, 4))
    with monkeypatch.context() as context:
        lose_engine_after(context, 21)
        with pytest.raises(EngineError, match="the scheduler was lost"):
            extend(out, new, memory=0, engine="sync")
    assert load(out) == first
    assert extend(out, new, memory=0, engine="sync").n_rows == 800
    assert not list(out.glob(".*"))


def test_engine_that_is_lost_before_the_first_pass_leaves_nothing(data, tmp_path, monkeypatch):
    """There are no results to keep."""

    def lose(*_):
        raise make_engine_error("the scheduler was lost")

    monkeypatch.setattr(SyncEngine, "run", lose)
    with pytest.raises(EngineError, match="the scheduler was lost"):
        split(data, 3, output=tmp_path / "out", **SETTINGS)
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_engine_that_does_not_reach_the_folder_leaves_results(data, tmp_path, monkeypatch):
    """Those of an earlier run with another engine can still be used."""
    with monkeypatch.context() as context:
        lose_engine_after(context, 6)
        with pytest.raises(EngineError, match="the scheduler was lost"):
            split(data, 3, output=tmp_path / "out", **SETTINGS)
    [work] = (tmp_path / "out").glob(".evenfold*")
    before = sorted(path.name for path in work.rglob("*"))

    def fail(*_):
        raise OSError("no such folder")

    with monkeypatch.context() as context:
        context.setattr(SyncEngine, "run", fail)
        with pytest.raises(InputError, match="'work' must be a folder that all workers can"):
            split(data, 3, output=tmp_path / "out", **SETTINGS)
    assert sorted(path.name for path in work.rglob("*")) == before
    assert WorkFolder(str(work / "passes")).list_done("read") == {0, 1, 2, 3}
