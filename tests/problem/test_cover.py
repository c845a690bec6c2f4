"""Cover: the rows of each label that a part must hold, by hand."""

import re

import numpy as np
import pytest

from evenfold.exceptions import InputError, InputTypeError
from evenfold.labels.labels import make_labels
from evenfold.problem.cover import check_cover, find_least
from evenfold.problem.criteria import Level, make_criteria
from evenfold.problem.parts import check_parts
from evenfold.problem.problem import count_lacking, make_problem, set_cover

TRAIN_VAL_TEST = np.array([8, 1, 1])


def find(cover, weights, n_rows, n_units=None, is_label=True, turn=0):
    """Return the rows of one label that each part must hold; nothing if none must be held."""
    least = find_least(
        cover,
        np.asarray(weights),
        np.array([n_rows]),
        np.array([n_rows if n_units is None else n_units]),
        np.array([is_label]),
        np.array([turn]),
    )
    return least[0].tolist() if least.size else []


def make(y, parts, groups=None, cover=0):
    """Return a problem of labels alone."""
    labels = make_labels(y)
    return make_problem(
        make_criteria(labels),
        check_parts(parts, labels.n_rows),
        groups,
        np.random.default_rng(0),
        cover=cover,
    )


@pytest.mark.parametrize(
    ("given", "cover"),
    [(None, None), (True, 1), (False, 0), (np.True_, 1), (0, 0), (7, 7), (np.int64(2), 2)],
)
def test_check_cover_returns_rows(given, cover):
    """True is 1, False is 0, None stays."""
    assert check_cover(given) == cover
    assert not isinstance(check_cover(given), bool)


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        (
            "all",
            InputTypeError,
            "'cover' must be True, False or a number of rows, got 'all'. Leave it out for the "
            "default: one row wherever the share of the part is more than half a row.",
        ),
        (1.0, InputTypeError, "'cover' must be True, False or a number of rows, got 1.0."),
        (
            -1,
            InputError,
            "'cover' must be 0 or more rows of each label in every part, got -1. "
            "Leave it out for the default rule.",
        ),
    ],
)
def test_check_cover_refuses_other_values(given, error, message):
    """Text, fractions and negative numbers."""
    with pytest.raises(error, match=re.escape(message)):
        check_cover(given)


@pytest.mark.parametrize(
    ("n_rows", "least"),
    [
        (3, []),  # shares of 0.3 rows
        (5, []),  # exactly half a row
        (6, [0, 1, 1]),
        (9, [0, 1, 1]),
        (10, []),  # a whole row: every even split has it
    ],
)
def test_default_rule_asks_for_a_row_above_half_a_row(n_rows, least):
    """Only in the parts in which an even split could leave it out."""
    assert find(None, TRAIN_VAL_TEST, n_rows) == least


def test_default_rule_needs_a_unit_for_each_part():
    """Six rows in two groups cannot be in three parts; equal parts need no rule."""
    assert find(None, TRAIN_VAL_TEST, 6, n_units=3) == [0, 1, 1]
    assert find(None, TRAIN_VAL_TEST, 6, n_units=2) == []
    assert find(None, [1, 1, 1], 4) == []
    assert find(None, TRAIN_VAL_TEST, 6, is_label=False) == []


@pytest.mark.parametrize(
    ("cover", "n_units", "least"),
    [
        (1, 3, [1, 1, 1]),
        (1, 500, [1, 1, 1]),
        (5, 15, [5, 5, 5]),
        (5, 500, [5, 5, 5]),
        (5, 14, [4, 4, 4]),
        (5, 3, [1, 1, 1]),
        (0, 500, []),
    ],
)
@pytest.mark.parametrize("weights", [TRAIN_VAL_TEST, [1, 1, 1]])
def test_cover_asks_every_part_for_rows(cover, n_units, least, weights):
    """As many as asked for, or as many as the label has for each part; not of other criteria."""
    assert find(cover, weights, 2 * n_units, n_units) == least
    assert find(cover, weights, 2 * n_units, n_units, is_label=False) == []


def test_cover_asks_the_largest_parts_for_scarce_labels():
    """As many parts as the label has units; parts of the same size take turns."""
    assert find(3, TRAIN_VAL_TEST, 2, turn=0) == [1, 1, 0]
    assert find(3, TRAIN_VAL_TEST, 2, turn=1) == [1, 0, 1]
    assert find(3, TRAIN_VAL_TEST, 1) == []
    assert find(1, [2, 5, 3, 5], 3) == [0, 1, 1, 1]
    assert find(1, [2, 5, 2, 2], 3, turn=1) == [1, 1, 0, 1]
    assert find(1, [1, 1, 1], 2) == [1, 1, 1]
    assert find(1, [1, 1, 1], 1) == []


def test_cover_of_a_problem_counts_groups():
    """A label of six rows in two groups must be in the two largest of three parts."""
    y = [["a", "b"]] * 6 + [["b"]] * 24
    groups = np.r_[[0] * 3, [1] * 3, np.arange(2, 26)]
    by_row = make(y, [0.8, 0.1, 0.1], cover=2)
    by_group = make(y, [0.8, 0.1, 0.1], groups, cover=2)
    assert by_row.least.tolist() == [[2, 2, 2], [2, 2, 2]]
    # The turn is the sum of the units: 0 + 1 for the label of two groups.
    assert by_group.least.tolist() == [[1, 0, 1], [2, 2, 2]]


def test_cover_does_not_depend_on_the_order_of_the_columns():
    """The parts of scarce labels are chosen by their rows."""
    y = np.zeros((60, 8), int)
    y[np.arange(16), np.repeat(np.arange(8), 2)] = 1
    y[3:5, :3] = 1
    order = np.random.default_rng(0).permutation(8)
    least, of_reordered = (make(own, [0.8, 0.1, 0.1], cover=1).least for own in (y, y[:, order]))
    assert least[order].tolist() == of_reordered.tolist()


def test_unknown_labels_are_not_covered():
    """Rows in which a label is unknown need not be in every part, rows that hold it must."""
    y = np.zeros((30, 2))
    y[:3, 0] = 1
    y[3:9, 0] = np.nan
    y[9:, 1] = 1
    problem = make(y, [0.8, 0.1, 0.1], cover=True)
    is_label = problem.level_of_criterion == Level.LABELS
    assert is_label.sum() == 2
    assert problem.least[is_label].tolist() == [[1, 1, 1], [1, 1, 1]]
    assert not problem.least[~is_label].any()


def test_set_cover_replaces_the_cover():
    """What a problem was made with does not matter."""
    y = [["a"]] * 6 + [[]] * 24
    problem = make(y, [0.8, 0.1, 0.1], cover=1)
    assert problem.least.tolist() == [[1, 1, 1]]
    by_default = set_cover(problem, None)
    assert by_default.least.tolist() == [[0, 1, 1]]
    assert by_default.price_of_lacking < problem.price_of_lacking
    without = set_cover(problem, 0)
    assert (without.least.size, without.price_of_lacking) == (0, 0)


def test_count_lacking_counts_pairs_of_labels_with_enough_units():
    """A label with fewer units than parts must be lacking somewhere, and is not counted."""
    y = [["a", "b"]] * 2 + [["a"]] * 4 + [[]] * 24
    problem = make(y, [0.8, 0.1, 0.1], cover=2)
    part_of_unit = np.zeros(30, np.int32)
    assert count_lacking(problem, part_of_unit) == 2
    part_of_unit[3:5] = 1
    assert count_lacking(problem, part_of_unit) == 1
    assert count_lacking(set_cover(problem, 0), part_of_unit) == 0
