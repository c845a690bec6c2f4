"""Parts: shares as whole numbers, sizes by largest remainder."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenfold.exceptions import ImpossibleSplit
from evenfold.problem.parts import check_parts, check_parts_and_holdout, share_out


@pytest.mark.parametrize(
    ("parts", "n_rows", "weights"),
    [
        (3, 10, [1, 1, 1]),
        (np.int64(3), 10, [1, 1, 1]),
        ([0.7, 0.15, 0.15], 100, [14, 3, 3]),
        ([1 / 3, 2 / 3], 100, [1, 2]),
        (np.array([0.8, 0.2]), 10, [4, 1]),
        ((0.1,) * 10, 100, [1] * 10),
        ([7, 3], 10, [7, 3]),
        ([7.0, 3.0], 10, [7, 3]),
        ([1, 1], 2, [1, 1]),
        ([1 / 3, 2 / 7, 1 - 1 / 3 - 2 / 7], 100, [7, 6, 8]),
        ([6e-7, 1 - 6e-7], 10**7, [3, 4_999_997]),
        ([0.000000001, 0.999999999], 10**9, [1, 999_999_999]),
    ],
)
def test_shares_become_whole_numbers(parts, n_rows, weights):
    """Fractions as people write them are exact."""
    assert check_parts(parts, n_rows).weights.tolist() == weights


@pytest.mark.parametrize(("share", "n_rows", "size"), [(6e-7, 10**7, 6), (4e-7, 3 * 10**6, 1)])
def test_small_shares_are_not_rounded(share, n_rows, size):
    """A part and a holdout of less than a millionth have their rows."""
    for parts in (
        check_parts([1 - share, share], n_rows),
        check_parts_and_holdout(2, share, n_rows),
    ):
        assert share_out(n_rows, parts, np.random.default_rng(0))[-1] == size


def test_the_smallest_share_has_a_weight():
    """Also where it is rounded, so that the part is named if it gets no row."""
    for parts in (
        check_parts([1 - 1e-13, 1e-13], 10),
        check_parts_and_holdout([1 / 3, 2 / 3], 1e-13, 10**6),
    ):
        assert parts.weights.min() == 1
        with pytest.raises(ImpossibleSplit, match="'parts' must leave every part a row"):
            share_out(10, parts, np.random.default_rng(0))


@pytest.mark.parametrize("seed", range(5))
def test_a_part_may_have_no_more_fixed_rows_than_its_share_rounded_up(seed):
    """11 rows in halves: 6 fit, 7 are one too many."""
    parts, rng = check_parts([0.5, 0.5], 11), np.random.default_rng(seed)
    for n_fixed, sizes in (([5, 0], {(5, 6), (6, 5)}), ([6, 0], {(6, 5)}), ([6, 5], {(6, 5)})):
        assert tuple(share_out(11, parts, rng, np.array(n_fixed)).tolist()) in sizes
    message = "'fixed' must leave every part its size, got 7 rows for 'train', which is to have 6"
    with pytest.raises(ImpossibleSplit, match=message):
        share_out(11, parts, rng, np.array([7, 0]))
    assert share_out(11, parts, rng, np.array([7, 0]), may_outgrow=True).tolist() == [7, 4]


def test_awkward_fractions_keep_their_size():
    """Shares that are no simple fractions are kept to nine digits."""
    shares = np.random.default_rng(0).dirichlet(np.ones(6))
    assert check_parts(shares, 1000).shares == pytest.approx(shares, abs=1e-8)


@pytest.mark.parametrize(
    ("parts", "names"),
    [
        ([0.5, 0.5], ("train", "test")),
        ([0.5, 0.25, 0.25], ("train", "val", "test")),
        ([0.25] * 4, ("fold0", "fold1", "fold2", "fold3")),
        (2, ("fold0", "fold1")),
        (3, ("fold0", "fold1", "fold2")),
    ],
)
def test_default_names(parts, names):
    """Sizes make train and test, a number makes folds."""
    assert check_parts(parts, 12).names == names


@given(
    n_rows=st.integers(1, 5000),
    weights=st.lists(st.integers(1, 50), min_size=2, max_size=8),
    seed=st.integers(0, 100),
)
def test_sizes_sum_to_the_rows_and_are_within_one_of_their_share(n_rows, weights, seed):
    """Largest remainder, whatever the shares."""
    parts = check_parts([weight / sum(weights) for weight in weights], max(n_rows, 8))
    if min(parts.shares) * n_rows < 1:
        return
    sizes = share_out(n_rows, parts, np.random.default_rng(seed))
    assert sizes.sum() == n_rows
    assert (np.abs(sizes - n_rows * parts.shares) < 1).all()


def test_the_larger_remainder_gets_the_row():
    """10 rows at .33/.33/.34: 3.3, 3.3, 3.4."""
    parts = check_parts([0.33, 0.33, 0.34], 10)
    for seed in range(10):
        assert share_out(10, parts, np.random.default_rng(seed)).tolist() == [3, 3, 4]


def test_equal_remainders_are_served_in_turn():
    """13 rows over five folds: each is one of the three larger ones in three of five seeds."""
    parts = check_parts(5, 13)
    larger = sum(share_out(13, parts, np.random.default_rng(seed)) == 3 for seed in range(500))
    assert larger.sum() == 1500
    assert larger.min() > 240
    assert larger.max() < 360
