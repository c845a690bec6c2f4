"""`random_state` as an argument."""

import re

import numpy as np
import pytest

from evenfold._checks.seeds import make_rng


def test_the_same_number_gives_the_same_generator():
    """Whole numbers of Python and NumPy alike."""
    first, second = (make_rng(seed).integers(0, 2**60) for seed in (7, np.int64(7)))
    assert first == second
    assert first != make_rng(8).integers(0, 2**60)


def test_a_generator_is_used_as_it_is():
    """So that drawing from it goes on."""
    rng = np.random.default_rng(0)
    assert make_rng(rng) is rng


def test_a_random_state_of_numpy_seeds_a_generator():
    """Equal states give equal generators."""
    first, second = (make_rng(np.random.RandomState(3)).random() for _ in range(2))
    assert first == second


def test_none_draws_a_new_seed():
    """Two generators differ."""
    assert make_rng(None).integers(0, 2**60) != make_rng(None).integers(0, 2**60)


@pytest.mark.parametrize(
    ("random_state", "error", "message"),
    [
        (-1, ValueError, "'random_state' must be 0 or more, got -1. Take another number, or None"),
        ("1", TypeError, "'random_state' must be a whole number, a NumPy generator or None, got "),
        (True, TypeError, "generator or None, got bool. Try random_state=0."),
        (0.5, TypeError, "generator or None, got float. Try random_state=0."),
    ],
)
def test_other_random_states_are_refused(random_state, error, message):
    """Negative numbers, and what is neither a number nor a generator."""
    with pytest.raises(error, match=re.escape(message)):
        make_rng(random_state)
