"""Records of splits for `make reproduce`: used while the labels and the method are the same."""

import json

import numpy as np
import pytest
from benchmarks.reproduction import experiments, split_records
from benchmarks.reproduction.experiments import Experiments
from benchmarks.reproduction.split_records import SplitRecords, make_stamp, sum_labels
from scipy import sparse

from evenfold.datasets import make_zipf


@pytest.fixture
def folder(tmp_path):
    """A folder with one set of labels."""
    write_labels(tmp_path, seed=0)
    return tmp_path


def write_labels(folder, seed):
    """Write the labels of the set `made`."""
    (folder / "made").mkdir(exist_ok=True)
    y = make_zipf(60, 8, 2, random_state=seed)
    sparse.save_npz(folder / "made" / "labels.npz", sparse.csr_array(y))


def run(folder, n_runs, *, is_fresh=False):
    """Return the runs of a method, and how many splits of the set were made."""
    made = []
    split = experiments.evenfold.split

    def count(y, *arguments, **options):
        made.append(y)
        return split(y, *arguments, **options)

    own = Experiments(folder, SplitRecords(folder / "splits.json", is_fresh=is_fresh))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(experiments, "evenfold", type("Counted", (), {"split": staticmethod(count)}))
        runs = own.run("made", 3, "iterative", n_runs)
    return runs, len(made)


def test_a_second_process_makes_no_split(folder):
    """Its measures, bounds and seconds are those of the first one."""
    first, n_made = run(folder, 2)
    again, n_made_again = run(folder, 2)
    assert (n_made, n_made_again) == (2, 0)
    for name in ("values", "bounds", "seconds"):
        assert np.array_equal(getattr(first, name), getattr(again, name))


def test_missing_runs_are_added(folder):
    """Three runs after two make one split, and two runs are then read from three."""
    run(folder, 2)
    assert run(folder, 3)[1] == 1
    runs, n_made = run(folder, 2)
    assert n_made == 0
    assert len(runs.values) == 2


def test_other_labels_are_split_again(folder):
    """A record is of labels, not of a name."""
    run(folder, 2)
    write_labels(folder, seed=1)
    assert run(folder, 2)[1] == 2


def test_a_method_that_splits_otherwise_is_run_again(folder, monkeypatch):
    """Its splits of small data differ, so its records are stale."""
    run(folder, 2)
    monkeypatch.setattr(split_records, "sum_splits", lambda options: 1)
    assert run(folder, 2)[1] == 2


def test_fresh_records_are_written_but_not_read(folder):
    """All splits are made, and the next process reads them."""
    run(folder, 2)
    assert run(folder, 2, is_fresh=True)[1] == 2
    assert run(folder, 2)[1] == 0


def test_stamps_tell_labels_and_methods_apart():
    """One cell, the shape or another method changes the stamp."""
    y = sparse.csr_array(np.eye(4, 3, dtype=np.int8))
    other = sparse.csr_array(np.eye(4, 3, k=1, dtype=np.int8))
    assert sum_labels(y) != sum_labels(other)
    assert sum_labels(y) != sum_labels(sparse.csr_array(np.eye(4, 4, dtype=np.int8)[:, :4]))
    assert make_stamp(y, {"method": "random"}) == make_stamp(y, {"method": "random"})
    assert make_stamp(y, {"method": "random"}) != make_stamp(y, {"method": "labelset"})


def test_bounds_that_differ_are_all_kept(tmp_path):
    """Bounds depend on the sizes of a run."""
    records = SplitRecords(tmp_path / "splits.json")
    runs = [([1.0], [0.5], 0.1), ([2.0], [0.6], 0.2)]
    records.put("a", "stamp", runs)
    assert SplitRecords(tmp_path / "splits.json").find("a", "stamp") == [
        ([1.0], [0.5], 0.1),
        ([2.0], [0.6], 0.2),
    ]
    assert SplitRecords(tmp_path / "splits.json").find("a", "other") == []
    assert json.loads((tmp_path / "splits.json").read_text())["a"]["stamp"] == "stamp"
