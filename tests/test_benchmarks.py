"""What the benchmarks count, on data small enough to count by hand."""

import numpy as np
from benchmarks.sections.cover import count_empty
from benchmarks.sections.groups import find_groups_off
from benchmarks.sections.settings import count_rows_off
from benchmarks.timing import run_in_turns
from scipy import sparse


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
    """Each seed of a fast job is repeated; a slow one only the first, a very slow one has no other.

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
    assert [calls.count(("idle", seed)) for seed in (0, 1)] == [2, 0]
    assert {title: run.results for title, run in runs.items()} == {
        "fast": [0, 1],
        "slow": [0, 1],
        "idle": [0],
    }
    assert round(runs["fast"].seconds, 9) == (0.101 + 0.207) / 2
