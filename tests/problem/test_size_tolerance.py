"""By how many rows sizes may be off, and room for groups that are larger than any part."""

import math

import numpy as np
import pytest

from evenfold.exceptions import InputError, InputTypeError
from evenfold.labels.labels import make_labels
from evenfold.problem.criteria import make_criteria
from evenfold.problem.parts import check_parts
from evenfold.problem.problem import make_problem
from evenfold.problem.size_tolerance import check_size_tolerance, find_size_slack


@pytest.mark.parametrize(
    ("given", "rows"),
    [
        (None, [0, 0, 0]),
        (0, [0, 0, 0]),
        (7, [7, 7, 7]),
        (7.0, [7, 7, 7]),
        (np.int32(200), [200, 99, 99]),
        (10**30, [799, 99, 99]),
        (0.07, [56, 7, 7]),
        (np.float32(0.5), [400, 50, 50]),
        (0.001, [0, 0, 0]),
    ],
)
def test_slack_is_rows_or_a_share_of_each_part(given, rows):
    """A part keeps a row; shares are rounded down, except for what rounding to binary takes."""
    tolerance = check_size_tolerance(given)
    assert find_size_slack(tolerance, np.array([800, 100, 100])).tolist() == rows


@pytest.mark.parametrize("given", [-1, -0.1, 1.5, math.nan, math.inf, -math.inf, np.float64("nan")])
def test_tolerance_of_a_wrong_value_is_refused(given):
    """The message has the value and an example."""
    with pytest.raises(InputError, match=r"'size_tolerance' must be 0 or more rows, or a share"):
        check_size_tolerance(given)


@pytest.mark.parametrize("given", ["5%", "0.05", True, [1, 2], 1j, np.array([1])])
def test_tolerance_of_a_wrong_type_is_refused(given):
    """Percent signs are for the command line."""
    with pytest.raises(InputTypeError, match=r"'size_tolerance' must be a number of rows or a"):
        check_size_tolerance(given)


def make(rows_of_group, parts, size_tolerance=0, start=None):
    """Return the problem of groups of these sizes; `start` is the part of each group."""
    groups = np.repeat(np.arange(len(rows_of_group)), rows_of_group)
    return make_problem(
        make_criteria(make_labels(np.ones((len(groups), 1)))),
        check_parts(parts, len(groups)),
        groups,
        np.random.default_rng(0),
        None,
        None if start is None else np.array(start, np.int32)[groups],
        size_tolerance=size_tolerance,
    )


def test_a_part_grows_to_a_group_larger_than_any_part():
    """The largest part takes the group, and the other parts share the rest of the rows."""
    problem = make([70, 10, 10, 10], [0.5, 0.25, 0.25])
    assert problem.sizes.tolist() == [70, 15, 15]
    assert problem.fixed.tolist() == [0, -1, -1, -1]


def test_several_parts_grow_to_large_groups():
    """Each group that fits no part that is left is in a part of its own."""
    problem = make([50, 35, 5, 5, 5], 4)
    assert sorted(problem.sizes.tolist()) == [7, 8, 35, 50]
    assert problem.sizes[problem.fixed[:2]].tolist() == [50, 35]
    assert (problem.fixed[2:] == -1).all()


def test_a_large_group_stays_in_its_part_of_the_start():
    """A start says where the group is."""
    problem = make([10, 10, 10, 70], 4, start=[0, 1, 2, 2])
    assert problem.sizes.tolist() == [10, 10, 70, 10]
    assert problem.start.tolist() == [0, 1, 2, 2]


def test_slack_of_a_part_that_grew_is_what_is_left_of_the_tolerance():
    """The part is off by the size of the group already; other parts keep their slack."""
    assert make([70, 10, 10, 10], 4, 10).size_slack.tolist() == [0, 10, 10, 10]
    assert make([30, 20, 20, 20, 10], 4, 10).size_slack.tolist() == [5, 10, 10, 10]


def test_no_part_grows_where_every_group_fits():
    """Sizes are those without a tolerance."""
    problem = make([25, 25, 20, 20, 10], 4, 0.1)
    assert problem.sizes.tolist() == [25] * 4
    assert (problem.fixed == -1).all()
    assert problem.size_slack.tolist() == [2] * 4
