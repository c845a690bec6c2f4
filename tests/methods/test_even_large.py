"""The method `even` on large data, for which the limits of work are lowered."""

import numpy as np
import pytest

import evenfold
from evenfold.datasets import make_zipf
from evenfold.methods import Even
from evenfold.methods.even.tuning import EFFORTS


@pytest.fixture
def _few_entries(monkeypatch):
    """Take more than 1,000 entries for many."""
    for name in ("normal", "best"):
        monkeypatch.setitem(EFFORTS, name, EFFORTS[name]._replace(most_entries=1000))


@pytest.mark.usefixtures("_few_entries")
@pytest.mark.parametrize("parts", [5, [0.8, 0.1, 0.1]])
def test_a_few_sweeps_make_competing_labels_more_even(parts):
    """Sizes are exact, and labels are more even than by iterative stratification."""
    y = make_zipf(1500, 60, 6, random_state=0)
    s = evenfold.split(y, parts)
    start = evenfold.split(y, parts, method="iterative")
    assert s.quality.ed == s.quality.bound.ed
    assert s.quality.rld < 0.8 * start.quality.rld


@pytest.mark.usefixtures("_few_entries")
def test_a_few_sweeps_bring_labels_that_do_not_compete_to_their_bound():
    """They are there after swaps alone."""
    y = np.random.default_rng(0).random((4000, 4)) < 0.3
    assert evenfold.split(y, 4).quality.excess < 1e-9


@pytest.mark.usefixtures("_few_entries")
def test_a_number_of_seconds_gives_sweeps_that_improve_the_split():
    """Each round has more of them than the one before."""
    y = make_zipf(1500, 60, 6, random_state=1)
    start = evenfold.split(y, 5, method="iterative")
    assert evenfold.split(y, 5, method=Even(effort=0.2)).quality.rld < 0.8 * start.quality.rld


def test_competing_labels_are_improved_from_a_start(monkeypatch):
    """With many labels per row, a start that was given is annealed, and is not worsened."""
    monkeypatch.setattr("evenfold.methods.even.plan.MANY_SWAPS", 0)
    y = make_zipf(400, 150, 12, random_state=2)
    old = evenfold.split(y, 5, method="iterative")
    s = evenfold.split(y, 5, start=old, order=1)
    assert s.quality.rld < old.quality.rld
    assert s.quality.ed == s.quality.bound.ed
