"""sample(): the wanted size, and every label's share."""

import numpy as np
import pytest

import evenfold

Y = np.random.default_rng(0).random((120, 6)) < [0.5, 0.3, 0.2, 0.1, 0.05, 0.05]


@pytest.mark.parametrize(("n", "expected"), [(30, 30), (0.25, 30), (1, 1), (119, 119)])
def test_sample_has_the_size_asked_for(n, expected):
    """A number or a fraction; sorted, without repeats."""
    rows = evenfold.sample(Y, n)
    assert len(rows) == expected
    assert (np.diff(rows) > 0).all()


def test_sample_is_even():
    """Every label within a row of its share."""
    rows = evenfold.sample(Y, 40)
    assert np.abs(Y[rows].sum(axis=0) - Y.sum(axis=0) / 3).max() <= 1


@pytest.mark.parametrize("n", [0, 120, 500, 1.0, 1.5, -3, "10", True])
def test_sample_refuses_impossible_sizes(n):
    """The message has the sizes that are possible, and fitting advice."""
    advice = {120: "Ask for fewer rows", 500: "Ask for fewer rows"}.get(n, r"Try n=0\.1")
    advice = "Write 1 for one row" if isinstance(n, float) and n == 1 else advice
    with pytest.raises(
        TypeError if n == "10" else ValueError,
        match="'n' must be a fraction below 1 or a number of rows below 120, got "
        rf"{n!r}\. {advice}\.",
    ):
        evenfold.sample(Y, n)
