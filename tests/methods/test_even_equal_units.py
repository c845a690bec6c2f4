"""Equal units of even: how many of each kind are fixed in a part, and which stay free."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import evenfold
from evenfold.labels.labels import make_labels, read_rows
from evenfold.methods import Even
from evenfold.methods.even.equal_units import fix_equal_units
from evenfold.problem.criteria import Level, make_criteria
from evenfold.problem.parts import check_parts
from evenfold.problem.problem import keep_levels, make_problem

from ..strategies import label_matrices


def make(y, parts, groups=None, fixed=None, cover=0, seed=0):
    """Return a problem of labels alone."""
    return make_problem(
        make_criteria(make_labels(y)),
        check_parts(parts, len(y)),
        groups,
        np.random.default_rng(seed),
        fixed,
        cover=cover,
    )


def list_kinds(problem):
    """Return for each unit what it holds and its rows, as one object that can be compared."""
    held = problem.to_csr().toarray()
    return [(tuple(row), int(rows)) for row, rows in zip(held, problem.rows_of_unit, strict=True)]


def count_fixed(problem):
    """Return how many units of each kind are fixed in each part, and how many are free (-1)."""
    return Counter(zip(list_kinds(problem), problem.fixed.tolist(), strict=True))


@settings(max_examples=80, deadline=None)
@given(
    y=label_matrices(min_rows=20, max_rows=80, max_labels=2),
    parts=st.sampled_from([2, 3, [0.8, 0.1, 0.1], [0.6, 0.4]]),
    rows_of_group=st.sampled_from([None, [2], [1, 2, 3]]),
    cover=st.sampled_from([0, None, 2]),
    seed=st.integers(0, 99),
)
def test_parts_get_at_most_their_share_of_each_kind(y, parts, rows_of_group, cover, seed):
    """Of units that hold the same in as many rows; no part gets more rows than its size."""
    groups = None
    if rows_of_group is not None:
        sizes = np.resize(rows_of_group, len(y))
        groups = np.repeat(np.arange(len(y)), sizes)[: len(y)]
        y = np.sort(y, axis=0)
    problem = make(y, parts, groups, cover=cover, seed=seed)
    # A group that fits into one part only is fixed there before.
    assume((problem.fixed < 0).all())
    fixed = fix_equal_units(problem, np.random.default_rng(seed))
    kinds = Counter(list_kinds(problem))
    for (kind, part), number in count_fixed(fixed).items():
        if part >= 0:
            assert number * problem.n_rows < kinds[kind] * problem.sizes[part]
    held = fixed.fixed >= 0
    rows = np.bincount(fixed.fixed[held], fixed.rows_of_unit[held], minlength=problem.n_parts)
    assert (rows <= problem.sizes).all()
    assert fixed.n_units == problem.n_units
    assert fixed.start is None


def test_free_units_are_in_proportion_to_the_parts():
    """Of 1,000 equal rows, parts of 80, 10 and 10 % leave 3, 1 and 1 of their share free."""
    fixed = fix_equal_units(make([["a"]] * 1000, [0.8, 0.1, 0.1]), np.random.default_rng(0)).fixed
    assert np.bincount(fixed + 1).tolist() == [5, 797, 99, 99]


def test_kinds_are_fixed_each_for_itself():
    """In halves: 19 of 40 rows of a, 4 of 11 of b, none of the three others."""
    y = [["a"]] * 40 + [["b"]] * 11 + [["a", "b"], [], []]
    fixed = fix_equal_units(make(y, [0.5, 0.5]), np.random.default_rng(0)).fixed
    assert np.bincount(fixed[:40] + 1).tolist() == [2, 19, 19]
    assert np.bincount(fixed[40:51] + 1).tolist() == [3, 4, 4]
    assert fixed[51:].tolist() == [-1, -1, -1]


def test_which_units_of_a_kind_are_fixed_is_drawn():
    """Another seed fixes as many of each kind, but others."""
    problem = make([["a"], ["b"], ["a"]] * 40, 3)
    one, same, other = (fix_equal_units(problem, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert one.fixed.tolist() == same.fixed.tolist() != other.fixed.tolist()
    assert count_fixed(one) == count_fixed(other)
    # With 120 rows, no place in the input is always fixed, and none is always free.
    found = [fix_equal_units(problem, np.random.default_rng(seed)).fixed for seed in range(200)]
    assert {len(set(column)) for column in np.transpose(found).tolist()} == {4}


def test_groups_are_equal_only_with_as_many_rows():
    """Twenty groups of one row with a, twenty of two rows of which one has a, in halves."""
    y = [["a"]] * 20 + [["a"], []] * 20
    groups = np.concatenate((np.arange(20), np.repeat(np.arange(20, 40), 2)))
    fixed = fix_equal_units(make(y, 2, groups), np.random.default_rng(0)).fixed
    assert np.bincount(fixed[:20] + 1).tolist() == [2, 9, 9]
    assert np.bincount(fixed[20:] + 1).tolist() == [2, 9, 9]


@pytest.mark.parametrize(
    "y", [[["a"], ["b"], ["a", "b"], []], [["a"]] * 3 + [[]] * 3], ids=["distinct", "few"]
)
def test_a_problem_with_too_few_equal_units_is_returned_as_it_is(y):
    """Nothing is copied, and nothing is drawn."""
    rng = np.random.default_rng(0)
    problem = make(y, 2)
    assert fix_equal_units(problem, rng) is problem
    assert rng.integers(2**40) == np.random.default_rng(0).integers(2**40)


def test_a_problem_with_fixed_units_is_returned_as_it_is():
    """The best split of the others need not be in proportion to the parts."""
    problem = make([["a"]] * 100, 2, fixed=np.repeat([0, -1], [40, 60]).astype(np.int32))
    assert fix_equal_units(problem, np.random.default_rng(0)) is problem


@pytest.mark.parametrize("order", [1, "auto"])
def test_sizes_and_labels_are_even_beside_fixed_rows_of_one_part(order):
    """Fifty rows with both labels are fixed in a part that then wants no row with either."""
    y = np.zeros((250, 2), int)
    y[:50] = 1
    y[50:100, 0] = 1
    y[100:150, 1] = 1
    s = evenfold.split(y, 2, order=order, fixed=np.repeat([0, -1], [50, 200]))
    assert s.sizes.tolist() == [125, 125]
    assert [np.bincount(s.part_of_row[y[:, i] == 1]).tolist() for i in (0, 1)] == [[50, 50]] * 2


@pytest.mark.parametrize("profiles", [False, True])
def test_equal_units_leave_room_for_what_parts_must_hold(profiles):
    """Five of twenty equal rows in each of three parts, two of which have a share of two rows."""
    y = np.zeros((1000, 1), int)
    y[:20] = 1
    rng = np.random.default_rng(0)
    problem = make_problem(
        make_criteria(make_labels(y), (), profiles, smallest_share=0.1),
        check_parts([0.8, 0.1, 0.1], 1000),
        None,
        rng,
        cover=5,
    )
    part = Even().place(problem, rng)
    assert np.bincount(part).tolist() == [800, 100, 100]
    assert np.bincount(part[:20]).tolist() == [10, 5, 5]


def test_labels_alone_have_no_more_units_fixed_than_all_criteria():
    """Fifty kinds of 20 rows are one kind without their category; parts would outgrow their size.

    At 80/10/10, 650 rows of the 800 of the first part are fixed, and 250 rows are free.
    """
    labels, balance = read_rows([["a"]] * 1000, np.repeat(np.arange(50), 20).astype(str), "y")
    problem = make_problem(
        make_criteria(labels, balance),
        check_parts([0.8, 0.1, 0.1], 1000),
        None,
        np.random.default_rng(0),
    )
    fixed = fix_equal_units(problem, np.random.default_rng(0))
    assert np.bincount(fixed.fixed + 1).tolist() == [250, 650, 50, 50]
    labels_alone = keep_levels(fixed, Level.LABELS)
    assert fix_equal_units(labels_alone, np.random.default_rng(0)) is labels_alone
