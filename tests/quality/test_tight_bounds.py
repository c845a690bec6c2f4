"""Tight bounds: below every split, above the cheap bounds, exact where that is promised."""

import itertools
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evenfold
from evenfold.exceptions import InputError
from evenfold.labels.labels import make_labels
from evenfold.methods import METHODS
from evenfold.problem.combinations import make_labelsets, make_pairs
from evenfold.quality import prices, tight_bounds
from evenfold.quality.relaxation import make_relaxation

from .. import naive
from ..strategies import label_matrices
from .example import PART, Y

SINGLES = [["a"], ["b"], ["c"], ["d"]]


@st.composite
def small_splits(draw, grouped):
    """Draw at most 9 rows in 2 or 3 parts, which may be empty: labels, groups, parts."""
    n_parts = draw(st.integers(2, 3))
    y = draw(label_matrices(min_rows=2, max_rows=9 if n_parts == 2 else 7, max_labels=4))
    group = np.arange(len(y))
    if grouped:
        drawn = st.lists(st.integers(0, 4), min_size=len(y), max_size=len(y))
        group = np.unique(draw(drawn), return_inverse=True)[1]
    n_groups = int(group.max()) + 1
    drawn = st.lists(st.integers(0, n_parts - 1), min_size=n_groups, max_size=n_groups)
    return y, group, np.array(draw(drawn))[group], n_parts


def measure(y, group, part, n_parts, grouped):
    """Measure a split whose parts may be empty."""
    names = [f"part {number}" for number in range(n_parts)]
    return evenfold.measure(y, part, groups=group if grouped else None, names=names)


def find_optimum(labels, group, part, n_parts):
    """Return the least rLD of all splits with the same sizes, the groups whole."""
    units = np.zeros((group.max() + 1, labels.n_labels), int)
    row = np.repeat(np.arange(labels.n_rows), np.diff(labels.indptr))
    np.add.at(units, (group[row], labels.indices), 1)
    sizes = np.bincount(part, minlength=n_parts).tolist()
    return naive.least_rld(units.tolist(), np.bincount(group).tolist(), sizes)


def check_bounds(small, grouped):
    """Check the bounds of labels, pairs and labelsets against all splits."""
    y, group, part, n_parts = small
    quality = measure(y, group, part, n_parts, grouped)
    labels = quality.placement.labels
    found = {
        "rld": labels,
        "rld_pairs": make_pairs(labels).labels,
        "rld_labelsets": make_labelsets(labels),
    }
    for name, own in found.items():
        optimum = find_optimum(own, group, part, n_parts)
        tight = getattr(quality.tight_bound, name)
        assert quality.bound_of(name) <= tight <= optimum + 1e-12, name


@pytest.mark.parametrize("grouped", [False, True])
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_tight_bound_is_below_every_split(data, grouped):
    """All splits with the same sizes, which keep the groups whole, are listed."""
    check_bounds(data.draw(small_splits(grouped)), grouped)


@pytest.mark.parametrize("grouped", [False, True])
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_ascent_is_below_every_split(data, grouped):
    """Prices that were not found by a linear programme give a valid bound too."""
    with mock.patch.object(prices, "solve_programme", return_value=None):
        check_bounds(data.draw(small_splits(grouped)), grouped)


@settings(max_examples=60, deadline=None)
@given(small=small_splits(grouped=False))
def test_tight_bound_of_labelsets_is_the_optimum(small):
    """Labelsets partition the rows, so that some split has the bound."""
    _, group, part, n_parts = small
    quality = measure(*small, grouped=False)
    optimum = find_optimum(make_labelsets(quality.placement.labels), group, part, n_parts)
    assert quality.tight_bound.rld_labelsets == pytest.approx(optimum, abs=1e-9)


def test_tight_bound_by_hand():
    """Four labels of one row in parts of 3 and 1: each is more even in the larger part.

    There its rLD is (|4/3 - 1| + 1) / 2 = 2/3, in the other (1 + |4 - 1|) / 2 = 2. One label must
    be in the other: (3 · 2/3 + 2) / 4 = 1.
    """
    quality = evenfold.measure(SINGLES, [0, 0, 0, 1], bound="tight")
    assert quality.bound.rld == pytest.approx(2 / 3)
    assert quality.tight_bound.rld == pytest.approx(1)
    assert (quality.excess, quality.tight_excess) == (pytest.approx(0.5), 0)
    assert quality.tight_bound.rld_labelsets == pytest.approx(1)
    assert repr(quality.tight_bound).startswith("TightBound(rld=")


def test_tight_bound_counts_parts_without_rows():
    """A part without rows adds an rLD of 1: (2 · 1 + 1) / 3 for the labels above."""
    quality = evenfold.measure(SINGLES, [0, 0, 0, 1], names=["a", "b", "c"])
    assert quality.bound.rld == pytest.approx((2 * 2 / 3 + 1) / 3)
    assert quality.tight_bound.rld == pytest.approx(1)


@pytest.mark.parametrize("parts", [[0.8, 0.1, 0.1], [0.5, 0.3, 0.2]])
def test_ascent_comes_near_the_linear_programme(parts):
    """The prices found step by step raise the bound nearly as much as the best prices do."""
    rng = np.random.default_rng(0)
    y = np.hstack([np.eye(150, 140), rng.random((150, 5)) < 0.4]).astype(int)
    quality = evenfold.split(y, parts, method="random").quality
    relaxation = make_relaxation(quality.placement.labels, quality.placement.sizes, None)
    best, is_final = prices.raise_bound(relaxation, 0)  # without any step
    assert is_final
    with mock.patch.object(prices, "solve_programme", return_value=None):
        found = prices.raise_bound(relaxation, 300).bound
    gained, possible = found - quality.bound.rld, best - quality.bound.rld
    assert possible > 0.01
    assert 0.98 * possible < gained <= possible + 1e-9


def test_tight_bound_counts_every_large_group():
    """A label of 12 rows, 5 of them in each of two groups, in three parts of 12 rows.

    Its share is 4 rows a part. The largest group alone makes that 5 in one part: (1 + 1) / 4 / 3.
    Both groups: 5, 5 and 2 rows, (1 + 1 + 2) / 4 / 3.
    """
    label = [1] * 12 + [0] * 24
    groups = [0] * 5 + [1] * 5 + list(range(2, 28))
    part = [0] * 5 + [1] * 5 + [2] * 2 + [0] * 7 + [1] * 7 + [2] * 10
    quality = evenfold.measure(np.array(label)[:, None], part, groups=groups)
    assert quality.bound.rld == pytest.approx(1 / 6)
    assert quality.tight_bound.rld == pytest.approx(1 / 3)
    assert quality.tight_excess == 0


def test_tight_bound_knows_that_groups_fill_parts():
    """A group of 5 rows has no place in a part of 4, although it holds few rows of the label."""
    label = [1, 1, 0, 0, 0, 1, 1, 0, 0]
    part = [0] * 5 + [1] * 4
    quality = evenfold.measure(np.array(label)[:, None], part, groups=[0] * 5 + [1] * 4)
    # 2 rows in parts of 5 and 4, of 4 in 9: the only split.
    assert quality.tight_bound.rld == pytest.approx(quality.rld)


@pytest.mark.parametrize("parts", [3, [0.6, 0.3, 0.1]])
def test_equal_parts_without_groups_have_the_cheap_bound(parts):
    """Prices that are equal in all parts change nothing; with other parts the bound is higher."""
    y = np.eye(12, dtype=int)
    quality = evenfold.split(y, parts, method="random").quality
    assert (quality.tight_bound.rld > quality.bound.rld + 1e-9) == (parts != 3)


@pytest.mark.parametrize(
    ("method", "grouped"), list(itertools.product(sorted(METHODS), [False, True]))
)
def test_no_method_is_below_the_tight_bound(method, grouped):
    """The bounds of labels and labelsets hold for the splits of every method."""
    y, groups = evenfold.datasets.make_patients(300, 90)
    for parts in (4, [0.8, 0.1, 0.1]):
        own = groups if grouped else None
        quality = evenfold.split(y, parts, groups=own, method=method).quality
        for name in ("rld", "rld_labelsets"):
            tight = getattr(quality.tight_bound, name)
            assert quality.bound_of(name) <= tight <= quality.value_of(name) + 1e-12


def test_a_limited_search_gives_a_lower_bound_and_says_so():
    """The bound is valid after any number of steps; read without a limit, it is computed anew."""
    rng = np.random.default_rng(0)
    y = (rng.random((3000, 150)) < 0.02).astype(int)
    quality = evenfold.split(y, [0.8, 0.1, 0.1], method="random").quality
    limited = quality.find_tight_bound("rld", 1_000_000)
    assert limited.note == tight_bounds._STOPPED
    assert quality.bound.rld <= limited.bound
    assert quality.tight_bound.rld >= limited.bound
    assert quality.tight_bound.note == ""
    too_large = quality.measure_other(quality.placement.part_of_row).find_tight_bound("rld", 1000)
    assert (too_large.bound, too_large.note) == (quality.bound.rld, tight_bounds._LARGE)


def test_unknown_labels_have_the_cheap_bound():
    """It says so in words."""
    y = [[1, 0], [1, 0], [0, 1], [np.nan, 1]]
    quality = evenfold.measure(y, [0, 0, 1, 1], bound="tight")
    assert quality.tight_bound.rld == quality.bound.rld < quality.rld
    assert "unknown in some rows: the tight bound is the cheap one." in str(quality)


@pytest.mark.parametrize("y", [np.zeros((4, 2)), np.array([[1], [1], [1], [1]])])
def test_a_split_at_the_cheap_bound_needs_no_search(y):
    """No bound is above what was reached; without labels that is 0."""
    quality = evenfold.measure(y, [0, 0, 0, 1])
    assert (quality.rld, quality.tight_bound.rld) == (0, 0)
    assert (quality.tight_bound.seconds, quality.tight_bound.note) == (0, "")


def test_tight_bound_is_printed_and_written_when_asked_for():
    """Otherwise tables and records stay as they are."""
    plain = evenfold.measure(Y, PART)
    tight = evenfold.measure(Y, PART, bound="tight")
    assert "tight" not in str(plain)
    assert "tight_bound" not in plain.to_dict()
    assert "tight  over it" in str(tight)
    assert "The tight bound took " in str(tight)
    record = tight.to_dict()
    assert set(record["tight_bound"]) == {"rld", "seconds", "note"}
    assert record["tight_bound"]["rld"] == tight.tight_bound.rld
    assert record["tight_bound"]["seconds"] == tight.tight_bound.seconds > 0
    assert record["tight_excess"] == tight.tight_excess
    assert max(map(len, str(tight).splitlines())) <= 88


def test_measures_without_a_tight_bound_are_refused():
    """They have the bounds of `Bound` only."""
    with pytest.raises(AttributeError, match="'TightBound' has no 'ld': read it from 'Bound'"):
        _ = evenfold.measure(Y, PART).tight_bound.ld
    with pytest.raises(InputError, match="'bound' must be one of cheap, tight, got 'tigth'"):
        evenfold.measure(Y, PART, bound="tigth")


@pytest.mark.parametrize(
    ("y", "is_partition"),
    [
        ([["a"], ["b"], ["a"]], True),
        ([["a", "b"], ["b"], ["a"]], False),
        ([["a"], [], ["b"]], False),
        ([["a", "b"], [], ["b"]], False),
    ],
)
def test_rows_of_one_label_each_are_a_partition(y, is_partition):
    """Not rows with two labels, nor with none; groups of two such rows are one too."""
    labels, sizes = make_labels(y), np.array([2, 1])
    assert make_relaxation(labels, sizes, None).is_partition == is_partition
    twice = make_labels([labels_of_row for labels_of_row in y for _ in range(2)])
    groups = np.repeat(np.arange(3), 2)
    assert make_relaxation(twice, 2 * sizes, groups).is_partition == is_partition
