"""Splits of DataFrames begin anew each time; wrong ones are refused before the first pass."""

from contextlib import nullcontext
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evenfold.exceptions import InputError
from evenfold.scale import split
from evenfold.scale.engine import SyncEngine, make_engine_error
from evenfold.scale.partitions import Partition

from .made_files import check_split, cut, make_table


class Frame:
    """Stands for a DataFrame of Dask: tables, one for each partition."""

    def __init__(self, tables):
        self.tables = tables

    @property
    def columns(self):
        """The names of the columns."""
        return self.tables[0].column_names


Frame.__module__ = "dask.dataframe"


class FrameEngine(SyncEngine):
    """Runs tasks in this process, and knows the DataFrames above."""

    name = "dask"

    def take_frame(self, frame, columns, key, work):
        """Write the partitions into the work folder."""
        paths = [work.find(f"frame/{number:05d}.parquet") for number in range(len(frame.tables))]
        for path, table in zip(paths, frame.tables, strict=True):
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            pq.write_table(table.select(list(columns)), path)
        return [Partition(number, (path,)) for number, path in enumerate(paths)]

    def give_frame(self, frame, folder, names, key, column):
        """Return what reads the parts when it is called."""
        paths = [Path(folder, name) for name in names]
        return lambda: [pq.read_table(path)[column].to_pylist() for path in paths]


@pytest.fixture(autouse=True)
def _engine(monkeypatch):
    """Run all splits of these tests with this engine."""
    monkeypatch.setattr(
        "evenfold.scale.make_split.open_engine", lambda *_: nullcontext(FrameEngine())
    )


def make_frame(seed=0, n_partitions=4):
    """Return a DataFrame and its rows."""
    table = make_table(300, 12, seed)
    return Frame(cut(table, n_partitions)), table


def stop_before_manifest(context):
    """Stop runs when all files are written."""

    def stop(*_):
        raise KeyboardInterrupt

    context.setattr("evenfold.scale.scaled_split.write_manifest", stop)


@pytest.mark.parametrize("n_partitions", [2, 4, 6])
@pytest.mark.parametrize("settings", [{}, {"random_state": 3, "force": True}])
def test_results_of_another_frame_are_not_used(n_partitions, settings, tmp_path, monkeypatch):
    """A run that was stopped is made anew, and the files that it wrote are replaced."""
    out = tmp_path / "out"
    with monkeypatch.context() as context:
        stop_before_manifest(context)
        with pytest.raises(KeyboardInterrupt):
            split(make_frame()[0], 2, labels="labels", output=out)
    assert len(list(out.glob("*.parquet"))) == 4
    frame, table = make_frame(1, n_partitions)
    s = split(frame, 2, labels="labels", output=out, **settings)
    check_split(s, table)
    assert len(list(out.glob("*.parquet"))) == n_partitions
    assert not list(out.glob(".*"))


def test_files_of_another_run_are_replaced_only_with_force(tmp_path, monkeypatch):
    """As for files."""
    out = tmp_path / "out"
    with monkeypatch.context() as context:
        stop_before_manifest(context)
        with pytest.raises(KeyboardInterrupt):
            split(make_frame()[0], 2, labels="labels", output=out)
    with pytest.raises(InputError, match="must be a folder without other files"):
        split(make_frame()[0], 2, labels="labels", output=out, random_state=3)
    (out / "part-00009.parquet").write_bytes(b"")
    with pytest.raises(InputError, match="without other Parquet files"):
        split(make_frame()[0], 2, labels="labels", output=out, random_state=3, force=True)


@pytest.mark.parametrize("error", [InputError("no."), make_engine_error("lost")])
def test_failed_split_of_a_frame_leaves_nothing(error, tmp_path, monkeypatch):
    """Nothing of it can be used, whatever the error."""

    def fail(*_):
        raise error

    monkeypatch.setattr("evenfold.scale.job.Job._give_frame", fail)
    with pytest.raises(type(error)):
        split(make_frame()[0], 2, labels="labels", output=tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_frames_with_one_work_folder_keep_their_parts(tmp_path):
    """The first one is computed after the second was split."""
    settings = {"labels": "labels", "work": tmp_path / "work"}
    first = split(make_frame()[0], 2, **settings)
    before = first.frame()
    second = split(make_frame(1)[0], 2, **settings)
    assert first.frame() == before != second.frame()


def test_workers_get_absolute_paths(tmp_path, monkeypatch):
    """Workers may run in another folder; the split names the folder as it was given."""
    monkeypatch.chdir(tmp_path)
    found = []
    give = FrameEngine.give_frame

    def note_paths(self, frame, folder, names, key, column):
        found.extend(str(Path(folder, name)) for name in names)
        return give(self, frame, folder, names, key, column)

    monkeypatch.setattr(FrameEngine, "give_frame", note_paths)
    s = split(make_frame()[0], 2, labels="labels", output="out", work="work")
    assert found == [str(tmp_path / "out" / f"part-{number:05d}.parquet") for number in range(4)]
    assert s.files[0] == "out/part-00000.parquet"
    split(make_frame()[0], 2, labels="labels", work="work")
    assert all(Path(path).is_absolute() for path in found)


def test_frame_with_a_column_of_parts_is_refused(tmp_path):
    """Before anything is computed or written."""
    table = make_table(30, 5).append_column("part", pa.array(range(30)))
    with pytest.raises(InputError, match="'data' must not have a column 'part' yet"):
        split(Frame([table]), 2, labels="labels", output=tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


class Session:
    """Stands for a SparkSession."""


Session.__module__ = "pyspark.sql"


@pytest.mark.parametrize(("engine", "named"), [("sync", "'sync'"), (Session(), "a Session")])
def test_engine_must_be_that_of_the_frame(engine, named):
    """Another one cannot read it."""
    with pytest.raises(
        InputError, match=f"'engine' must be None, 'dask' or a Client for .* Dask, got {named}"
    ):
        split(make_frame()[0], 2, labels="labels", engine=engine)


def test_engine_must_be_that_of_a_spark_frame():
    """With a key, which such a frame needs."""
    sdf = type("DataFrame", (), {"__module__": "pyspark.sql.dataframe", "columns": ["id"]})()
    with pytest.raises(InputError, match=r"'spark' or a SparkSession for .* Spark, got 'dask'"):
        split(sdf, 2, labels="labels", key="id", engine="dask")
