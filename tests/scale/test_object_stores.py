"""Data on any file system that fsspec knows is read and written there."""

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evenfold.exceptions import EvenfoldError
from evenfold.scale import extend, load, sections, split

from .made_files import cut, make_table


@pytest.fixture
def store(monkeypatch):
    """Return an empty store in memory with the files of a table."""
    monkeypatch.setattr(sections, "ENTRIES_OF_SECTION", 300)
    store = fsspec.filesystem("memory")
    for folder in ("/scale",):
        if store.exists(folder):
            store.rm(folder, recursive=True)
    for number, piece in enumerate(cut(make_table(600, 15), 4)):
        with store.open(f"/scale/data/{number}.parquet", "wb") as file:
            pq.write_table(piece, file)
    yield store
    store.rm("/scale", recursive=True)


def read_rows(store, folder):
    """Return all rows of the files in a folder."""
    tables = []
    for path in sorted(store.glob(f"{folder}/**/*.parquet")):
        with store.open(path, "rb") as file:
            tables.append(pq.read_table(file))
    return pa.concat_tables(tables)


@pytest.mark.parametrize("settings", [{}, {"memory": 0}, {"memory": 0, "engine": "sync"}])
def test_split_on_a_store_is_that_on_a_disk(settings, store, tmp_path):
    """Input, output and work folder are on the store; parts are those of local files."""
    s = split("memory://scale/data", 3, labels="labels", output="memory://scale/out", **settings)
    rows = read_rows(store, "/scale/out")
    assert rows.drop_columns("part").to_pylist() == read_rows(store, "/scale/data").to_pylist()
    assert sorted(path.rpartition("/")[2] for path in store.find("/scale/out")) == [
        *(f"{number}.parquet" for number in range(4)),
        "_manifest.json",
    ]
    store.get("/scale/data/", str(tmp_path / "data/"), recursive=True)
    local = split(tmp_path / "data", 3, labels="labels", output=tmp_path / "out", **settings)
    assert local == s == load("memory://scale/out")
    again = split(
        "memory://scale/data", 3, labels="labels", output="memory://scale/out", **settings
    )
    assert again == s


def test_split_on_a_store_is_extended(store):
    """New files have keys of their own."""
    split("memory://scale/data/[01]*", 3, labels="labels", output="memory://scale/out")
    s = extend("memory://scale/out", "memory://scale/data/[23]*", memory=0)
    assert s.sizes.tolist() == [200] * 3
    assert len(store.find("/scale/out")) == 5


def test_refused_split_leaves_nothing_on_a_store(store):
    """There is neither output nor work folder."""
    before = store.find("/scale")
    for settings, message in [
        ({"labels": "no"}, r"'labels' must name columns of .* got 'no'"),
        ({"labels": "labels", "key": "labels"}, r"'key' must .* got 'labels' of memory:"),
    ]:
        with pytest.raises(EvenfoldError, match=message):
            split("memory://scale/data", 3, output="memory://scale/out", **settings)
        assert store.find("/scale") == before


def test_interrupted_split_on_a_store_goes_on(store, monkeypatch):
    """Results that were saved on the store are not made again."""
    settings = {"labels": "labels", "memory": 0, "engine": "sync"}
    expected = split("memory://scale/data", 3, output="memory://scale/other", **settings)

    def stop(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as context:
        context.setattr("evenfold.scale.scaled_split.write_manifest", stop)
        with pytest.raises(KeyboardInterrupt):
            split("memory://scale/data", 3, output="memory://scale/out", **settings)
    monkeypatch.setattr("evenfold.scale.run.read_partition", stop)
    assert split("memory://scale/data", 3, output="memory://scale/out", **settings) == expected
    assert len(store.find("/scale/out")) == 5
