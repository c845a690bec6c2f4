"""What the benchmarks count, on data small enough to count by hand."""

import itertools

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from benchmarks.audits import Rows, audit_split
from benchmarks.packages import find_share_cut, make_jobs, measure, split_by_labelsets
from benchmarks.processes import PassClock
from benchmarks.scale_data import (
    LABELS_PER_ROW,
    N_LABELS,
    make_rows,
    read_matrix,
    read_parts,
    write_partitions,
)
from benchmarks.sections.cover import count_empty
from benchmarks.sections.groups import find_groups_off
from benchmarks.sections.scale_order import ARRANGEMENTS, arrange_one_label, arrange_with_empty
from benchmarks.sections.scale_quality import count_cut
from benchmarks.sections.settings import count_rows_off
from benchmarks.timing import run_in_turns
from scipy import sparse

from evenfold.datasets import make_zipf


def test_half_row_rule_counts_parts_that_lack_a_label_they_should_hold():
    """More than half a row is due: 6 rows at a share of 0.1, but not 5; and not 2 rows in 3 parts.

    All rows of the labels are in the first part, so that both other parts lack them.
    """
    rows_of_label = [6, 5, 2]
    y = sparse.csr_array(np.arange(20)[:, None] < np.array(rows_of_label), dtype=np.int8)
    part_of_row = np.repeat([0, 1, 2], [16, 2, 2])
    assert count_empty(y, part_of_row, (0.8, 0.1, 0.1)) == 2
    assert count_empty(y[:, 1:], part_of_row, (0.8, 0.1, 0.1)) == 0
    assert count_empty(y[:, 2:], part_of_row, (0.4, 0.3, 0.3)) == 0


def test_groups_off_is_relative_to_the_target():
    """One of 4 groups instead of 2 in a part of half: 50 % off."""
    groups = np.array([0, 0, 0, 1, 2, 3])
    assert find_groups_off(np.array([0, 0, 0, 1, 1, 1]), groups, 2) == 50
    assert find_groups_off(np.array([0, 0, 0, 0, 1, 1]), groups, 2) == 0


def test_rows_off_is_the_most_of_all_parts():
    """Parts of 7, 2 and 1 rows instead of 8, 1 and 1 are at most one row off."""
    off = count_rows_off(np.repeat([0, 1, 2], [7, 2, 1]), (0.8, 0.1, 0.1))
    assert round(off, 9) == 1


def test_slow_jobs_run_less_often():
    """Each seed of a fast job is repeated, of a slow one only the first; a very slow one runs once.

    The seconds of a seed are the minimum of its runs, and the mean of seeds counts.
    """
    calls = []

    def make_job(title, seconds):
        def run(seed):
            calls.append((title, seed))
            return seconds + seed / 10 + len(calls) / 1000, seed

        return run

    jobs = {"fast": make_job("fast", 0.1), "slow": make_job("slow", 2), "idle": make_job("idle", 9)}
    runs = run_in_turns(jobs, seeds=(0, 1), repeats=2)
    assert [calls.count(("fast", seed)) for seed in (0, 1)] == [2, 2]
    assert [calls.count(("slow", seed)) for seed in (0, 1)] == [2, 1]
    assert [calls.count(("idle", seed)) for seed in (0, 1)] == [1, 0]
    assert {title: run.results for title, run in runs.items()} == {
        "fast": [0, 1],
        "slow": [0, 1],
        "idle": [0],
    }
    assert round(runs["fast"].seconds, 9) == (0.101 + 0.206) / 2


def test_rows_of_the_large_set_have_distinct_labels_and_ids():
    """Each row has a label, no label twice, and the number of entries is exact."""
    files = [make_rows(number, 1_000) for number in (0, 1)]
    for _, indptr, labels in files:
        lengths = np.diff(indptr)
        rows = np.repeat(np.arange(1_000), lengths)
        assert lengths.min() >= 1
        assert lengths.sum() == len(labels) == 1_000 * LABELS_PER_ROW
        assert len(set(zip(rows.tolist(), labels.tolist(), strict=True))) == len(labels)
        assert labels.min() >= 0
        assert labels.max() < N_LABELS
    assert len(np.unique(np.concatenate([ids for ids, _, _ in files]))) == 2_000
    assert not np.array_equal(files[0][2], files[1][2])
    assert np.array_equal(files[1][2], make_rows(1, 1_000)[2])


def test_partitions_hold_the_rows_of_a_matrix(tmp_path):
    """Written and read again, the labels are the same, with empty files and rows without labels."""
    y = sparse.csr_array(np.array([[1, 0, 1], [0, 0, 0], [0, 1, 0]], np.int8))
    paths = write_partitions(tmp_path / "data", y, [0, 0, 2, 3], np.array([4, 4, 5]))
    read = read_matrix(paths)
    assert len(paths) == 4
    assert np.array_equal(read[:, :3].toarray(), y.toarray())
    assert read.nnz == 3


def test_parts_are_read_as_numbers(tmp_path):
    """The number of a part is the place of its name."""
    pq.write_table(pa.table({"part": ["b", "a", "b"]}), tmp_path / "a.parquet")
    assert read_parts([tmp_path / "a.parquet"] * 2, ["a", "b"]).tolist() == [1, 0, 1] * 2


@pytest.mark.parametrize("title", ARRANGEMENTS)
def test_arrangements_keep_all_rows(title):
    """An arrangement has every row once, and its partitions begin one after another."""
    y = make_zipf(2_000, 100, 3, random_state=0)
    order, starts = ARRANGEMENTS[title](y, np.random.default_rng(0))
    assert np.array_equal(np.sort(order), np.arange(2_000))
    assert starts[0] == 0
    assert (np.diff(starts) >= 0).all()
    assert starts[-1] <= 2_000


def test_arrangements_have_empty_partitions_and_a_label_in_one_partition():
    """The first, every other and the last partition are empty; one label is in one partition."""
    y = make_zipf(6_400, 500, 3, random_state=0)
    _, starts = arrange_with_empty(y, np.random.default_rng(0))
    sizes = np.diff([*starts, 6_400])
    assert sizes[::2].tolist() == [0] * 33
    assert sizes[1::2].tolist() == [200] * 32
    order, starts = arrange_one_label(y, np.random.default_rng(0))
    pieces = np.split(y[order].toarray(), starts[1:])
    n_partitions_of_label = sum(piece.any(axis=0).astype(int) for piece in pieces)
    count_of_label = y.sum(axis=0)
    assert (n_partitions_of_label[count_of_label > 20] == 1).any()


def test_cut_groups_are_those_in_several_parts():
    """Of groups in parts 0 and 1, 0 twice, and 1, one is cut."""
    assert count_cut(np.array([0, 1, 0, 0, 1]), np.array([7, 7, 8, 8, 9])) == 1


def test_times_between_passes_are_kept_apart(monkeypatch):
    """Of calls one second apart, each pass has its own seconds and those after it."""
    ticks = itertools.count()
    monkeypatch.setattr(PassClock, "_read", staticmethod(lambda: {"wall": next(ticks), "CPU": 0}))
    clock = PassClock()
    for call in (("read", 0, 2), ("read", 1, 2), ("read", 2, 2), ("place", 0, 1), ("place", 1, 1)):
        clock(*call)
    clock.finish()
    seconds = {name: own["wall"] for name, own in clock.passes.items()}
    assert seconds == {"start": 1, "read": 2, "after read": 1, "place": 1, "after place": 1}


def test_groups_are_cut_if_they_have_rows_in_two_parts():
    """Of four groups, one is in one part, and a group of one row is whole."""
    groups = np.array([0, 0, 1, 1, 2, 3, 3, 3])
    assert find_share_cut(np.array([0, 0, 0, 1, 1, 1, 1, 2]), groups) == 0.5
    assert find_share_cut(np.array([0, 0, 1, 1, 1, 2, 2, 2]), groups) == 0


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("groups", [None, np.arange(300) // 3])
def test_scikit_learn_splits_by_labelsets(groups):
    """Every row is in a fold, the folds of a labelset are even, and groups are whole."""
    dense = np.array([[1, 0], [0, 1], [1, 1]] * 100, bool)
    fold = split_by_labelsets(dense, groups, seed=0)
    assert np.bincount(fold).tolist() == [60] * 5
    if groups is None:
        assert (np.bincount(fold * 3 + np.arange(300) % 3) == 20).all()
    else:
        assert find_share_cut(fold, groups) == 0


def test_packages_are_measured_on_the_same_rows():
    """The jobs of evenfold and of scikit-learn; the other packages may be missing here."""
    y = make_zipf(300, 12, 3, random_state=0)
    groups = np.arange(300) // 3
    jobs = make_jobs(y, groups)
    assert next(iter(jobs)) == "evenfold"
    ours, theirs = (measure(y, [jobs[name](0)], groups) for name in ("evenfold", "scikit-learn"))
    assert ours["rows off"] == ours["groups cut %"] == theirs["groups cut %"] == 0
    assert ours["rLD"] < theirs["rLD"]


def test_triples_in_either_direction_are_near_duplicates():
    """Of two test triples, one is a triple of train with the two things exchanged."""
    train = Rows([("a", "likes", "b"), ("c", "knows", "d")], ["likes", "knows"])
    test = Rows([("b", "likes", "a"), ("d", "likes", "c")], ["likes", "likes"])
    record = audit_split({"train": train, "test": test})
    assert record["rows"] == {"train": 2, "test": 2}
    assert (record["copies"], record["near-duplicates"]) == ({"test": 0}, {"test": 1})
    assert (record["labels"], record["drifting labels"]) == (2, 0)


def test_series_with_a_high_correlation_are_near_duplicates():
    """A test series is twice one of train; another has the same values in another order."""
    train = Rows([(1.0, 2.0, 4.0), (5.0, 1.0, 1.0)], None)
    test = Rows([(2.0, 4.0, 8.0), (4.0, 1.0, 2.0)], None)
    record = audit_split({"train": train, "test": test})
    assert (record["copies"], record["near-duplicates"]) == ({"test": 0}, {"test": 1})
    assert (record["labels"], record["drifting labels"]) == (None, None)
