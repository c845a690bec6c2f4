"""The suite of properties: every statement has one, it runs, and it fails where code is wrong."""

import ast
import inspect
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import numpy as np
import pytest
from reliability.properties import __main__ as runner
from reliability.properties import digests, named, registry
from reliability.properties.counts import Counts
from reliability.properties.measures import MEASURED
from reliability.properties.rows import LINKINGS
from reliability.properties.splits import SPLITS
from reliability.properties.statements import cut_notes, list_statements
from reliability.properties.subjects import SUBJECTS, list_shown

import evenfold
from evenfold.methods import Random
from evenfold.quality import bounds, values
from evenfold.quality.measures import MEASURES, Measures
from evenfold.splits import make_split

TESTS = Path(__file__).parents[1]


def find_failed(subject, n_cases):
    """Return which properties of a subject fail on some of its first cases."""
    outcomes = [registry.run_case([subject], seed) for seed in range(n_cases)]
    return {name for outcome in outcomes for name in outcome.failed}


def test_every_statement_has_a_property():
    """A new sentence in the Notes of a public docstring needs a property, or a test of its own."""
    statements = list_statements()
    assert len(statements) > 200
    known = list_shown() | set(named.TESTS) | set(named.REMARKS)
    assert [own for own in statements if own not in known] == []
    assert known - set(statements) == set()


def test_a_statement_is_shown_in_one_way():
    """It is drawn, or has tests, or is a remark; few are remarks."""
    assert not list_shown() & (set(named.TESTS) | set(named.REMARKS))
    assert not set(named.TESTS) & set(named.REMARKS)
    assert len(named.REMARKS) < 10


def test_named_tests_exist():
    """Each is a function in its file."""
    for test in {own for tests in named.TESTS.values() for own in tests}:
        path, _, name = test.partition("::")
        tree = ast.parse((TESTS / path).read_text(encoding="utf-8"))
        assert name in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}, test


def test_notes_are_cut_into_sentences():
    """Wrapped lines are joined; the section ends at the next heading."""
    docstring = """Do it.

    Notes
    -----
    Rows are kept. No
    row moves.
    Sizes are exact: 1.5 rows
    are 2.

    Examples
    --------
    >>> 1
    """
    assert cut_notes(docstring) == [
        "Rows are kept.",
        "No row moves.",
        "Sizes are exact: 1.5 rows are 2.",
    ]
    assert cut_notes("Do it.") == []


def test_every_property_asserts_something():
    """Directly, or by a function whose name begins with check."""
    for subject in SUBJECTS:
        for own in subject.properties:
            source = inspect.getsource(getattr(own.check, "func", own.check))
            assert "assert " in source or "check_" in source, own.name


def test_every_measure_and_every_bound_has_a_property():
    """Those of a new measure are made from the registry."""
    names = {own.name for own in MEASURED.properties}
    for measure in MEASURES:
        assert f"{measure.name}_is_that_of_its_definition" in names
        if measure.bound is not None:
            assert f"no_split_is_below_the_bound_of_{measure.name}" in names


def test_properties_hold_on_some_cases():
    """The first cases of the long run."""
    counts = Counts()
    for seed in range(40):
        counts.add(seed, registry.run_case(SUBJECTS, seed))
    assert counts.failures == []
    assert counts.n_cases > 250


def test_cases_are_repeated_by_their_number(capsys):
    """The number of a case draws the same example, and prints what holds."""
    with mock.patch("sys.argv", ["properties", "--case", "3"]):
        assert runner.main() == 0
    first = capsys.readouterr().out
    assert first.count(": holds") >= 1
    with mock.patch("sys.argv", ["properties", "--case", "3"]):
        runner.main()
    assert capsys.readouterr().out == first


def test_failures_are_counted_and_end_in_an_error(monkeypatch, capsys):
    """The record has the line that repeats each, and the exit code is 1."""
    written = []
    monkeypatch.setattr(runner, "SUBJECTS", (LINKINGS,))
    same = digests.Compared({"as it is": 0}, 1)
    monkeypatch.setattr(runner, "compare_settings", lambda n_jobs: same)
    monkeypatch.setattr(runner, "write_record", lambda *given: written.append(given))
    monkeypatch.setattr("sys.argv", ["properties", "--cases", "20"])
    assert runner.main() == 0
    wrong = SimpleNamespace(group_of_row=np.zeros(99, int))
    monkeypatch.setattr(evenfold, "link", lambda **_: wrong)
    assert runner.main() == 1
    printed = capsys.readouterr().out
    assert "links: linked_rows_are_one_group: " in printed
    tables = written[-1][2]
    assert any("--case" in str(row) for table in tables for row in table.rows)


def move_a_fixed_row(method, problem, rng, exact_sizes):
    """Place units at random, wherever they were fixed."""
    return rng.permutation(np.arange(problem.n_units) % problem.n_parts).astype(np.int32)


def leave_a_part_empty(method, problem, rng, exact_sizes):
    """Place all units in the first part."""
    return np.zeros(problem.n_units, np.int32)


def make_a_part_too_large(method, problem, rng, exact_sizes):
    """Move one unit too many into the first part."""
    part_of_unit = Random().place(problem, rng)
    others = np.flatnonzero(part_of_unit)
    part_of_unit[others[:2]] = 0
    return part_of_unit


def use_chance_of_its_own(method, problem, rng, exact_sizes):
    """Draw from another generator than that of the seed."""
    return Random().place(problem, np.random.default_rng())


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (move_a_fixed_row, {"fixed_rows_stay", "sizes_are_exact"}),
        (leave_a_part_empty, {"no_part_is_empty", "sizes_are_exact"}),
        (make_a_part_too_large, {"sizes_are_exact"}),
        (use_chance_of_its_own, {"one_seed_one_split", "form_does_not_matter"}),
    ],
)
def test_wrong_splits_are_found(place, expected, monkeypatch):
    """Code that is broken on purpose fails the properties that say so."""
    monkeypatch.setattr(make_split, "place_units", place)
    assert expected <= find_failed(SPLITS, 25)


def test_cut_groups_are_found(monkeypatch):
    """If groups are not looked at."""
    read = make_split.read_groups
    each_alone = mock.Mock(side_effect=lambda _, n_rows: read(np.arange(n_rows), n_rows))
    monkeypatch.setattr(make_split, "read_groups", each_alone)
    assert "groups_are_whole" in find_failed(SPLITS, 20)


def halve(function):
    """Return a function with half of its result."""
    return lambda *given: function(*given) / 2


@pytest.mark.parametrize(
    ("name", "wrong", "expected"),
    [
        ("label_odds_difference", halve, "ld_is_that_of_its_definition"),
        ("relative_share_difference", halve, "rld_is_that_of_its_definition"),
        ("class_proportion_excess", halve, "dcp_is_that_of_its_definition"),
        ("divergence_of_part", halve, "kl_is_that_of_its_definition"),
    ],
)
def test_wrong_measures_are_found(name, wrong, expected, monkeypatch):
    """A measure of half its value differs from its definition."""
    monkeypatch.setattr(values, name, wrong(getattr(values, name)))
    assert expected in find_failed(MEASURED, 12)


@pytest.mark.parametrize(
    ("name", "added"), [("ed", 0.01), ("dcp", 0.01), ("flz", 1), ("labelset", 0.01)]
)
def test_wrong_bounds_are_found(name, added):
    """A bound that is a little too high is above some split."""
    measure = vars(Measures)[name]
    bound = measure.bound
    object.__setattr__(measure, "bound", lambda limits: bound(limits) + added)
    try:
        assert f"no_split_is_below_the_bound_of_{name}" in find_failed(MEASURED, 12)
    finally:
        object.__setattr__(measure, "bound", bound)


def test_bounds_that_are_too_low_are_found(monkeypatch):
    """The bounds of labels without groups are the exact best."""
    monkeypatch.setattr(bounds, "bound_relative", halve(bounds.bound_relative))
    assert "bounds_of_labels_are_the_best" in find_failed(MEASURED, 12)


@pytest.mark.parametrize("form", ["sets", "array", "csr", "chunks"])
def test_digests_do_not_depend_on_the_form(form):
    """In one process; the long run compares processes."""
    for seed in range(4):
        case = digests.draw_case(np.random.default_rng([1, seed]))
        assert digests.digest_case(case, form) == digests.digest_case(case, "drawn")


def test_other_processes_print_the_same_digests():
    """With another hash seed and other threads, and kernels that are never compiled."""
    first = digests.run_setting("1 thread", 3)
    assert len(set(first)) == 3
    assert digests.run_setting("kernels never compiled", 3) == first


def test_different_digests_are_counted(monkeypatch):
    """Each setting against the first."""
    printed = {"as it is": ["a", "b"], "1 thread": ["a", "c"]}
    monkeypatch.setattr(digests, "SETTINGS", printed)
    monkeypatch.setattr(digests, "run_setting", lambda name, _: printed[name])
    compared = digests.compare_settings(2)
    assert compared.n_failed == 1
    assert compared.make_table().rows == [["as it is", 2, 0], ["1 thread", 2, 1]]
