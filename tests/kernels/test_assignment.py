"""The kernels of assignment and of swaps of amounts equal slow versions, compiled and not."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenfold._kernels.amounts import swap_amounts
from evenfold._kernels.assignment import (
    TIE_BITS,
    Prices,
    Slots,
    Units,
    _draw_tie,
    place_by_assignment,
    sum_over_entries,
)

from . import naive_assignment
from .test_kernels import FORMS

EXPONENTIAL = np.round(-np.log((np.arange(1024) + 0.5) / 1024) * 1024).astype(np.int64)


def make_units(rng, n_units, n_criteria, with_amounts):
    """Return units × criteria, dense and as CSR; amounts of the last one may be negative."""
    counts = (rng.random((n_units, n_criteria)) < 0.4).astype(np.int64)
    if with_amounts:
        counts *= rng.integers(1, 4, counts.shape)
        counts[:, -1] *= rng.choice([-1, 1], n_units)
    held = counts != 0
    indptr = np.concatenate(([0], np.cumsum(held.sum(axis=1)))).astype(np.int64)
    amounts = counts[held] if with_amounts else np.empty(0, np.int64)
    return counts, indptr, np.nonzero(held)[1].astype(np.int32), amounts


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=120, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n_parts=st.integers(1, 5),
    is_strict=st.booleans(),
    with_amounts=st.booleans(),
    is_equal=st.booleans(),
)
def test_every_batch_has_the_least_cost(form, seed, n_parts, is_strict, with_amounts, is_equal):
    """Each batch costs what scipy's optimal assignment of it costs, in parts of any size."""
    rng = np.random.default_rng(seed)
    n_units, n_criteria = int(rng.integers(1, 40)), int(rng.integers(1, 6))
    counts, indptr, indices, amounts = make_units(rng, n_units, n_criteria, with_amounts)
    n_counts = n_criteria - 1 if with_amounts else n_criteria
    order = rng.permutation(n_units)[: int(rng.integers(1, n_units + 1))]
    slots = rng.integers(0, n_parts, len(order)).astype(np.int32)
    batch_size = int(rng.integers(1, 9))
    if is_equal:
        batch_size = n_parts
        slots = np.tile(np.arange(n_parts, dtype=np.int32), -(-len(order) // n_parts))
    weight, row_weight = rng.integers(1, 50, n_criteria), int(rng.integers(0, 20))
    factor = np.ones(n_parts, np.int64) if is_equal else rng.integers(1, 9, n_parts)
    deviation = rng.integers(-9, 9, (n_criteria, n_parts))
    row_deviation = rng.integers(-9, 9, n_parts)
    prices = Prices(
        weight,
        row_weight,
        factor,
        2 * weight[:, None] * factor * deviation,
        2 * row_weight * factor * row_deviation,
    )
    draw = rng.integers(0, 2**32, n_units)
    part = np.full(n_units, -1, np.int32)
    getattr(place_by_assignment, form)(
        Units(indptr, indices, amounts, n_counts, draw),
        order,
        Slots(slots, batch_size, is_strict),
        prices,
        part,
    )
    tie = np.array([[_draw_tie(int(own), j) for j in range(n_parts)] for own in draw])
    naive_assignment.check_batches(
        counts,
        order,
        slots,
        batch_size,
        is_strict,
        n_counts,
        (weight, row_weight, factor, deviation, row_deviation),
        tie,
        part,
    )
    others = np.setdiff1d(np.arange(n_units), order)
    assert (part[others] == -1).all()
    held = deviation.copy()
    np.add.at(held.T, part[order], counts[order])
    assert np.array_equal(prices.price, 2 * weight[:, None] * factor * held)


def test_ties_are_random_bits_of_each_unit_and_part():
    """So few that they decide only between equal costs; each bit is as often 0 as 1."""
    draws = np.random.default_rng(0).integers(0, 2**32, 4000).tolist()
    ties = np.array([[_draw_tie(draw, part) for part in range(3)] for draw in draws])
    assert ties.min() == 0
    assert ties.max() == 2**TIE_BITS - 1
    bits = ties[..., None] >> np.arange(TIE_BITS) & 1
    assert np.abs(bits.mean(axis=0) - 0.5).max() < 0.04
    assert [(ties[:, 0] == ties[:, part]).mean() < 0.02 for part in (1, 2)] == [True, True]


def test_both_forms_place_alike():
    """Plain Python and the compiled form break ties in the same way."""
    rng = np.random.default_rng(0)
    _, indptr, indices, amounts = make_units(rng, 300, 6, False)
    found = []
    for form in FORMS:
        own = np.random.default_rng(1)
        part = np.full(300, -1, np.int32)
        weight = own.integers(1, 9, 6)
        prices = Prices(
            weight, 2, np.ones(7, np.int64), np.zeros((6, 7), np.int64), np.zeros(7, np.int64)
        )
        getattr(place_by_assignment, form)(
            Units(indptr, indices, amounts, 6, own.integers(0, 2**32, 300)),
            own.permutation(300),
            Slots(np.tile(np.arange(7, dtype=np.int32), 43), 7, False),
            prices,
            part,
        )
        found.append(part.tolist())
    assert found[0] == found[1]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("with_amounts", [False, True])
def test_sum_over_entries_equals_a_product_of_matrices(form, with_amounts):
    """Amounts times values, added up for each unit."""
    rng = np.random.default_rng(0)
    counts, indptr, indices, amounts = make_units(rng, 30, 5, with_amounts)
    value, total = rng.integers(0, 9, 5), np.zeros(30, np.int64)
    getattr(sum_over_entries, form)(indptr, indices, amounts, value, total)
    assert np.array_equal(total, counts @ value)


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10_000), grouped=st.booleans(), is_equal=st.booleans())
def test_swaps_of_amounts_equal_the_slow_version(form, seed, grouped, is_equal):
    """The same swaps are made as by computing the whole cost anew for each, and sums are kept."""
    rng = np.random.default_rng(seed)
    n_units, n_columns, n_parts = int(rng.integers(2, 25)), int(rng.integers(1, 4)), 3
    values = rng.integers(-50, 50, (n_units, n_columns))
    rows_of_unit = rng.integers(1, 4, n_units) if grouped else np.ones(n_units, np.int64)
    order = rng.permutation(n_units)[: int(rng.integers(2, n_units + 1))]
    factor = np.ones(n_parts, np.int64) if is_equal else rng.integers(1, 9, n_parts)
    part = rng.integers(0, n_parts, n_units).astype(np.int32)
    sizes = np.bincount(part, rows_of_unit, minlength=n_parts).astype(np.int64)
    sizes = rng.permutation(sizes)
    temperatures = np.array([40, 5, 0])
    expected = naive_assignment.swap(
        values, rows_of_unit, order, factor, 7, 90, temperatures, EXPONENTIAL, 4711, part, sizes
    )
    deviation = np.zeros((n_parts, n_columns), np.int64)
    np.add.at(deviation, part, values)
    row_deviation = np.bincount(part, rows_of_unit, minlength=n_parts).astype(np.int64) - sizes
    getattr(swap_amounts, form)(
        values,
        rows_of_unit,
        order,
        factor,
        7,
        90,
        temperatures,
        EXPONENTIAL,
        4711,
        deviation,
        row_deviation,
        part,
    )
    assert part.tolist() == expected.tolist()
    assert np.array_equal(deviation, [values[part == j].sum(axis=0) for j in range(n_parts)])
    assert np.array_equal(row_deviation, np.bincount(part, rows_of_unit, minlength=n_parts) - sizes)
