"""Bounds against arithmetic by hand, and as limits that no split passes."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import evenfold
from evenfold.quality.measure_record import excess_over

from .. import naive
from ..strategies import label_matrices
from .example import PART, Y


def test_bounds_by_hand():
    """The bounds of labels a, b and c in parts of 4 and 2 rows.

    a: 3 rows are spread 2/1 exactly. b: 2 rows, shares 4/3 and 2/3, are spread 1/1:
    |1/4 - 1/3| and |1/2 - 1/3|, mean over 1/3: 3 · 1/8 = .375.
    """
    q = evenfold.measure(Y, PART)
    assert q.per_label.rld_bound.tolist() == pytest.approx([0, 0.375, 0])
    # odds of b at 1/1: 1/3 and 1 against 1/2: (1/6 + 1/2) / 2 = 1/3.
    assert q.per_label.ld_bound[1] == pytest.approx(1 / 3)
    # dcp of b at 1/1: 1/2 - 1/3.
    assert q.per_label.dcp_bound.tolist() == pytest.approx([0, 1 / 6, 0])
    assert (q.bound.fz, q.bound.flz) == (0, 0)
    assert q.excess == pytest.approx(1)


def test_group_bounds_by_hand():
    """The largest group of a label limits rLD, DCP and FLZ.

    8 rows in two parts of 4; the label has 4 rows, 3 of them in one group. Its share is 2 rows a
    part, the group makes that 3 in one: (3 - 2) · (1/4 + 1/4) / (2 · 4/8) = .5. DCP: 3/4 - 1/2.
    """
    y = [[1], [1], [1], [1], [0], [0], [0], [0]]
    groups = [0, 0, 0, 1, 2, 3, 4, 5]
    part = [0, 0, 0, 1, 0, 1, 1, 1]
    q = evenfold.measure(y, part, groups=groups)
    assert evenfold.measure(y, part).bound.rld == 0
    assert q.bound.rld == pytest.approx(0.5)
    assert q.rld == pytest.approx(0.5)
    assert q.excess == pytest.approx(0)
    assert q.bound.dcp == pytest.approx(0.25)
    assert evenfold.measure([[1], [1], [0], [0]], [0, 0, 1, 1], groups=[7, 7, 8, 9]).bound.flz == 1


@settings(max_examples=100, deadline=None)
@given(
    y=label_matrices(min_rows=4, max_rows=14),
    k=st.integers(2, 4),
    seed=st.integers(0, 1000),
    grouped=st.booleans(),
)
def test_no_split_is_below_its_bound(y, k, seed, grouped):
    """Each label's value is at least its bound, with and without groups."""
    rng = np.random.default_rng(seed)
    groups = rng.integers(0, 6, len(y)) if grouped else None
    part = rng.integers(0, k, 6)[groups] if grouped else rng.integers(0, k, len(y))
    q = evenfold.measure(y, part, groups=groups)
    for name in ("rld", "ld", "dcp", "flz"):
        value, bound = q.per_label[name], q.per_label[f"{name}_bound"]
        assert not (value < bound - 1e-12).any(), name
    assert q.fz >= q.bound.fz
    assert q.excess >= -1e-12


@settings(max_examples=60, deadline=None)
@given(m=st.integers(1, 12), sizes=st.lists(st.integers(1, 5), min_size=2, max_size=4))
def test_dcp_bound_is_the_least(m, sizes):
    """The bound of DCP equals the least over all ways to spread the rows."""
    n = sum(sizes)
    assume(m <= n)
    part = np.repeat(np.arange(len(sizes)), sizes)
    y = (np.arange(n) < m).astype(int).reshape(-1, 1)
    best = naive.best_of_label(
        lambda own: naive.dcp_of_label(own, [size / n for size in sizes]), m, sizes
    )
    assert evenfold.measure(y, part).per_label.dcp_bound[0] == pytest.approx(best, abs=1e-12)


def test_ed_bound_is_the_largest_remainder():
    """593 rows in ten folds are three of 60 and seven of 59: (3 · .7 + 7 · .3) / 10."""
    q = evenfold.split(np.ones((593, 1)), 10, method="random").quality
    assert q.bound.ed == pytest.approx(0.42)
    assert q.ed == pytest.approx(0.42)


@pytest.mark.parametrize(
    ("value", "bound", "expected"), [(0.0, 0.0, 0.0), (0.1, 0.0, math.inf), (3.0, 2.0, 0.5)]
)
def test_excess_where_the_bound_is_zero(value, bound, expected):
    """Where the bound is 0, excess is 0 if the measure is 0 too, else infinite."""
    assert excess_over(value, bound) == expected


def test_a_part_without_rows_lacks_every_label():
    """A wanted part without rows counts 1 in rLD, and lacks a label that it could have had."""
    q = evenfold.measure([[1], [1], [1], [1]], [0, 1, 1, 0], parts=[0.4, 0.4, 0.2])
    assert (q.flz, q.bound.flz, q.fz, q.bound.fz) == (1, 0, 1, 0)
    assert q.rld == pytest.approx(1 / 3)
    assert q.bound.rld == pytest.approx(1 / 3)
    assert "1 time a part lacks a label that it could have had." in str(q)


def test_group_bounds_where_one_part_knows_nothing():
    """A label that is unknown in all rows of a part is bounded over the other part."""
    q = evenfold.measure(
        [[1.0], [1], [0], [0], [np.nan], [np.nan]], [0, 0, 0, 0, 1, 1], groups=range(6)
    )
    assert (q.rld, q.bound.rld) == (0.5, 0.5)


def test_cut_groups_are_said_and_not_allowed_for():
    """The bounds of a split that cuts groups do not allow for groups, and it says so."""
    q = evenfold.measure(
        [[1]] * 4 + [[0]] * 4, [0, 0, 1, 1, 0, 0, 1, 1], groups=[0, 0, 0, 0, 1, 2, 3, 4]
    )
    assert q.n_cut_groups == 1
    assert q.excess == 0
    assert "1 group in more than one part" in str(q)


def test_fz_bound_is_the_rarest_labels_lack():
    """A label of one row is missing in all parts but one."""
    assert evenfold.measure(np.eye(6, 2), [0, 1, 2, 3, 0, 1]).bound.fz == 3


@settings(max_examples=100, deadline=None)
@given(sizes=st.lists(st.integers(1, 4), min_size=2, max_size=6), rows=st.integers(1, 24))
def test_flz_bound_is_the_least(sizes, rows):
    """The bound of FLZ equals the least over all ways to spread the rows over parts with rows."""
    assume(rows <= sum(sizes))
    part = np.repeat(np.arange(len(sizes)), sizes)
    y = (np.arange(sum(sizes)) < rows).astype(int).reshape(-1, 1)
    least = naive.best_of_label(lambda own: own.count(0), rows, sizes)
    assert evenfold.measure(y, part).bound.flz == least


@settings(max_examples=60, deadline=None)
@given(
    known=st.lists(st.integers(0, 4), min_size=2, max_size=4).filter(any), rows=st.integers(1, 16)
)
def test_bounds_of_unknown_labels_are_the_least(known, rows):
    """A part holds at most as many rows of a label as it has rows in which the label is known."""
    assume(rows < sum(known))
    part = np.repeat(np.arange(len(known)), np.add(known, 1))
    label = np.full(len(part), np.nan)
    first = np.cumsum(np.add(known, 1)) - np.add(known, 1)
    places = np.concatenate([np.arange(own) + at for own, at in zip(known, first, strict=True)])
    label[places] = np.arange(len(places)) < rows
    quality = evenfold.measure(label.reshape(-1, 1), part)
    for name, measure in (("rld", naive.rld_of_label), ("ld", naive.ld_of_label)):
        least = naive.best_of_label(lambda own, measure=measure: measure(own, known), rows, known)
        assert quality.per_label[f"{name}_bound"][0] == pytest.approx(least, abs=1e-12)


def test_labels_in_fewer_groups_than_parts_are_remarked_on():
    """A label of four rows in two groups must be missing in one part of three."""
    q = evenfold.measure([["a"]] * 4 + [["b"]] * 2, [0, 0, 1, 1, 2, 2], groups=[0, 0, 1, 1, 2, 3])
    assert "1 of 2 labels in fewer groups than parts: some part must lack them." in str(q)
    assert "1 of 2 labels with fewer rows than parts: some part must lack them." in str(q)
