"""Splits whose sizes may be off: what is gained, what is said, and what still holds."""

import copy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evenfold
from evenfold.exceptions import ImpossibleSplit
from evenfold.methods import METHODS, Even
from evenfold.report.summary import make_summary

from ..checks import check_groups_whole, check_partition


def make_uneven(seed=0, n_groups=60, n_labels=6):
    """Return labels and groups of very different sizes, in which rows of a group are alike."""
    rng = np.random.default_rng(seed)
    groups = np.repeat(np.arange(n_groups), 1 + np.floor(rng.pareto(1.5, n_groups) * 2).astype(int))
    likely = rng.random((n_groups, n_labels)) ** 3
    return (rng.random((len(groups), n_labels)) < likely[groups]).astype(int), groups


def find_largest_share_off(s):
    """Return the largest deviation of a size, as a share of the wanted size."""
    wanted = len(s.part_of_row) / len(s)
    return (np.abs(s.sizes - wanted) / wanted).max()


@settings(max_examples=12, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n_groups=st.integers(6, 40),
    parts=st.sampled_from([2, 4, [0.7, 0.2, 0.1]]),
    tolerance=st.sampled_from([0, 0.01, 0.1, 0.4, 3, 1000]),
    method=st.sampled_from([Even("fast"), "iterative", "random"]),
)
def test_any_tolerance_keeps_groups_whole_and_parts_filled(
    seed, n_groups, parts, tolerance, method
):
    """Whatever the sizes of the groups, also with a group larger than any part."""
    y, groups = make_uneven(seed, n_groups, 3)
    s = evenfold.split(y, parts, groups=groups, size_tolerance=tolerance, method=method)
    check_partition(s, len(y))
    check_groups_whole(s, groups)
    assert (s.sizes > 0).all()
    again = evenfold.split(y, parts, groups=groups, size_tolerance=tolerance, method=method)
    assert np.array_equal(s.part_of_row, again.part_of_row)


@pytest.mark.parametrize("method", METHODS)
def test_sizes_are_within_the_tolerance(method):
    """With every method, where groups are small enough."""
    y, groups = evenfold.datasets.make_patients(400, n_groups=200, n_labels=5)
    s = evenfold.split(y, 4, groups=groups, size_tolerance=0.1, method=method)
    assert find_largest_share_off(s) <= 0.1


@pytest.mark.parametrize("seed", range(2))
def test_a_larger_tolerance_is_not_less_even(seed):
    """What a smaller one of the searched tolerances finds is found with a larger one too."""
    y, groups = make_uneven(seed, 120)
    rld = [
        evenfold.split(y, 3, groups=groups, size_tolerance=tolerance, effort="fast").quality.rld
        for tolerance in (0, 0.01, 0.05, 0.1, 0.2, 0.5)
    ]
    assert rld == sorted(rld, reverse=True)
    assert rld[-1] < rld[0]


def test_split_says_what_the_tolerance_gained():
    """In the origin, in print and in the report: evenness and sizes, with and without."""
    y, groups = make_uneven(0, 120)
    exact = evenfold.split(y, 3, groups=groups, size_tolerance=0, effort="fast")
    s = evenfold.split(y, 3, groups=groups, size_tolerance=0.2, effort="fast")
    gain = s.origin.parameters["gain_of_size_tolerance"]
    assert gain == {
        "rld": s.quality.rld,
        "rld_without": exact.quality.rld,
        "size_off": find_largest_share_off(s),
        "size_off_without": find_largest_share_off(exact),
    }
    assert gain["rld"] < gain["rld_without"]
    sentence = s.origin.describe_sizes()
    assert sentence == (
        f"rLD is {s.quality.rld:.4g} with sizes at most {100 * gain['size_off']:.1f} % off; "
        f"without size tolerance it is {exact.quality.rld:.4g}, with sizes at most "
        f"{100 * gain['size_off_without']:.1f} % off."
    )
    assert sentence in " ".join(str(s).split())
    assert "size_tolerance=0.2" in s.origin.write_call(s.names)
    summary = make_summary(s.quality, "", origin=s.origin)
    assert sentence in summary["verdict"]["remarks"]
    assert summary["origin"]["size_tolerance"] == "0.2"


@pytest.mark.parametrize("tolerance", [0, 0.05])
def test_the_split_without_tolerance_is_the_one_without_the_argument(tolerance):
    """Also where a group fits into the largest part only."""
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(63), np.concatenate([[90, 70, 45], rng.integers(1, 12, 60)]))
    y = (rng.random((len(groups), 12)) < 0.4 * rng.random((63, 12))[groups]).astype(int)
    parts = [0.8, 0.1, 0.1]
    exact = evenfold.split(y, parts, groups=groups)
    s = evenfold.split(y, parts, groups=groups, size_tolerance=tolerance)
    gain = s.origin.parameters.get("gain_of_size_tolerance", {"rld_without": s.quality.rld})
    assert gain["rld_without"] == exact.quality.rld
    assert s.quality.rld <= exact.quality.rld


def test_exact_sizes_are_kept_if_nothing_is_gained():
    """Labels that are even with exact sizes stay in these sizes, and the result says so."""
    groups = np.repeat(np.arange(40), 2)
    y = np.ones((80, 1), int)
    y[::2] = 0
    s = evenfold.split(y, 4, groups=groups, size_tolerance=0.3)
    assert s.sizes.tolist() == [20] * 4
    assert s.origin.describe_sizes() == (
        "No sizes within the size tolerance were found that make labels more even: rLD is 0, "
        "sizes are at most 0.0 % off."
    )


def test_sizes_stay_exact_without_groups():
    """Rows can be placed one by one: labels are as even with exact sizes."""
    y, _ = make_uneven()
    s = evenfold.split(y, 3, size_tolerance=0.2)
    assert np.array_equal(s.part_of_row, evenfold.split(y, 3).part_of_row)
    assert s.origin.describe_sizes() == ""


def test_sizes_stay_exact_for_numbers_alone():
    """The means of the parts do not depend on their sizes."""
    groups = np.repeat(np.arange(40), 2)
    amounts = np.random.default_rng(0).normal(size=(80, 2))
    s = evenfold.split(balance=amounts, parts=4, groups=groups, size_tolerance=0.3)
    assert s.sizes.tolist() == [20] * 4


def test_a_group_larger_than_any_part_is_said():
    """It is an error without a tolerance, which the message names."""
    groups = np.array([0] * 50 + list(range(1, 31)))
    y = np.random.default_rng(0).integers(0, 2, (80, 3))
    with pytest.raises(ImpossibleSplit, match=r"or pass size_tolerance: a"):
        evenfold.split(y, 4, groups=groups)
    s = evenfold.split(y, 4, groups=groups, size_tolerance=0, names=["a", "b", "c", "d"])
    large = s.origin.parameters["large_group"]
    assert sorted(s.sizes.tolist()) == [10, 10, 10, 50]
    assert large == {"rows": 50, "largest_wanted": 20, "part": large["part"], "size": 50}
    assert s.sizes[s.names.index(large["part"])] == 50
    assert (
        " ".join(str(s).split()).count(
            "The largest group has 50 rows, more than any part was to have (20): it is in "
            f"'{large['part']}', which has 50 rows, and the other parts share the rest."
        )
        == 1
    )


def test_sizes_may_be_off_with_a_cover():
    """The rows that parts should hold come first, and both costs are told."""
    y, groups = make_uneven()
    s = evenfold.split(
        y, [0.6, 0.2, 0.2], groups=groups, size_tolerance=0.2, cover=2, effort="fast"
    )
    assert s.origin.describe_cover()
    assert s.origin.describe_sizes()


def test_extend_keeps_the_tolerance_of_the_split():
    """New groups may make sizes uneven, and old rows stay."""
    y, groups = make_uneven(1, 80)
    n_old = int(np.searchsorted(groups, 40))
    s = evenfold.split(y[:n_old], 3, groups=groups[:n_old], size_tolerance=0.2, effort="fast")
    more = evenfold.extend(s, y, groups=groups)
    assert more.origin.parameters["size_tolerance"] == 0.2
    assert np.array_equal(more.part_of_row[:n_old], s.part_of_row)
    gain = more.origin.parameters["gain_of_size_tolerance"]
    assert gain["rld"] <= gain["rld_without"]
    told = evenfold.extend(s, y, groups=groups, size_tolerance=0)
    assert told.origin.parameters["size_tolerance"] == 0


def test_seconds_are_shared_by_all_searches_and_progress_rises():
    """The share of the work done never falls."""
    y, groups = make_uneven()
    told = []
    method = Even(0.2, progress=told.append)
    evenfold.split(y, 3, groups=groups, size_tolerance=0.05, method=method)
    assert told == sorted(told)
    assert told[-1] == 1.0


def test_records_of_another_program_are_not_trusted():
    """A record that lacks numbers gives no sentence."""
    y, groups = make_uneven()
    origin = evenfold.split(y, 3, groups=groups, size_tolerance=0.2, effort="fast").origin
    for wrong in ("text", {"rld": "0.1"}, {}, None):
        parameters = {"gain_of_size_tolerance": wrong, "large_group": wrong}
        other = copy.copy(origin)
        object.__setattr__(other, "parameters", parameters)
        assert other.describe_sizes() == ""


def test_fewer_groups_than_parts_are_refused():
    """A tolerance of sizes does not fill a part without groups."""
    with pytest.raises(ValueError, match=r"'parts' must be at most the number of groups \(2\)"):
        evenfold.split([["a"]] * 12, 4, groups=[0] * 6 + [1] * 6, size_tolerance=0.1)


def test_the_order_of_labels_does_not_matter():
    """Splits of equal rLD are told apart by no rounding of its sum."""
    label_of_row = np.array([0, 2, 5, 2, 5, 4, 4, 5, 0, 0, 1])
    y = label_of_row[:, None] == np.arange(6)
    found = [
        evenfold.split(
            labels,
            np.array([4, 3, 1, 8, 1]) / 17,
            method=Even(effort="fast"),
            groups=[10, 4, 5, 7, 2, 0, 8, 3, 6, 1, 9],
            size_tolerance=1,
            random_state=784,
        )
        for labels in (y, np.insert(y[:, ::-1], 0, 0, axis=1))
    ]
    assert np.array_equal(found[0].part_of_row, found[1].part_of_row)
