"""even on amounts alone: `y=None` with a matrix or a mapping of numbers."""

import time

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import evenfold
from evenfold.methods import Even

from ..checks import check_groups_whole
from .test_assignment import find_spread, make_amounts


def split_by(values, parts, **keywords):
    """Return the between-part sum of squares of a split by amounts alone."""
    s = evenfold.split(balance=values, parts=parts, **keywords)
    return find_spread(np.asarray(values), s.part_of_row)


@pytest.mark.parametrize("parts", [4, 25])
def test_swaps_bring_means_closer_than_assignment(parts):
    """Each effort at least as close as the one below, all closer than the start."""
    values = make_amounts(1000)
    start = split_by(values, parts, method="assignment")
    fast, normal, best = (split_by(values, parts, effort=e) for e in ("fast", "normal", "best"))
    assert best <= normal <= fast <= start
    assert normal < 0.9 * start


def test_a_matrix_and_a_mapping_give_the_same_split():
    """In every form, with and without labels, missing numbers included."""
    values = make_amounts(300, 3)
    values[::7, 1] = np.nan
    y = np.random.default_rng(1).random((300, 4)) < 0.3
    mapping = {f"column {at}": column for at, column in enumerate(values.T)}
    forms = [
        mapping,
        {name: column.tolist() for name, column in mapping.items()},
        pd.DataFrame(mapping),
        values.tolist(),
    ]
    for labels in (None, y):
        expected = evenfold.split(labels, 5, balance=values).part_of_row
        for form in forms:
            found = evenfold.split(labels, 5, balance=form).part_of_row
            assert np.array_equal(found, expected)


def test_a_constant_more_for_all_rows_changes_nothing_that_counts():
    """Negative numbers are as good as positive ones."""
    values = make_amounts(600, 3)
    assert values.min() < 0
    for own in (values, values - values.min(axis=0), values + 2000):
        s = evenfold.split(balance=own, parts=6)
        assert find_spread(values, s.part_of_row) < 0.002
        assert (s.sizes == 100).all()


def test_unequal_parts_have_equal_means():
    """Parts of 80, 15 and 5 %."""
    values = make_amounts(2000, 3)
    s = evenfold.split(balance=values, parts=[0.8, 0.15, 0.05])
    assert s.sizes.tolist() == [1600, 300, 100]
    random = split_by(values, [0.8, 0.15, 0.05], method="random")
    assert find_spread(values, s.part_of_row) < 0.01 * random


def test_missing_numbers_and_categories_beside_amounts_are_even():
    """Without labels too."""
    rng = np.random.default_rng(2)
    age, sex = rng.normal(50, 15, 400), rng.choice(["f", "m"], 400)
    age[:100] = np.nan
    s = evenfold.split(balance={"age": age, "sex": sex}, parts=4)
    assert np.ptp(np.bincount(s.part_of_row[:100])) <= 1
    assert np.ptp(np.bincount(s.part_of_row[sex == "f"])) <= 1
    means = [np.nanmean(age[part]) for part in s]
    assert np.ptp(means) < 0.1


def test_bins_of_few_numbers_are_even_after_their_totals():
    """Unless only totals are asked for, by order 1, or there are many numbers."""
    rng = np.random.default_rng(5)
    few = {"age": rng.normal(50, 15, 500), "income": rng.exponential(size=500)}
    many = {**few, **{f"column {at}": rng.normal(size=500) for at in range(3)}}
    for balance, order, is_even in ((few, None, True), (few, 1, False), (many, None, False)):
        s = evenfold.split(balance=balance, parts=5, order=order)
        rld = dict(zip(s.quality.per_balance.criterion, s.quality.per_balance.rld, strict=True))
        assert (max(rld["age: bins"], rld["income: bins"]) < 0.02) == is_even
        assert max(rld["age: total"], rld["income: total"]) < 0.002


def test_groups_fixed_rows_and_a_start_are_kept():
    """Groups stay whole, fixed rows stay, and a start gets no worse."""
    values = make_amounts(600, 3)
    groups = np.random.default_rng(3).integers(0, 200, 600)
    s = evenfold.split(balance=values, parts=4, groups=groups)
    check_groups_whole(s, groups)
    by_chance = evenfold.split(balance=values, parts=4, groups=groups, method="random")
    assert find_spread(values, s.part_of_row) < 0.1 * find_spread(values, by_chance.part_of_row)
    assert np.ptp(s.sizes) <= 2
    fixed = np.where(np.arange(600) < 100, 0, -1)
    s = evenfold.split(balance=values, parts=4, fixed=fixed)
    assert (s.part_of_row[:100] == 0).all()
    assert s.sizes.tolist() == [150] * 4
    start = evenfold.split(balance=values, parts=4, method="assignment").part_of_row
    s = evenfold.split(balance=values, parts=4, start=start)
    assert find_spread(values, s.part_of_row) <= find_spread(values, start)


def test_a_start_of_other_sizes_gets_the_wanted_ones():
    """Also if all of its rows are in one part."""
    values = np.random.default_rng(0).random(100)
    for start in (np.full(100, 2), np.arange(100) % 3):
        s = evenfold.split(balance={"age": values}, parts=[0.5, 0.25, 0.25], start=start)
        assert s.sizes.tolist() == [50, 25, 25]


def test_very_many_units_start_from_a_random_split(monkeypatch):
    """Swaps alone come as close; groups keep their sizes."""
    values = make_amounts(1000, 2)
    groups = np.arange(1000) // 2
    usual = split_by(values, 4)
    monkeypatch.setattr("evenfold.methods.even.amounts._MOST_ASSIGNMENT_STEPS", 0)
    s = evenfold.split(balance=values, parts=4)
    assert s.sizes.tolist() == [250] * 4
    assert find_spread(values, s.part_of_row) < 5 * usual + 1e-5
    s = evenfold.split(balance=values, parts=4, groups=groups)
    assert s.sizes.tolist() == [250] * 4


def test_seconds_are_used_and_progress_is_told():
    """A number of seconds comes at least as close as "fast"; progress ends at 1."""
    values, told = make_amounts(500), []
    fast = split_by(values, 10, effort="fast")
    began = time.monotonic()
    assert split_by(values, 10, method=Even(effort=0.5, progress=told.append)) <= fast
    assert time.monotonic() - began >= 0.5
    assert told == sorted(told) or len(told) > 2
    assert told[-1] == 1.0


@pytest.mark.parametrize(
    "values",
    [np.ones((20, 2)), np.zeros((20, 1)), sparse.csr_array(np.eye(20))],
    ids=["the same for all rows", "nothing", "one row each"],
)
def test_amounts_with_nothing_to_balance_are_split(values):
    """Sizes are exact all the same."""
    assert evenfold.split(balance=values, parts=4).sizes.tolist() == [5] * 4


def test_amounts_that_can_be_equal_are_equal():
    """Also with seconds, which are not spent where nothing is left to gain."""
    values = [[1, 0.5], [1, 0.0], [1, 0.5], [1, 0.0]] * 10
    for effort in ("normal", 600):
        assert evenfold.split(balance=values, parts=2, effort=effort).quality.residual == 0


def test_years_are_balanced_as_finely_as_small_numbers():
    """Large numbers that differ little."""
    rng = np.random.default_rng(4)
    years = rng.normal(2005, 10, (1000, 1)).round()
    assert split_by(years, 5) < 1e-3
