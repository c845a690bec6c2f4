"""assignment: batches, exact sizes, labels and amounts."""

import numpy as np
import pytest

import evenfold
from evenfold import datasets
from evenfold.methods import Assignment

from ..checks import check_groups_whole, check_partition


def find_spread(values, part_of_row):
    """Return the between-part sum of squares of standardised columns."""
    values = (values - values.mean(axis=0)) / values.std(axis=0)
    means = np.array([values[part_of_row == j].mean(axis=0) for j in np.unique(part_of_row)])
    return float((np.bincount(part_of_row) * (means**2).sum(axis=1)).sum())


def make_amounts(n_rows=400, n_columns=5, seed=0):
    """Return skewed amounts, some of them below 0."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n_rows, n_columns))
    values[:, 0] = rng.exponential(size=n_rows)
    return values


@pytest.mark.parametrize("n_parts", [4, 10, 50])
def test_each_batch_of_amounts_has_one_row_of_each_part(n_parts):
    """Rows by their distance from the mean, farthest first, as published."""
    directions = np.random.default_rng(0).normal(size=(60, 2))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    values = directions * np.linspace(1, 4, 60)[:, None]
    values = np.concatenate((values, -values))
    s = evenfold.split(balance=values, parts=n_parts, method="assignment")
    standardised = (values - values.mean(axis=0)) / values.std(axis=0)
    order = np.argsort(-(standardised**2).sum(axis=1))
    for start in range(0, len(order) - n_parts + 1, n_parts):
        batch = s.part_of_row[order[start : start + n_parts]]
        assert sorted(batch) == list(range(n_parts))
    last = s.part_of_row[order[len(order) // n_parts * n_parts :]]
    assert len(set(last)) == len(last)


@pytest.mark.parametrize("n_parts", [2, 10, 100])
def test_amounts_are_far_more_even_than_by_chance(n_parts):
    """One pass, between-part sum of squares."""
    values = make_amounts(1000)
    found = evenfold.split(balance=values, parts=n_parts, method="assignment")
    by_chance = evenfold.split(balance=values, parts=n_parts, method="random")
    limit = 0.3 if n_parts == 100 else 0.02
    assert find_spread(values, found.part_of_row) < limit * find_spread(
        values, by_chance.part_of_row
    )


@pytest.mark.parametrize("parts", [5, 10, 50])
def test_labels_are_more_even_than_by_iterative_in_one_pass(parts):
    """The rLD over several seeds, on rare and on common labels."""
    for y in (
        datasets.make_zipf(2000, 300, 5, random_state=0),
        datasets.make_exponential(2000, 40, 8, random_state=1),
    ):
        found, iterative = (
            np.mean(
                [
                    evenfold.split(y, parts, method=method, random_state=seed).quality.rld
                    for seed in range(3)
                ]
            )
            for method in ("assignment", "iterative")
        )
        assert found < iterative


@pytest.mark.parametrize("parts", [[0.98, 0.01, 0.01], [0.8, 0.1, 0.1], [700, 299, 1], 300])
def test_sizes_are_exact_for_any_parts(parts):
    """With labels and with amounts, for one tiny part and for very many."""
    y = datasets.make_zipf(1000, 100, 4, random_state=2)
    for keywords in ({"y": y}, {"balance": make_amounts(1000)}):
        s = evenfold.split(parts=parts, method="assignment", **keywords)
        check_partition(s, 1000)
        assert s.quality.ed == pytest.approx(s.quality.bound.ed)


def test_one_row_of_a_rare_label_in_each_part():
    """A label of as many rows as parts; a common label beside it."""
    y = np.zeros((200, 2), int)
    y[::40, 0], y[::2, 1] = 1, 1
    for seed in range(10):
        s = evenfold.split(y, 5, method="assignment", random_state=seed)
        assert s.quality.excess == 0


def test_fixed_rows_stay_and_count():
    """The other rows make up for what fixed rows have too much of."""
    y = np.zeros((100, 1), int)
    y[:20] = 1
    fixed = np.full(100, -1)
    fixed[:10] = 0
    s = evenfold.split(y, 2, fixed=fixed, method="assignment")
    assert (s.part_of_row[:10] == 0).all()
    assert np.bincount(s.part_of_row[:20]).tolist() == [10, 10]
    assert s.sizes.tolist() == [50, 50]
    everything = np.arange(100) % 2
    s = evenfold.split(y, 2, fixed=everything, method="assignment")
    assert np.array_equal(s.part_of_row, everything)


def test_labels_and_amounts_are_even_together():
    """Labels about as even as alone, amounts far more even than without."""
    y = datasets.make_exponential(1500, 20, 4, random_state=3)
    values = make_amounts(1500, 2)
    alone = evenfold.split(y, 5, method="assignment")
    both = evenfold.split(y, 5, balance=values, method="assignment")
    assert both.quality.rld < 2 * alone.quality.rld
    assert find_spread(values, both.part_of_row) < 0.1 * find_spread(values, alone.part_of_row)
    assert both.quality.ed == alone.quality.ed


def test_groups_of_amounts_and_of_labels():
    """Whole groups, sizes as near as groups allow, more even than by chance."""
    y, groups = datasets.make_patients(900, 250, 12, random_state=5)
    values = make_amounts(900, 3)
    for keywords in ({"y": y}, {"balance": values}, {"y": y, "balance": values}):
        s = evenfold.split(parts=5, groups=groups, method="assignment", **keywords)
        check_groups_whole(s, groups)
        assert np.ptp(s.sizes) <= 3
    s = evenfold.split(y, 5, groups=groups, method="assignment")
    by_chance = evenfold.split(y, 5, groups=groups, method="random")
    assert s.quality.rld < 0.5 * by_chance.quality.rld


def test_very_many_parts_are_placed_in_batches_of_some_of_them(monkeypatch):
    """Sizes stay exact where a batch covers only some of the parts."""
    monkeypatch.setattr("evenfold.methods.assignment._MANY_STEPS", 1e5)
    monkeypatch.setattr("evenfold.methods.assignment._MAX_PARTS_OF_BATCH", 8)
    values = make_amounts(330)
    s = evenfold.split(balance=values, parts=60, method="assignment")
    assert sorted(set(s.sizes)) == [5, 6]
    by_chance = evenfold.split(balance=values, parts=60, method="random")
    assert find_spread(values, s.part_of_row) < 0.6 * find_spread(values, by_chance.part_of_row)


def test_order_two_keeps_pairs_even_too():
    """Label pairs come after labels."""
    y = datasets.make_exponential(1000, 12, 4, random_state=6)
    one, two = (
        np.mean(
            [
                evenfold.split(
                    y, 5, method=Assignment(order=order), random_state=seed
                ).quality.rld_pairs
                for seed in range(3)
            ]
        )
        for order in (1, 2)
    )
    assert two < one


def test_steps_grow_with_entries_and_parts():
    """By which `compare` skips what would take too long."""
    method = Assignment()
    assert method.count_steps(10, 50, 5, 4) < method.count_steps(10, 50, 5, 8)
    assert method.count_steps(10, 50, 5, 4) < method.count_steps(10, 90, 5, 4)
