"""Problem: criteria with levels, groups as units, criteria in an order of their own."""

from dataclasses import replace

import numpy as np

from evenfold.labels.labels import make_labels
from evenfold.problem.criteria import Level, make_criteria
from evenfold.problem.criteria_order import order_criteria
from evenfold.problem.groups import sum_by_group
from evenfold.problem.parts import check_parts
from evenfold.problem.problem import fill_empty_parts, keep_levels, make_problem

Y = [["a", "b"], ["a"], ["b"], ["a", "b"], [], ["a"]]


def make(profiles=True, pairs=True, groups=None, seed=0, parts=2):
    """Return a problem of two parts, or of others."""
    criteria = make_criteria(make_labels(Y), (), profiles, pairs)
    return make_problem(criteria, check_parts(parts, len(Y)), groups, np.random.default_rng(seed))


def test_criteria_have_levels():
    """Labels first, row profiles after them, label pairs last."""
    assert set(make().level_of_criterion) == {Level.LABELS, Level.REST, Level.PAIRS}
    assert set(make(profiles=False).level_of_criterion) == {Level.LABELS, Level.PAIRS}
    assert make().last_level is Level.PAIRS
    assert make(pairs=False).last_level is Level.REST
    assert make(False, False).last_level is Level.LABELS
    assert make().is_first_level.sum() == 2


def test_keep_levels_keeps_the_entries_of_its_levels():
    """Up to the level given; all of them where none is later."""
    problem = make()
    labels = keep_levels(problem, Level.LABELS)
    assert labels.to_csr().toarray().tolist() == problem.to_csr().toarray()[:, :2].tolist()
    assert keep_levels(problem, Level.PAIRS) is problem


def test_without_labels_the_rest_is_on_the_first_level():
    """Then it is what a method makes even first."""
    from evenfold.labels.labels import read_rows

    labels, balance = read_rows(None, np.arange(8.0)[:, None], "y")
    assert set(make_criteria(labels, balance).level_of_criterion) == {Level.LABELS}


def test_order_criteria_depends_on_the_units_not_on_the_columns():
    """The same rows with other columns first give the same matrix."""
    swapped = [[{"a": "b", "b": "a"}[label] for label in row] for row in Y]
    problems = [
        make_problem(
            make_criteria(make_labels(y)), check_parts(2, 6), None, np.random.default_rng(1)
        )
        for y in (Y, swapped)
    ]
    first, second = (
        order_criteria(problem, np.random.default_rng(2)).to_csr().toarray() for problem in problems
    )
    assert first.tolist() == second.tolist()


def test_order_criteria_leaves_the_problem_as_it_was():
    """The caller still needs it: amounts of groups, of which some swap their places."""
    problem = make(groups=np.array([0, 0, 1, 1, 2, 0]))
    for seed in range(5):
        before = problem.to_csr().toarray()
        order_criteria(problem, np.random.default_rng(seed))
        assert problem.to_csr().toarray().tolist() == before.tolist()


def test_groups_are_units_with_their_counts_summed():
    """Three groups of two rows."""
    groups = np.array([0, 0, 1, 1, 2, 2])
    problem = make(False, False, groups)
    assert problem.rows_of_unit.tolist() == [2, 2, 2]
    assert problem.to_csr().toarray().tolist() == [[2, 1], [1, 2], [1, 0]]
    summed = sum_by_group(make_criteria(make_labels(Y)), groups)
    assert summed.amounts.tolist() == [2, 1, 1, 2, 1]


def test_fill_empty_parts_takes_the_smallest_unit():
    """From a part that has more than one."""
    problem = make(False, False, np.array([0, 0, 0, 1, 1, 2]))
    part_of_unit = np.zeros(3, np.int32)
    fill_empty_parts(problem, part_of_unit)
    assert part_of_unit.tolist() == [0, 0, 1]


def test_fill_empty_parts_leaves_the_only_unit_of_a_part_and_fixed_units():
    """The smallest units are one of these; the next larger one moves."""
    groups = np.array([0, 0, 0, 1, 1, 2])
    problem = replace(make(False, False, groups, parts=[3, 2, 1]), fixed=np.full(3, -1, np.int32))
    part_of_unit = np.array([0, 0, 1], np.int32)
    fill_empty_parts(problem, part_of_unit)
    assert part_of_unit.tolist() == [0, 2, 1]
    problem = replace(problem, fixed=np.array([-1, -1, 0], np.int32))
    part_of_unit = np.zeros(3, np.int32)
    fill_empty_parts(problem, part_of_unit)
    assert part_of_unit.tolist() == [2, 1, 0]


def test_sizes_of_a_start_are_kept_only_if_none_are_nearer():
    """Of 11 rows, the parts want 4.95, 3.3 and 2.75: 4, 4 and 3 are within a row, but off by 1.9.

    Of equal parts, any may have the row more: 4, 3 and 4 of 11 rows are kept.
    """
    labels = make_labels([["a"]] * 11)
    for parts, start, sizes in (
        ([0.45, 0.3, 0.25], [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2], [5, 3, 3]),
        (3, [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2], [4, 3, 4]),
    ):
        for seed in range(10):
            problem = make_problem(
                make_criteria(labels),
                check_parts(parts, 11),
                None,
                np.random.default_rng(seed),
                start=np.array(start, np.int32),
            )
            assert problem.sizes.tolist() == sizes


def test_sizes_of_a_start_are_kept_if_the_fixed_rows_fit():
    """13 rows in halves: the start has 6 rows in the first part, where 7 must stay."""
    labels = make_labels(np.ones((13, 1)))
    parts, start = check_parts([0.5, 0.5], 13), np.array([0] * 6 + [1] * 7)
    for n_fixed, sizes in ((6, [6, 7]), (7, [7, 6])):
        fixed = np.where(np.arange(13) < n_fixed, 0, -1).astype(np.int32)
        for seed in range(5):
            problem = make_problem(
                make_criteria(labels), parts, None, np.random.default_rng(seed), fixed, start
            )
            assert problem.sizes.tolist() == sizes


def test_sizes_of_a_start_are_kept_if_each_is_a_share_rounded():
    """12 rows in halves must be 6 and 6; of 13 rows, either part may have the extra one."""
    for n_rows, n_first, sizes in ((12, 7, [6, 6]), (12, 6, [6, 6]), (13, 7, [7, 6])):
        parts, start = check_parts([0.5, 0.5], n_rows), (np.arange(n_rows) >= n_first).astype(int)
        criteria = make_criteria(make_labels(np.ones((n_rows, 1))))
        for seed in range(5):
            problem = make_problem(criteria, parts, None, np.random.default_rng(seed), start=start)
            assert problem.sizes.tolist() == sizes
