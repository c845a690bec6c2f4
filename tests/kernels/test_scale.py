"""Quotas are those of Webster's method and add up; rarities are those of a plain count."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenfold._kernels.scale import find_rarest, take_turns

from .. import naive
from ..strategies import label_matrices, part_weights

FORMS = ["function", "compiled"]


def find_quotas(form, n_before, n_own, shares, offset):
    """Return the quotas of one criterion."""
    quota = np.full((1, len(shares)), -99, np.int64)
    getattr(take_turns, form)(
        np.array([n_before]),
        np.array([n_own]),
        np.array([shares], np.float64),
        np.array([offset]),
        quota,
    )
    return quota[0]


@pytest.mark.parametrize("form", FORMS)
@given(weights=part_weights(), n_before=st.integers(0, 60), n_own=st.integers(0, 60))
@settings(max_examples=100, deadline=None)
def test_quotas_are_turns_of_websters_method(form, weights, n_before, n_own):
    """The quota of rows a to b is what Webster's method gives b rows, without that of a rows."""
    # Shares of 64ths are exact in floating point, so that equal prices are equal.
    weights = [*weights, 64 - sum(weights)]
    expected = [naive.webster(n, [Fraction(w) for w in weights]) for n in (n_before, n_own)]
    shares = [weight / 64 for weight in weights]
    quota = find_quotas(form, 0, n_before, shares, 0)
    assert quota.tolist() == expected[0]
    both = naive.webster(n_before + n_own, [Fraction(w) for w in weights])
    quota = find_quotas(form, n_before, n_own, shares, 0)
    assert quota.tolist() == np.subtract(both, expected[0]).tolist()


@pytest.mark.parametrize("form", FORMS)
@given(
    weights=st.one_of(part_weights(), st.lists(st.floats(1e-9, 1), min_size=2, max_size=12)),
    rows_of_partition=st.lists(st.integers(0, 40), max_size=12),
    offset=st.integers(0, 999),
)
@settings(max_examples=150, deadline=None)
def test_quotas_of_any_cut_into_partitions_add_up(form, weights, rows_of_partition, offset):
    """Quotas are whole, none is negative, they sum to the rows, and their total is that of all."""
    shares = np.array(weights) / np.sum(weights)
    total, n_before = np.zeros(len(shares), np.int64), 0
    for n_own in rows_of_partition:
        quota = find_quotas(form, n_before, n_own, shares, offset)
        assert (quota >= 0).all()
        assert quota.sum() == n_own
        total += quota
        n_before += n_own
    assert total.tolist() == find_quotas(form, 0, n_before, shares, offset).tolist()


@pytest.mark.parametrize("form", FORMS)
@given(n_parts=st.integers(2, 12), n_rows=st.integers(0, 10**6), offset=st.integers(0, 999))
@settings(max_examples=100, deadline=None)
def test_equal_parts_get_their_share_rounded(form, n_parts, n_rows, offset):
    """Every part gets its share of the rows, rounded down or up."""
    quota = find_quotas(form, 0, n_rows, np.full(n_parts, 1 / n_parts), offset)
    assert set(quota.tolist()) <= {n_rows // n_parts, -(-n_rows // n_parts)}


@given(weights=part_weights(max_parts=3), n_rows=st.integers(0, 10**4), offset=st.integers(0, 999))
@settings(max_examples=200, deadline=None)
def test_unequal_parts_are_near_their_share(weights, n_rows, offset):
    """Up to three parts are within one row of their share, within two if turns begin elsewhere."""
    shares = np.array(weights) / np.sum(weights)
    quota = find_quotas("function", 0, n_rows, shares, 0)
    assert (np.abs(quota - n_rows * shares) < 1 + 1e-6).all()
    quota = find_quotas("function", 0, n_rows, shares, offset)
    assert (np.abs(quota - n_rows * shares) < 2).all()


@pytest.mark.parametrize("form", FORMS)
def test_parts_without_a_share_get_nothing(form):
    """A part with the share 0 has the quota 0; without any share there are no quotas."""
    assert find_quotas(form, 3, 10, [0, 0.5, 0, 0.5], 7).tolist() == [0, 5, 0, 5]
    assert find_quotas(form, 3, 10, [0, 0], 7).tolist() == [0, 0]


@pytest.mark.parametrize("form", FORMS)
@given(y=label_matrices(), n_others=st.integers(0, 5))
@settings(max_examples=100, deadline=None)
def test_rarity_is_that_of_the_rarest_label(form, y, n_others):
    """It is the smallest number of rows that have a label, or lack a common one, as the row does.

    Other criteria do not count, and labels of all rows distinguish none.
    """
    n_rows = len(y)
    n_with = y.sum(axis=0)
    is_common = 2 * n_with > n_rows
    common = np.flatnonzero(is_common & (n_with < n_rows))
    counted = np.concatenate((np.where(is_common, 0, n_with), np.zeros(n_others, np.int64)))
    units = np.concatenate((y, np.ones((n_rows, n_others), int)), axis=1)
    indptr = np.concatenate(([0], np.cumsum(units.sum(axis=1)))).astype(np.int64)
    found = np.full(n_rows, -99, np.int64)
    getattr(find_rarest, form)(
        indptr,
        np.nonzero(units)[1].astype(np.int32),
        counted,
        common,
        n_rows - n_with[common],
        n_rows,
        found,
    )
    assert found.tolist() == naive.rarest(y, n_rows)
