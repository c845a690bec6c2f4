"""What every method promises, each line of its notes as a property."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import evenfold
from evenfold.methods import METHODS, OptiSplit, Random, Svd
from evenfold.problem.labelsets import number_labelsets

from .checks import (
    EXACT,
    check_groups_whole,
    check_labelsets_dealt,
    check_partition,
    check_sizes,
)
from .strategies import label_matrices, part_weights

EVERY = [
    *METHODS,
    OptiSplit(measure="ld"),
    Random(tries=3),
    Svd(tries=1),
]

every_method = pytest.mark.parametrize("method", EVERY, ids=str)
small = settings(max_examples=40, deadline=None)


def make_split(y, weights, **keywords):
    """Split by shares given as whole numbers, or not at all where a part would be empty."""
    shares = [weight / sum(weights) for weight in weights]
    assume(len(y) >= len(weights) and min(shares) * len(y) >= 1)
    return evenfold.split(y, shares if len(set(weights)) > 1 else len(weights), **keywords), shares


def make_groups(n_rows, seed, largest=3):
    """Return groups of one to a few rows, scattered."""
    rng = np.random.default_rng(seed)
    return rng.permutation(
        np.repeat(np.arange(n_rows), rng.integers(1, largest + 1, n_rows))[:n_rows]
    )


@every_method
@small
@given(y=label_matrices(min_rows=4), weights=part_weights(), seed=st.integers(0, 99))
def test_every_row_is_in_exactly_one_part(method, y, weights, seed):
    """For any labels and shares."""
    s, _ = make_split(y, weights, method=method, random_state=seed)
    check_partition(s, len(y))


@every_method
@small
@given(
    y=label_matrices(min_rows=12, max_rows=40),
    weights=part_weights(max_parts=3),
    seed=st.integers(0, 99),
)
def test_groups_are_never_cut(method, y, weights, seed):
    """Whatever the method and shares."""
    groups = make_groups(len(y), seed)
    assume(min(weights) / sum(weights) * len(y) >= 3)
    s, _ = make_split(y, weights, method=method, groups=groups, random_state=seed)
    check_partition(s, len(y))
    check_groups_whole(s, groups.tolist())


@pytest.mark.parametrize("method", EXACT)
@small
@given(y=label_matrices(min_rows=4), weights=part_weights(), seed=st.integers(0, 99))
def test_sizes_are_exact_without_groups(method, y, weights, seed):
    """Every part is within one row of its share, and is what largest remainders give."""
    s, shares = make_split(y, weights, method=method, random_state=seed)
    check_sizes(s, shares)
    assert s.quality.ed == pytest.approx(s.quality.bound.ed)


@pytest.mark.parametrize("method", EXACT)
@small
@given(y=label_matrices(min_rows=20, max_rows=60), seed=st.integers(0, 99))
def test_sizes_are_near_with_groups(method, y, seed):
    """With small groups among the large, no part is off by more than the largest group."""
    groups = make_groups(len(y), seed)
    s = evenfold.split(y, [0.6, 0.4], method=method, groups=groups, random_state=seed)
    assert np.abs(s.sizes - len(y) * np.array([0.6, 0.4])).max() <= 3


@every_method
def test_no_part_is_left_empty_by_large_groups(method):
    """Parts of 13, 2 and 1 rows from groups of 5, 5, 5 and 1."""
    s = evenfold.split(
        np.ones((16, 1)), [13, 2, 1], method=method, groups=[0] * 5 + [1] * 5 + [2] * 5 + [3]
    )
    assert (s.sizes > 0).all()


@every_method
@small
@given(y=label_matrices(min_rows=6), seed=st.integers(0, 99))
def test_one_seed_one_split(method, y, seed):
    """The same call gives the same split, the same generator state too."""
    a = evenfold.split(y, 3, method=method, random_state=seed)
    b = evenfold.split(y, 3, method=method, random_state=np.random.default_rng(seed))
    assert np.array_equal(a.part_of_row, b.part_of_row)


@every_method
def test_another_seed_another_split(method):
    """Other seeds give other splits, and None a new one each time."""
    y = np.random.default_rng(0).random((200, 5)) < 0.3
    splits = {
        evenfold.split(y, 4, method=method, random_state=seed).part_of_row.tobytes()
        for seed in (0, 1, 2, None, None)
    }
    assert len(splits) == 5


@every_method
@small
@given(y=label_matrices(min_rows=6), seed=st.integers(0, 99), groups=st.booleans())
def test_the_order_of_labels_does_not_matter(method, y, seed, groups):
    """Columns in another order, and empty ones between them, give the same split."""
    own = make_groups(len(y), seed, largest=2) if groups else None
    shuffled = np.random.default_rng(seed).permutation(y.T).T
    padded = np.insert(shuffled, 0, 0, axis=1)
    a = evenfold.split(y, 3, method=method, random_state=seed, groups=own)
    b = evenfold.split(padded, 3, method=method, random_state=seed, groups=own)
    assert np.array_equal(a.part_of_row, b.part_of_row)


@small
@given(y=label_matrices(min_rows=6, max_rows=60), weights=part_weights(), seed=st.integers(0, 99))
def test_labelset_keeps_every_labelset_within_two_rows_of_its_share(y, weights, seed):
    """Less than a row is carried over from one labelset to the next, either way."""
    s, _ = make_split(y, weights, method="labelset", random_state=seed)
    check_labelsets_dealt(s, y)


@small
@given(y=label_matrices(max_rows=40))
def test_labelsets_are_numbered_as_rows_are_equal(y):
    """By first appearance; equal number, equal rows."""
    labels = evenfold.labels.make_labels(y)
    number = number_labelsets(labels.indptr, labels.indices, np.empty(0, np.int64))
    seen = {}
    assert number.tolist() == [seen.setdefault(tuple(row), len(seen)) for row in y.tolist()]


def test_labelsets_with_amounts_differ_where_amounts_do():
    """Twice the same label is another set than once."""
    indptr, indices = np.array([0, 1, 2, 4, 6]), np.array([0, 0, 0, 1, 0, 1], np.int32)
    assert number_labelsets(indptr, indices, np.array([1, 2, 1, 2, 2, 1])).tolist() == [0, 1, 2, 3]


def test_iterative_spreads_a_rare_label_with_every_seed():
    """Five rows of a label over five parts: one row per part."""
    y = np.zeros((100, 3), dtype=int)
    y[:50, 0], y[30:70, 1], y[::20, 2] = 1, 1, 1
    for seed in range(20):
        assert (
            evenfold.split(y, 5, method="iterative", random_state=seed).quality.per_label.rld[2]
            == 0
        )


def test_iterative_places_rows_without_labels_where_rows_are_missing():
    """The sizes are exact, though only two of 100 rows have a label."""
    y = [["a"]] * 2 + [[]] * 98
    s = evenfold.split(y, [0.5, 0.5], method="iterative")
    assert s.sizes.tolist() == [50, 50]


def test_iterative_does_not_send_the_fullest_rows_to_the_largest_part():
    """Two parts of unequal size have about the same number of labels per row."""
    y = np.random.default_rng(0).random((3000, 20)) < 0.15
    s = evenfold.split(y, [2 / 3, 1 / 3], method="iterative")
    per_row = [y[part].sum() / len(part) for part in s]
    assert per_row[0] == pytest.approx(per_row[1], rel=0.03)
    assert s.quality.ed < 30


def test_iterative_takes_shares_as_they_are():
    """0.1, 0.2, 0.7 of ten rows of one label give 1, 2 and 7 rows: shares are not rounded."""
    for seed in range(10):
        s = evenfold.split([["a"]] * 10, [0.1, 0.2, 0.7], method="iterative", random_state=seed)
        assert s.sizes.tolist() == [1, 2, 7]


def test_unknown_labels_are_spread_too():
    """Where a label is unknown in half the rows, known and unknown rows are both shared out."""
    rng = np.random.default_rng(0)
    y = (rng.random((400, 3)) < 0.3).astype(float)
    y[rng.random(400) < 0.5, 1] = np.nan
    s = evenfold.split(y, 4)
    unknown = np.bincount(s.part_of_row[np.isnan(y[:, 1])], minlength=4)
    assert np.ptp(unknown) <= 6
    assert s.quality.rld < evenfold.split(y, 4, method="random").quality.rld / 2


def test_leave_one_out():
    """As many parts as rows."""
    y = np.random.default_rng(0).random((60, 4)) < 0.3
    for method in EXACT:
        assert evenfold.split(y, 60, method=method).sizes.tolist() == [1] * 60
