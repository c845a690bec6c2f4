"""The exact bounds of one label, against all ways to spread its rows over parts of given sizes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evenfold
from evenfold._kernels.bounds import spread_odds, spread_relative
from evenfold.quality import bounds

from .. import naive

FORMS = ["function", "compiled"]


def least_cost(cost_of_part, n_rows, sizes):
    """Return the least sum of costs over the parts, by dynamic programming."""
    # best[c]: the least cost of the parts so far with c rows in them.
    best = [0.0] + [np.inf] * n_rows
    for part, size in enumerate(sizes):
        best = [
            min(
                best[placed - own] + cost_of_part(part, own) for own in range(min(size, placed) + 1)
            )
            for placed in range(n_rows + 1)
        ]
    return best[n_rows]


def least_rld(n_rows, sizes):
    """Return the least rLD of a label: mean over parts of |c / S - d| / d."""
    share = n_rows / sum(sizes)

    def difference(part, own):
        return abs((own / sizes[part] if sizes[part] else 0.0) - share) / share

    return least_cost(difference, n_rows, sizes) / len(sizes)


def least_ld(n_rows, sizes):
    """Return the least LD of a label that some row lacks: mean of |odds - odds of all|."""
    odds_of_all = n_rows / (sum(sizes) - n_rows)

    def difference(part, own):
        without = sizes[part] - own
        odds = own / without if without else max(sizes[part] - 1.0, 0.0)
        return abs(odds - odds_of_all)

    return least_cost(difference, n_rows, sizes) / len(sizes)


@st.composite
def spreads(draw):
    """Draw sizes of parts, empty ones and ones of a single row among them, and rows of a label."""
    largest = draw(st.sampled_from([1, 2, 3, 12]))
    n_parts = draw(st.integers(1, 9 if largest == 12 else 30))
    sizes = draw(st.lists(st.integers(0, largest), min_size=n_parts, max_size=n_parts).filter(any))
    n_single = draw(st.integers(0, 30))
    sizes = [*sizes, *[1] * n_single]
    return draw(st.integers(1, sum(sizes))), sizes


@settings(max_examples=600, deadline=None)
@given(spread=spreads())
def test_spread_relative_is_exact_for_any_sizes(spread):
    """No part holds more rows of a label than it has rows."""
    n_rows, sizes = spread
    cost = np.empty(1)
    for form in FORMS:
        getattr(spread_relative, form)(np.array([n_rows]), np.array([sizes]), cost)
        assert cost[0] / (n_rows * len(sizes)) == pytest.approx(least_rld(n_rows, sizes), abs=1e-12)


@settings(max_examples=600, deadline=None)
@given(spread=spreads())
def test_spread_odds_is_exact_for_any_sizes(spread):
    """No part holds more rows of a label than it has rows."""
    n_rows, sizes = spread
    if n_rows == sum(sizes):
        return
    cost = np.empty(1)
    for form in FORMS:
        getattr(spread_odds, form)(np.array([n_rows]), np.array([sizes]), cost)
        assert cost[0] / len(sizes) == pytest.approx(least_ld(n_rows, sizes), abs=1e-12)


def test_spread_kernels_take_a_size_per_label():
    """Where labels are known in different rows, each has its own sizes."""
    sizes = np.array([[4, 4, 2], [5, 3, 1]])
    m = np.array([3, 4])
    cost = np.empty(2)
    spread_relative(m, sizes, cost)
    best = [
        naive.best_of_label(
            lambda own, at=at: naive.rld_of_label(own, sizes[at]), int(m[at]), sizes[at]
        )
        for at in (0, 1)
    ]
    assert cost / (m * 3) == pytest.approx(best)


def test_oracles_agree_with_enumeration():
    """The dynamic programmes find what listing every way finds."""
    for sizes in ([1, 1, 1, 2], [4, 1, 0, 1], [3, 5], [2, 2, 1]):
        for n_rows in range(1, sum(sizes)):
            for least, measure in ((least_rld, naive.rld_of_label), (least_ld, naive.ld_of_label)):
                listed = naive.best_of_label(
                    lambda own, sizes=sizes, measure=measure: measure(own, sizes), n_rows, sizes
                )
                assert least(n_rows, sizes) == pytest.approx(listed, abs=1e-12)


def test_bound_of_rld_is_exact_where_nearly_every_row_is_a_part():
    """645 rows in 644 parts: one part has two rows, each other part one, whatever the label."""
    sizes = np.ones(644, np.int64)
    sizes[0] = 2
    n_rows = np.array([5, 60, 161])
    expected = [least_rld(int(rows), sizes.tolist()) for rows in n_rows]
    assert bounds.bound_relative(n_rows, sizes[:, None]) == pytest.approx(expected, abs=1e-12)
    y = (np.arange(645) < 60).astype(int).reshape(-1, 1)
    # The first two rows, both with the label, are one part: no split is more even.
    quality = evenfold.measure(y, np.maximum(np.arange(645) - 1, 0), parts=644)
    assert quality.bound.rld == pytest.approx(expected[1])
    assert quality.excess == 0
    assert quality.rld == pytest.approx(1.8016, abs=1e-4)
