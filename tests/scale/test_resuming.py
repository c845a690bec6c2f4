"""A run that was interrupted goes on where it stopped, and a finished one is not made again."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evenfold.exceptions import EvenfoldError
from evenfold.scale import passes, sections, split
from evenfold.scale.work_folder import WorkFolder

from .made_files import check_split, cut, find_part_of_row, hash_files, make_table, write_files

# What the driver saves again in a second run: it is computed from the results of a pass.
OF_DRIVER = ("placed", "before", "centre", "grouped")


class StoppedError(Exception):
    """What no part of evenfold raises."""


@pytest.fixture(scope="module")
def table():
    """Return rows with a group and a column to balance."""
    rng = np.random.default_rng(4)
    return make_table(
        600,
        20,
        site=pa.array(["Bonn" if at % 3 else "Lima" for at in range(600)]),
        patient=rng.permutation(600) // 2,
    )


@pytest.fixture(scope="module")
def data(table, tmp_path_factory):
    """Return a folder of four files."""
    return write_files(tmp_path_factory.mktemp("resuming") / "data", cut(table, 4))


@pytest.fixture
def saved(monkeypatch):
    """Return the list of the records that are saved."""
    names = []
    save = WorkFolder.save
    of_check = ("driver", "worker")

    def save_and_note(self, name, record):
        save(self, name, record)
        if not name.startswith(of_check):
            names.append(name)

    monkeypatch.setattr(WorkFolder, "save", save_and_note)
    return names


SETTINGS = {
    "stream": {},
    "gather": {"engine": "sync", "balance": "site"},
    "groups": {"engine": "sync", "groups": "patient"},
    "memory": {"memory": "1GB"},
}


def split_data(data, out, scheme, **changes):
    """Split the data by a scheme."""
    settings = {"labels": "labels", "memory": 0} | SETTINGS[scheme] | changes
    return split(data, 3, output=out, **settings)


def stop_at(monkeypatch, name, error):
    """Raise an error when a record is to be saved."""
    save = WorkFolder.save

    def save_or_stop(self, own, record):
        if own == name:
            raise error
        save(self, own, record)

    monkeypatch.setattr(WorkFolder, "save", save_or_stop)


STOPS = [
    ("memory", "read-00002", StoppedError),
    ("memory", "parts-00001", KeyboardInterrupt),
    ("memory", "write-00003", StoppedError),
    ("stream", "units-00001", StoppedError),
    ("stream", "first-00002", StoppedError),
    ("stream", "streamed-00000", KeyboardInterrupt),
    ("stream", "parts-00002", StoppedError),
    ("gather", "read-00000", KeyboardInterrupt),
    ("gather", "count-00002", StoppedError),
    ("gather", "ladder-00002", StoppedError),
    ("gather", "stay-00001", StoppedError),
    ("gather", "before-00002", StoppedError),
    ("gather", "place-00002", KeyboardInterrupt),
    ("gather", "centre-00001", StoppedError),
    ("gather", "write-00001", StoppedError),
    ("groups", "grouped", StoppedError),
    ("groups", "bucket-00001", StoppedError),
    ("groups", "parts-00001", KeyboardInterrupt),
    ("groups", "write-00002", StoppedError),
]


@pytest.fixture(scope="module")
def undisturbed(data, tmp_path_factory):
    """Return the splits of runs that were not disturbed, by scheme."""
    folder = tmp_path_factory.mktemp("undisturbed")
    with pytest.MonkeyPatch.context() as context:
        context.setattr(sections, "ENTRIES_OF_SECTION", 450)
        return {scheme: split_data(data, folder / scheme, scheme) for scheme in SETTINGS}


@pytest.mark.parametrize(("scheme", "record", "error"), STOPS)
def test_second_run_goes_on_where_the_first_stopped(
    scheme, record, error, undisturbed, data, table, tmp_path, monkeypatch, saved
):
    """No finished task is run again, and the split is that of a run that was not disturbed."""
    monkeypatch.setattr(sections, "ENTRIES_OF_SECTION", 450)
    with monkeypatch.context() as context:
        stop_at(context, record, error)
        with pytest.raises(error):
            split_data(data, tmp_path / "out", scheme)
    done = set(saved)
    assert len([path for path in (tmp_path / "out").glob(".evenfold-*") if path.is_dir()]) == 1
    assert not (tmp_path / "out" / "_manifest.json").exists()
    saved.clear()
    s = split_data(data, tmp_path / "out", scheme)
    # The task that was stopped had saved its units.
    allowed = (*OF_DRIVER, record.replace("read", "units"), *["parts"] * (scheme == "memory"))
    assert [name for name in done & set(saved) if not name.startswith(allowed)] == []
    assert s == undisturbed[scheme]
    assert not list((tmp_path / "out").glob(".evenfold*"))
    check_split(s, table, exact=scheme != "groups")
    assert hash_names(tmp_path / "out") == hash_names(Path(undisturbed[scheme].folder))


def hash_names(folder):
    """Return the digests of the Parquet files, and the names of all others."""
    hashes = hash_files(folder)
    return {name: name.endswith("parquet") and own[0] for name, own in hashes.items()}


def test_error_of_evenfold_leaves_nothing(data, tmp_path, monkeypatch):
    """An error that a second run would meet again removes the work folder and all files."""
    stop_at(monkeypatch, "write-00002", EvenfoldError("must not be."))
    with pytest.raises(EvenfoldError, match="must not be"):
        split_data(data, tmp_path / "out", "gather")
    assert list(tmp_path.iterdir()) == []


def test_finished_split_is_returned_at_once(data, tmp_path, monkeypatch):
    """A second run reads neither rows nor footers, and writes nothing."""
    first = split_data(data, tmp_path / "out", "gather")
    before = hash_files(tmp_path / "out")

    def refuse(*_, **__):
        raise AssertionError("data was read")

    monkeypatch.setattr(pq, "ParquetFile", refuse)
    monkeypatch.setattr(passes, "run_pass", refuse)
    monkeypatch.setattr("evenfold.scale.make_split.count_rows", refuse)
    monkeypatch.setattr("evenfold.scale.make_split.Run", refuse)
    again = split_data(data, tmp_path / "out", "gather")
    assert again == first
    assert again.counts.tolist() == first.counts.tolist()
    assert hash_files(tmp_path / "out") == before


def test_what_a_killed_run_left_beside_a_finished_split_is_removed(data, tmp_path, monkeypatch):
    """It was killed after it had written the manifest."""

    def stop(*_):
        raise StoppedError

    with monkeypatch.context() as patch:
        patch.setattr("evenfold.scale.job.remove_work", stop)
        with pytest.raises(StoppedError):
            split_data(data, tmp_path / "out", "gather")
    assert (tmp_path / "out" / "_manifest.json").exists()
    assert list((tmp_path / "out").glob(".evenfold-work-*"))
    split_data(data, tmp_path / "out", "gather")
    assert list((tmp_path / "out").glob(".*")) == []


def test_changed_input_is_another_run(table, tmp_path):
    """A file that was written anew is not taken for the one that was split."""
    folder = write_files(tmp_path / "data", cut(table, 4))
    split_data(folder, tmp_path / "out", "gather")
    pq.write_table(table.slice(0, 50), folder / "000.parquet")
    with pytest.raises(EvenfoldError, match="force=True"):
        split_data(folder, tmp_path / "out", "gather")
    s = split_data(folder, tmp_path / "out", "gather", force=True)
    check_split(s, pa.concat_tables([table.slice(0, 50), *cut(table, 4)[1:]]))


def test_force_makes_a_finished_split_again(data, tmp_path, saved):
    """The same arguments give the same split."""
    first = split_data(data, tmp_path / "out", "gather")
    n_saved = len(saved)
    assert split_data(data, tmp_path / "out", "gather", force=True) == first
    assert len(saved) == 2 * n_saved


def test_earlier_split_is_valid_until_files_are_written(data, tmp_path, monkeypatch):
    """A run with force that is interrupted in a pass leaves the earlier split, and goes on."""
    first = split_data(data, tmp_path / "out", "gather")
    with monkeypatch.context() as context:
        stop_at(context, "place-00001", StoppedError)
        with pytest.raises(StoppedError):
            split_data(data, tmp_path / "out", "gather", random_state=1, force=True)
    assert split_data(data, tmp_path / "out", "gather") == first
    s = split_data(data, tmp_path / "out", "gather", random_state=1, force=True)
    assert s != first
    assert not list((tmp_path / "out").glob(".evenfold*"))
    assert len(find_part_of_row(s)) == 600


def test_file_that_shrank_meanwhile_is_refused(table, tmp_path, monkeypatch):
    """A file with other rows than were read is found when it is written."""
    folder = write_files(tmp_path / "data", cut(table, 4))
    save = WorkFolder.save

    def save_and_change(self, name, record):
        save(self, name, record)
        if name == "parts-00003":
            pq.write_table(table.slice(0, 50), folder / "002.parquet")

    monkeypatch.setattr(WorkFolder, "save", save_and_change)
    with pytest.raises(EvenfoldError, match=r"002\.parquet"):
        split_data(folder, tmp_path / "out", "gather")
    assert [path.name for path in tmp_path.iterdir()] == ["data"]
