"""Labels spread at prices, against all ways to spread them."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from evenfold._kernels.label_spreads import add_prices, count_placed, spread_at_prices

from .. import naive

FORMS = ["function", "compiled"]
ALL_NODES = 200


def least_cost(n_rows, sizes, price, groups):
    """Return the least Σ_j |n c_j / (m S_j) - 1| + price_j c_j, each group whole in a part."""
    n, best = sum(sizes), np.inf
    n_free = n_rows - sum(rows for rows, _ in groups)
    for parts in itertools.product(range(len(sizes)), repeat=len(groups)):
        held, used = [0] * len(sizes), [0] * len(sizes)
        for part, (rows, all_rows) in zip(parts, groups, strict=True):
            held[part] += rows
            used[part] += all_rows
        room = [size - own for size, own in zip(sizes, used, strict=True)]
        if min(room) < 0:
            continue
        for free in naive.compositions(n_free, tuple(room)):
            count = np.add(held, free)
            cost = np.abs(n * count / (n_rows * np.array(sizes)) - 1).sum() + price @ count
            best = min(best, cost)
    return best


@st.composite
def priced_labels(draw):
    """Draw sizes of parts, in classes, prices of the classes, and a label with large groups."""
    sizes = sorted(draw(st.sets(st.integers(1, 6), min_size=1, max_size=3)))
    n_alike = draw(st.lists(st.integers(1, 2), min_size=len(sizes), max_size=len(sizes)))
    prices = st.lists(st.floats(-2, 2), min_size=len(sizes), max_size=len(sizes))
    price = np.array(draw(prices))
    # Groups that fit: each is taken from the rows of one part.
    left, groups = np.repeat(sizes, n_alike), []
    drawn = st.tuples(st.integers(0, len(left) - 1), st.integers(2, 3), st.integers(0, 2))
    for part, rows, others in draw(st.lists(drawn, max_size=3)):
        if rows + others <= left[part]:
            groups.append((rows, rows + others))
            left[part] -= rows + others
    groups.sort(reverse=True)
    n_grouped = sum(rows for rows, _ in groups)
    n_rows = n_grouped + draw(st.integers(0 if groups else 1, max(int(left.sum()), 0)))
    return n_rows, sizes, n_alike, price, groups


def spread(form, label, max_nodes):
    """Return the least cost that the kernel finds, and the rows in each class."""
    n_rows, sizes, n_alike, price, groups = label
    least, count = np.empty(1), np.empty((1, len(sizes)))
    getattr(spread_at_prices, form)(
        np.array([n_rows]),
        1.0,
        np.array(sizes),
        np.array(n_alike),
        price[None, :],
        np.array([0, len(groups)]),
        np.array(groups, dtype=np.int64).reshape(-1, 2),
        max_nodes,
        least,
        count,
    )
    return least[0], count[0]


@settings(max_examples=150, deadline=None)
@given(label=priced_labels())
def test_spread_at_prices_is_exact_and_below_with_few_nodes(label):
    """With enough nodes the least cost is exact, with fewer it is a lower bound."""
    n_rows, sizes, n_alike, price, groups = label
    size_of_part = np.repeat(sizes, n_alike).tolist()
    expected = least_cost(n_rows, size_of_part, np.repeat(price, n_alike), groups)
    for form in FORMS:
        for max_nodes in (0, 1, 3, ALL_NODES):
            least, count = spread(form, label, max_nodes)
            assert least <= expected + 1e-9
            assert count.sum() == n_rows
            if max_nodes == ALL_NODES:
                assert least == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("n_rows", "sizes", "price", "groups"),
    [
        (8, [3, 4, 5], [-1.2, -1.6, 0.3], [(3, 3), (3, 3)]),
        (4, [4, 5], [-0.4, 1.6], [(3, 3)]),
        (6, [3, 5, 7], [0.6, -0.9, 0.8], [(2, 2), (2, 2), (2, 2)]),
    ],
)
def test_the_counts_are_those_of_the_least_cost(form, n_rows, sizes, price, groups):
    """The node that was looked at last is another one."""
    least, count = spread(
        form, (n_rows, sizes, [1] * len(sizes), np.array(price), groups), ALL_NODES
    )
    off = np.abs(sum(sizes) * count / (n_rows * np.array(sizes)) - 1)
    assert off.sum() + price @ count == pytest.approx(least)


@pytest.mark.parametrize("form", FORMS)
def test_a_search_with_too_many_open_nodes_ends_with_a_lower_bound(form):
    """Three nodes have more children than there are places, with eight parts of other sizes."""
    sizes, groups = list(range(10, 18)), [(3, 3)] * 2
    price = np.linspace(-1, 1, 8)
    least, count = spread(form, (8, sizes, [1] * 8, price, groups), 3)
    assert least <= least_cost(8, sizes, price, groups) + 1e-9
    assert count.sum() == 8


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("counted", [False, True])
def test_prices_and_counts_are_products_of_matrices(form, counted):
    """What units are paid and what they hold, as dense products."""
    rng = np.random.default_rng(0)
    units = sparse.csr_array(rng.integers(0, 3 if counted else 2, (8, 5)))
    amounts = units.data if counted else np.empty(0, np.int64)
    arrays = units.indptr.astype(np.int64), units.indices.astype(np.int32), amounts
    price, placed = rng.normal(size=(5, 3)), rng.random((8, 3))
    of_unit, count = np.empty((8, 3)), np.empty((5, 3))
    getattr(add_prices, form)(*arrays, price, of_unit)
    getattr(count_placed, form)(*arrays, placed, count)
    assert of_unit == pytest.approx(units.toarray() @ price)
    assert count == pytest.approx(units.toarray().T @ placed)
