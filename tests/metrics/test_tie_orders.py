"""Orders of equal scores in ranking loss, one-error and coverage."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from evenfold import metrics
from evenfold.exceptions import InputError
from evenfold.metrics import METRICS

from .. import naive

FUNCTIONS = (metrics.ranking_loss, metrics.one_error, metrics.coverage)
ROWS = st.lists(st.tuples(st.booleans(), st.integers(-1, 1)), min_size=1, max_size=5)


@settings(max_examples=100, deadline=None)
@given(ROWS, st.integers(0, 99))
def test_values_are_those_over_all_orders(row, seed):
    """The worst is the largest value, the average the mean, a random one is among them."""
    is_true, scores = (np.array([column]) for column in zip(*row, strict=True))
    found = naive.rankings_of_row(is_true[0], scores[0])
    drawn = []
    for number, function in enumerate(FUNCTIONS):
        values = [order[number] for order in found]
        for form in (np.asarray, sparse.csr_array):
            own = form(scores.astype(float))
            assert function(is_true, own, ties="worst") == pytest.approx(float(max(values)))
            assert function(is_true, own, ties="average") == pytest.approx(
                float(sum(values) / len(values))
            )
            drawn.append(function(is_true, own, ties="random", random_state=seed))
    assert drawn[::2] == drawn[1::2]
    assert any(np.allclose(drawn[::2], np.array(order, float)) for order in found), (
        "the three metrics have one order"
    )


@pytest.mark.parametrize("n_true", [1, 2, 3])
def test_random_orders_are_equally_probable(n_true):
    """Over 20,000 equal rows, each value is as frequent as among all orders."""
    is_true, scores = np.arange(5) < n_true, np.array([1, 1, 1, 1, 2])
    found = naive.rankings_of_row(is_true, scores)
    table, many = np.tile(is_true, (20_000, 1)), np.tile(scores, (20_000, 1))
    for number, name in enumerate(("ranking_losses", "one_errors", "coverages")):
        own = getattr(metrics.rankings, name)(table, many, ties="random")
        values = np.array([float(order[number]) for order in found])
        for value in np.unique(values):
            assert np.isclose(own, value).mean() == pytest.approx(
                np.mean(values == value), abs=0.015
            )


@pytest.mark.parametrize("function", FUNCTIONS)
def test_random_orders_depend_on_the_seed_alone(function, monkeypatch):
    """They are equal for dense and sparse scores, in any blocks, and differ between seeds."""
    rng = np.random.default_rng(0)
    truth, scores = rng.integers(0, 2, (200, 6)), rng.integers(0, 3, (200, 6)).astype(float)
    value = function(truth, scores, ties="random")
    assert value == function(truth, sparse.csr_array(scores), ties="random", random_state=0)
    monkeypatch.setattr("evenfold.metrics.ties.MAX_CELLS_PER_BLOCK", 100)
    assert value == function(truth, scores, ties="random")
    values = [function(truth, scores, ties="random", random_state=seed) for seed in range(30)]
    assert len(set(values)) > 5
    assert np.mean(values) == pytest.approx(function(truth, scores, ties="average"), rel=0.05)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_order_has_a_name(function):
    """The worst is the default, the average that of one-error; others are at the end of the name.

    A random order is that of the seed 0, and the same in resampled rows.
    """
    rng = np.random.default_rng(1)
    truth, scores = rng.integers(0, 2, (50, 4)), rng.integers(0, 2, (50, 4))
    default = "average" if function is metrics.one_error else "worst"
    values = []
    for ties in ("worst", "average", "random"):
        name = function.__name__ + (f"_{ties}_ties" if ties != default else "")
        value = METRICS[name].function(truth, scores)
        assert value == function(truth, scores, ties=ties)
        once = METRICS[name].resample(truth, scores, np.ones((50, 1), int))
        assert once == pytest.approx([value])
        values.append(value)
    assert function(truth, scores) in values[:2]
    assert values[0] > values[1] != values[2]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_ties_must_be_one_of_three_names(function):
    """The message lists them."""
    with pytest.raises(
        InputError, match=r"'ties' must be one of worst, average, random, got 'best'\. Take one"
    ):
        function([[1, 0]], [[1, 0]], ties="best")
    with pytest.raises(InputError, match=r"'random_state' must be 0 or more, got -1"):
        function([[1, 0]], [[1, 0]], ties="random", random_state=-1)
