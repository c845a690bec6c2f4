"""Passes over tasks, run in this process."""

import numpy as np
import pytest

from evenfold.exceptions import InputError
from evenfold.scale.engine import SyncEngine
from evenfold.scale.passes import run_pass
from evenfold.scale.work_folder import WorkFolder

from .engine_tasks import make_tasks, multiply, refuse_third


@pytest.fixture
def work(tmp_path):
    """Return an empty work folder."""
    return WorkFolder(str(tmp_path / "work"))


def run(work, tasks, function=multiply, factor=10, **options):
    """Run a pass and return its results."""
    results = run_pass(SyncEngine(), work, "count", function, tasks, {"factor": factor}, **options)
    return list(results)


def test_results_are_those_of_the_function_in_order_of_tasks(work, tmp_path):
    """The order of the tasks is kept, whatever their numbers."""
    results = run(work, make_tasks(tmp_path / "runs")[::-1])
    assert [result["product"] for result in results] == [50, 40, 30, 20, 10, 0]
    np.testing.assert_array_equal(results[1]["squares"], [0, 1, 4, 9])


def test_tasks_run_before_results_are_read(work, tmp_path):
    """A caller that needs no results need not read them."""
    run_pass(SyncEngine(), work, "count", multiply, make_tasks(tmp_path / "runs"), {"factor": 1})
    assert work.list_done("count") == set(range(6))
    assert work.load("count") == {"factor": 1}


def test_only_missing_results_are_made(work, tmp_path):
    """A second run, with one result lost, runs one task."""
    first = run(work, make_tasks(tmp_path / "first"))
    work.remove_record("count-00004")
    second = run(work, make_tasks(tmp_path / "second"))
    assert [result["product"] for result in first] == [result["product"] for result in second]
    assert [path.name[:2] for path in (tmp_path / "second").iterdir()] == ["4-"]


def test_results_of_another_shared_record_are_made_again(work, tmp_path):
    """Neither results nor the record that workers keep are taken from the other pass."""
    tasks = make_tasks(tmp_path / "runs")
    run(work, tasks)
    assert [result["product"] for result in run(work, tasks[:3], factor=2)] == [0, 2, 4]
    assert work.list_done("count") == {0, 1, 2}


def test_only_the_fields_asked_for_are_in_the_results(work, tmp_path):
    """Large arrays stay in the folder."""
    tasks = make_tasks(tmp_path / "runs", 2)
    assert run(work, tasks, fields=["product"]) == [{"product": 0}, {"product": 10}]


def test_error_of_a_task_is_raised_and_results_before_it_are_kept(work, tmp_path):
    """The next run continues there."""
    with pytest.raises(InputError, match="'data' must have no gap, got file 3"):
        run(work, make_tasks(tmp_path / "runs"), refuse_third)
    assert work.list_done("count") == {0, 1, 2}


def test_progress_counts_what_is_done(work, tmp_path, monkeypatch):
    """Also tasks that an earlier run has done."""
    monkeypatch.setattr("evenfold.scale.passes._SECONDS_BETWEEN_COUNTS", 0)
    tasks = make_tasks(tmp_path / "runs", 4)
    run(work, tasks[:2])
    said = []
    run(work, tasks, progress=lambda *words: said.append(words))
    assert said == [("count", n, 4) for n in (2, 3, 4, 4)]
