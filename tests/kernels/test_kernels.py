"""Kernels equal their slow versions in `naive`, compiled and not; bounds: test_spreads.py."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from evenfold._kernels.entries import count_in_parts, find_highest_price, join_rows, sort_rows
from evenfold._kernels.iterative import Criteria, Wanted, place_iteratively
from evenfold._kernels.strata import deal
from evenfold._kernels.units import Units

from .. import naive
from ..strategies import label_matrices, part_weights

FORMS = ["function", "compiled"]


def run_iterative(
    form, counts, rows_of_unit, weights, levels, seed, fixed=None, is_amount=None, precedence=None
):
    """Run the kernel on dense units × criteria; return its parts and those of the slow version."""
    rng = np.random.default_rng(seed)
    n, q = counts.shape
    order, draws = rng.permutation(n), rng.integers(0, 2**40, n)
    indptr = np.concatenate(([0], np.cumsum((counts > 0).sum(axis=1)))).astype(np.int64)
    indices = np.nonzero(counts)[1].astype(np.int32)
    amounts = (
        np.empty(0, np.int64) if counts.max(initial=0) <= 1 else counts[counts > 0].astype(np.int64)
    )
    weights = np.array(weights, dtype=np.int64)
    need = np.zeros((q + 1, len(weights)), np.int64)
    need[:-1] = counts.sum(axis=0)[:, None] * weights
    fixed = np.full(n, -1, np.int32) if fixed is None else fixed
    is_amount = np.zeros(q, bool) if is_amount is None else is_amount
    precedence = np.zeros(q, np.int64) if precedence is None else precedence
    part = fixed.copy()
    levels = np.array(levels, dtype=np.int64)
    by_rank = np.argsort(draws @ counts, kind="stable")
    getattr(place_iteratively, form)(
        Units(indptr, indices, amounts, rows_of_unit),
        Criteria(levels, precedence, is_amount, by_rank),
        order.astype(np.int32),
        draws,
        Wanted(int(weights.sum()), need, rows_of_unit.sum() * weights),
        part,
    )
    units = [{i: int(row[i]) for i in range(q) if row[i]} for row in counts]
    expected, taken = naive.iterative(
        units,
        rows_of_unit.tolist(),
        weights,
        levels.tolist(),
        order,
        draws,
        fixed,
        is_amount,
        precedence,
    )
    return part.tolist(), expected, taken


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=150, deadline=None)
@given(
    y=label_matrices(), weights=part_weights(), seed=st.integers(0, 1000), levels=st.integers(1, 3)
)
def test_place_iteratively_equals_the_paper_on_rows(form, y, weights, seed, levels):
    """Rows, any shares, one or more levels of criteria."""
    level_of = [i % levels for i in range(y.shape[1])]
    part, expected, _ = run_iterative(form, y, np.ones(len(y), np.int64), weights, level_of, seed)
    assert part == expected


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=150, deadline=None)
@given(y=label_matrices(), weights=part_weights(), seed=st.integers(0, 1000))
def test_place_iteratively_equals_the_paper_on_groups(form, y, weights, seed):
    """Units of several rows with their counts summed."""
    rng = np.random.default_rng(seed)
    counts = y * rng.integers(1, 5, y.shape)
    rows = counts.max(axis=1) + rng.integers(0, 3, len(y))
    part, expected, _ = run_iterative(
        form, counts, np.maximum(rows, 1), weights, [0] * y.shape[1], seed
    )
    assert part == expected


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=100, deadline=None)
@given(y=label_matrices(), weights=part_weights(), seed=st.integers(0, 1000))
def test_place_iteratively_leaves_fixed_units_and_takes_amounts(form, y, weights, seed):
    """Some units have their part already; some criteria are totals, whose rarity counts units."""
    rng = np.random.default_rng(seed)
    is_amount = rng.random(y.shape[1]) < 0.5
    counts = y * np.where(is_amount, rng.integers(1, 2000, y.shape), 1)
    fixed = np.where(rng.random(len(y)) < 0.3, rng.integers(0, len(weights), len(y)), -1).astype(
        np.int32
    )
    part, expected, _ = run_iterative(
        form, counts, np.ones(len(y), np.int64), weights, [0] * y.shape[1], seed, fixed, is_amount
    )
    assert part == expected


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=100, deadline=None)
@given(
    y=label_matrices(),
    weights=part_weights(),
    seed=st.integers(0, 1000),
    share=st.sampled_from([0.1, 0.5, 0.9, 1.0]),
)
def test_place_iteratively_leaves_most_groups_fixed(form, y, weights, seed, share):
    """Groups on two levels; with many fixed units, some criteria have no free unit, or all."""
    rng = np.random.default_rng(seed)
    counts = y * rng.integers(1, 4, y.shape)
    rows = np.maximum(1, counts.max(axis=1))
    drawn = rng.integers(0, len(weights), len(y))
    fixed = np.where(rng.random(len(y)) < share, drawn, -1).astype(np.int32)
    levels = [i % 2 for i in range(y.shape[1])]
    part, expected, _ = run_iterative(form, counts, rows, weights, levels, seed, fixed)
    assert part == expected


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=100, deadline=None)
@given(y=label_matrices(), weights=part_weights(), seed=st.integers(0, 1000))
def test_place_iteratively_takes_precedence_among_equally_rare(form, y, weights, seed):
    """So label pairs go before labels of as many rows."""
    precedence = np.random.default_rng(seed).integers(0, 3, y.shape[1])
    part, expected, _ = run_iterative(
        form, y, np.ones(len(y), np.int64), weights, [0] * y.shape[1], seed, precedence=precedence
    )
    assert part == expected


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 10_000), grouped=st.booleans())
def test_deal_equals_its_slow_version(form, seed, grouped):
    """Strata are dealt, and what a part is owed is carried over."""
    rng = np.random.default_rng(seed)
    n, k = rng.integers(4, 40), rng.integers(2, 5)
    rows = rng.integers(1, 6, n) if grouped else np.ones(n, np.int64)
    stratum = np.sort(rng.integers(0, 6, n))
    stratum = np.unique(stratum, return_inverse=True)[1]
    units = rng.permutation(n)
    units = units[np.argsort(stratum[units], kind="stable")]
    sizes = np.bincount(rng.integers(0, k, rows.sum()), minlength=k)
    fixed = np.where(rng.random(n) < 0.2, rng.integers(0, k, n), -1).astype(np.int32)
    units = units[np.lexsort((fixed[units] < 0, stratum[units]))]
    order, part = rng.permutation(k), fixed.copy()
    getattr(deal, form)(
        units, stratum, rows, np.bincount(stratum, rows).astype(np.int64), sizes, order, part
    )
    assert part.tolist() == naive.deal(units.tolist(), stratum, rows, sizes, order.tolist(), fixed)


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=100, deadline=None)
@given(
    rows=st.lists(st.lists(st.integers(0, 9), max_size=6), max_size=8),
    long=st.lists(st.integers(0, 9), min_size=65, max_size=90),
    seed=st.integers(0, 99),
)
def test_sort_rows_keeps_each_label_once_by_rank(form, rows, long, seed):
    """Short rows and long ones, which are sorted in another way."""
    rank = np.random.default_rng(seed).permutation(10).astype(np.int32)
    rows = [*rows, long]
    codes = np.array([code for row in rows for code in row], np.int32)
    n_kept, own = np.empty(len(rows), np.int64), np.empty(len(codes), np.int32)
    getattr(sort_rows, form)(
        np.array([len(row) for row in rows], np.int32), codes, rank, own, n_kept
    )
    expected = [sorted({int(rank[code]) for code in row}) for row in rows]
    assert n_kept.tolist() == [len(row) for row in expected]
    assert own[: n_kept.sum()].tolist() == [code for row in expected for code in row]


@pytest.mark.parametrize("form", FORMS)
def test_passes_over_entries_equal_what_sparse_matrices_give(form):
    """Joined rows, the highest price of a unit and what parts hold, with amounts and without."""
    rng = np.random.default_rng(0)
    left, right = (
        sparse.csr_array(
            sparse.random(
                30, width, 0.3, random_state=rng, data_rvs=lambda n: rng.integers(1, 9, n)
            )
        )
        for width in (7, 4)
    )
    left, right = left.astype(np.int64), right.astype(np.int64)
    joined = np.empty(left.nnz + right.nnz, np.int32)
    getattr(join_rows, form)(
        left.indptr.astype(np.int64),
        left.indices,
        right.indptr.astype(np.int64),
        right.indices,
        7,
        joined,
    )
    assert joined.tolist() == sparse.hstack([left, right], format="csr").indices.tolist()
    price, part = rng.random(7), rng.integers(0, 3, 30).astype(np.int32)
    for amounts, matrix in (
        (left.data, left),
        (np.empty(0, np.int64), (left > 0).astype(np.int64)),
    ):
        highest, held = np.empty(1), np.zeros((7, 3), np.int64)
        getattr(find_highest_price, form)(
            left.indptr.astype(np.int64), left.indices, amounts, price, highest
        )
        assert highest[0] == pytest.approx((matrix @ price).max())
        getattr(count_in_parts, form)(
            left.indptr.astype(np.int64), left.indices, amounts, part, held
        )
        assert (
            held.tolist() == (matrix.T @ (part[:, None] == np.arange(3)).astype(np.int64)).tolist()
        )
