"""Tail probabilities agree with counts over all draws, and bounds are not below them."""

import itertools
import math
from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import hypergeom

from evenfold.quality.tails import bound_unit_tails, find_row_tails


def count_tail(count, held, n_drawn, n_rows):
    """Return twice the share of all draws at least as far to the same side, at most 1."""
    draws = list(itertools.combinations(range(n_rows), n_drawn))
    found = [sum(row < held for row in draw) for draw in draws]
    is_low = count * n_rows < n_drawn * held
    n_far = sum(own <= count if is_low else own >= count for own in found)
    return float(min(Fraction(1), 2 * Fraction(n_far, len(draws))))


@st.composite
def draws(draw):
    """Return a draw of some rows: those with the label drawn, all of them, drawn, all rows."""
    n_rows = draw(st.integers(1, 9))
    held, n_drawn = draw(st.integers(0, n_rows)), draw(st.integers(0, n_rows))
    least, most = max(0, held + n_drawn - n_rows), min(held, n_drawn)
    return draw(st.integers(least, most)), held, n_drawn, n_rows


@given(draws())
def test_row_tails_are_the_share_of_all_draws(case):
    """On small cases, by listing every draw."""
    found = find_row_tails(*(np.array([value]) for value in case))
    assert math.isclose(found[0], count_tail(*case), rel_tol=1e-10)


def test_row_tails_of_many_rows_agree_with_scipy():
    """Far in the tail too, where sums of small terms matter."""
    rng = np.random.default_rng(0)
    for n_rows in (1_000, 200_000):
        held = 1 + (n_rows * rng.random(60) ** 3).astype(np.int64)
        n_drawn = n_rows // 5
        middle = rng.hypergeometric(held, n_rows - held, n_drawn)
        away = rng.integers(-8, 9, 60) * math.isqrt(n_rows) // 10
        most = np.minimum(held, n_drawn)
        count = np.clip(middle + away, np.maximum(0, held + n_drawn - n_rows), most)
        found = find_row_tails(count, held, np.array(n_drawn), np.array(n_rows))
        is_low = count * n_rows < n_drawn * held
        lower = hypergeom.cdf(count, n_rows, held, n_drawn)
        upper = hypergeom.sf(count - 1, n_rows, held, n_drawn)
        expected = np.minimum(1.0, 2 * np.where(is_low, lower, upper))
        assert np.allclose(found, expected, rtol=1e-7, atol=1e-290)


def test_row_tails_of_no_draws_are_empty():
    """Data without labels has no tails."""
    nothing = np.empty((2, 0), np.int64)
    assert find_row_tails(nothing, nothing[0], np.ones((2, 1), np.int64), np.array([2])).shape == (
        2,
        0,
    )


@settings(deadline=None)
@given(st.lists(st.integers(-6, 6), min_size=2, max_size=9), st.data())
def test_unit_tails_are_bounds(numbers, data):
    """No bound is below the share of all draws of units that are as far off."""
    off_of_unit = np.array(numbers, float) - np.mean(numbers)
    n_drawn = data.draw(st.integers(1, len(numbers) - 1))
    sums = [sum(draw) for draw in itertools.combinations(off_of_unit.tolist(), n_drawn)]
    off = data.draw(st.sampled_from(sums))
    bound = bound_unit_tails(
        np.array([off]),
        np.array([(off_of_unit**2).sum()]),
        np.array([np.abs(off_of_unit).max()]),
        np.array([n_drawn]),
        len(numbers),
    )
    n_far = sum(abs(own) >= abs(off) - 1e-9 for own in sums)
    assert bound[0] >= n_far / len(sums) - 1e-9


def test_a_single_large_unit_is_allowed_for():
    """One unit of 50 is as far off in 1 of 50 draws of one: its size is part of the bound."""
    off_of_unit = np.r_[49.0, -np.ones(49)]
    bound = bound_unit_tails(
        np.array([49.0]), np.array([(off_of_unit**2).sum()]), np.array([49.0]), np.array([1]), 50
    )
    assert 1 / 50 <= bound[0] < 1
