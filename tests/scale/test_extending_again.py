"""An extension that is repeated, interrupted or disturbed adds each file once."""

import os

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evenfold.exceptions import InputError
from evenfold.scale import extend, load, split
from evenfold.scale.scaled_split import ScaledSplit

from .made_files import check_split, cut, hash_files, make_table, write_files


@pytest.fixture(scope="module")
def table():
    """Return the rows of all days."""
    return make_table(900, 12)


@pytest.fixture
def days(table, tmp_path):
    """Return folders of files of three days."""
    return [
        write_files(tmp_path / f"day{day}", cut(table.slice(300 * day, 300), 2)) for day in range(3)
    ]


@pytest.fixture
def out(days, tmp_path):
    """Return the folder of a split of the first day."""
    split(days[0], 3, labels="labels", output=tmp_path / "out")
    return tmp_path / "out"


def count_rows(folder):
    """Return the rows of all files that a reader of the folder finds."""
    paths = [path for path in folder.rglob("*.parquet") if "/." not in str(path)]
    return sum(pq.read_metadata(path).num_rows for path in paths)


def test_files_that_are_in_the_split_are_not_added_again(days, out):
    """The split is returned as it is, and a note says so; files that were changed are new."""
    first = extend(out, days[1])
    before = hash_files(out)
    again = extend(out, days[1])
    assert again == first
    assert again.notes[-1] == (
        "All of the new files were in the split already, so nothing was added."
    )
    assert extend(out, days[0]) == first
    assert hash_files(out) == before
    for path in days[1].iterdir():
        os.utime(path, (1, 1))
    assert extend(out, days[1]).n_rows == 900


def test_files_of_which_some_are_in_the_split_are_refused(days, out):
    """It is not clear what is meant."""
    extend(out, days[1])
    before = hash_files(out)
    with pytest.raises(InputError, match=r"'new' must name files that are not in the split yet"):
        extend(out, [days[1], days[2]])
    assert hash_files(out) == before


def test_run_that_was_killed_after_the_manifest_is_not_repeated(days, out, monkeypatch):
    """The second run finds the files in the split, and removes what the first has left."""
    save = ScaledSplit.save

    def save_and_stop(self, folder):
        save(self, folder)
        raise KeyboardInterrupt

    with monkeypatch.context() as context:
        context.setattr(ScaledSplit, "save", save_and_stop)
        with pytest.raises(KeyboardInterrupt):
            extend(out, days[1])
    assert extend(out, days[1]).n_rows == load(out).n_rows == count_rows(out) == 600
    assert not list(out.glob(".*"))


@pytest.mark.parametrize("stop", ["_check_unchanged", "_give_frame"])
def test_files_of_a_dead_run_are_removed_by_the_next(stop, days, out, table, monkeypatch):
    """A reader of the folder finds the rows that the manifest counts."""

    def raise_interrupt(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as context:
        context.setattr(f"evenfold.scale.job.Job.{stop}", raise_interrupt)
        with pytest.raises(KeyboardInterrupt):
            extend(out, days[1])
    s = extend(out, days[2])
    assert count_rows(out) == s.n_rows == 600
    assert not list(out.glob(".*"))
    check_split(s, pa.concat_tables([table.slice(0, 300), table.slice(600)]))


def test_new_files_are_hidden_until_all_are_written(days, out, monkeypatch):
    """A reader of the folder does not find files that the manifest lacks."""
    found = []
    from evenfold.scale import job

    move = job.move_files

    def count_and_move(*arguments):
        found.append(count_rows(out))
        move(*arguments)

    monkeypatch.setattr(job, "move_files", count_and_move)
    extend(out, days[1])
    assert found == [300]
    assert count_rows(out) == 600


def test_two_extensions_at_once_do_not_lose_rows(days, out, monkeypatch):
    """The one that ends last is refused, and leaves the split of the other."""
    from evenfold.scale import extend_split

    run = extend_split.Run

    def run_after_another(*arguments):
        monkeypatch.setattr(extend_split, "Run", run)
        extend(out, days[1])
        return run(*arguments)

    monkeypatch.setattr(extend_split, "Run", run_after_another)
    with pytest.raises(InputError, match="'folder' must not change while it is extended"):
        extend(out, days[2])
    assert load(out).n_rows == count_rows(out) == 600
    assert extend(out, days[2]).n_rows == 900


def test_certificate_does_not_claim_keys_of_old_rows(days, tmp_path):
    """They are not known, so they are not compared with those of new rows."""
    s = split(days[0], 3, labels="labels", key="id", output=tmp_path / "keys")
    assert "id: 300" in str(s.certificate())
    twice = write_files(tmp_path / "twice", [pq.read_table(next(days[0].iterdir()))])
    s = extend(tmp_path / "keys", twice)
    for own in (s, load(tmp_path / "keys")):
        assert own.certificate().to_dict()["not_checked"] == ["id of earlier rows"]
        assert "each value is in one row" not in str(own.certificate())


def test_remarks_say_that_rows_were_added(days, out, tmp_path):
    """Notes of the first split stay, and nothing is said of memory."""
    split(days[0], 3, labels="labels", budget=5, output=tmp_path / "noted")
    first = extend(tmp_path / "noted", days[1])
    s = extend(tmp_path / "noted", days[2])
    assert s.remarks()[0].startswith("Scheme gather: new rows were placed beside old ones")
    assert "memory" not in s.remarks()[0]
    note = "The budget was not used: all labels fit in memory."
    assert first.notes.count(note) == s.notes.count(note) == 1
    assert len(set(s.notes)) == len(s.notes)


CHANGES = {
    "numbers and text": (
        {"labels": [1, 2, 3] * 20},
        {"labels": ["1", "2", "3"] * 20},
        "some are numbers",
    ),
    "lists of numbers and of text": (
        {"labels": [[1, 2], [3]] * 20},
        {"labels": [["1", "2"], ["3"]] * 20},
        "some are numbers",
    ),
    "classes and lists": (
        {"labels": ["a", "b"] * 20},
        {"labels": [["a"], ["b"]] * 20},
        "'labels' holds no lists",
    ),
    "text and lists": (
        {"labels": ["a;b", "b"] * 20},
        {"labels": [["a"], ["b"]] * 20},
        "'labels' holds text",
    ),
    "matrices of other widths": (
        {"labels": [[1, 0, 1], [0, 1, 0]] * 20},
        {"labels": [[1, 0, 1, 1], [0, 1, 0, 1]] * 20},
        "must hold lists of 3 values 0 or 1",
    ),
    "a matrix and lists": (
        {"labels": [[1, 0, 1], [0, 1, 0]] * 20},
        {"labels": [[5, 7], [1]] * 20},
        "must hold lists of 3 values 0 or 1",
    ),
    "balanced numbers and text": (
        {"labels": ["a", "b"] * 20, "age": [1.5, 3] * 20},
        {"labels": ["a", "b"] * 20, "age": ["x", "y"] * 20},
        "'age' holds numbers",
    ),
}


@pytest.mark.parametrize("change", CHANGES)
def test_labels_of_another_form_are_refused(change, tmp_path):
    """Before anything is written."""
    old, new, message = CHANGES[change]
    data = write_files(tmp_path / "old", [pa.table(old)])
    balance = "age" if "age" in old else None
    split(data, 2, labels="labels", balance=balance, output=tmp_path / "out")
    before = hash_files(tmp_path / "out")
    with pytest.raises(InputError, match=message):
        extend(tmp_path / "out", write_files(tmp_path / "new", [pa.table(new)]))
    assert hash_files(tmp_path / "out") == before


def test_new_labels_are_read_as_the_old_ones_were(tmp_path):
    """What the new files look like decides nothing."""
    pairs = {
        "classes": (["a b", "a", "b"], ["a;b", "a", "b"], ["a", "a b", "b", "a;b"]),
        "flags": ([3, 1, 2], [0, 1, 0], [1, 2, 3, 0]),
        "matrix": ([[1, 0], [2]], [[1, 0], [0, 1]], [0, 1, 2]),
    }
    for name, (old, new, labels) in pairs.items():
        data = write_files(tmp_path / f"{name}-old", [pa.table({"labels": old * 20})])
        separator = "" if name == "classes" else None
        split(data, 2, labels="labels", separator=separator, output=tmp_path / name)
        more = write_files(tmp_path / f"{name}-new", [pa.table({"labels": new * 20})])
        s = extend(tmp_path / name, more)
        assert s.labels == labels
        rows = [own if isinstance(own, list) else [own] for own in old * 20 + new * 20]
        has = np.array([[label in own for label in labels] for own in rows])
        assert s.counts.sum(axis=0).tolist() == has.sum(axis=0).tolist()
