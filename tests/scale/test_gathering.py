"""What is gathered keeps to the budget, and quotas of sections add up to even totals."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenfold.problem.criteria import Level
from evenfold.scale.gathering import Ladder, find_gathered, find_limit, find_rarity, place_gathered
from evenfold.scale.sections import Section, list_partitions, make_buckets, make_sections
from evenfold.scale.target import Target
from evenfold.scale.units import Units, stack_units


def gathered_at(limit, rarity, entries):
    """Return the entries that are gathered on average."""
    return sum(e * min(1.0, limit / m) for m, e in zip(rarity, entries, strict=True))


def search_limit(rarity, entries, budget):
    """Return the largest limit that keeps to the budget, by bisection."""
    low, high = 0.0, float(max(rarity))
    for _ in range(100):
        middle = (low + high) / 2
        if gathered_at(middle, rarity, entries) <= budget:
            low = middle
        else:
            high = middle
    return low


@given(
    steps=st.dictionaries(st.integers(1, 50), st.integers(1, 40), min_size=1, max_size=8),
    budget=st.integers(0, 200),
)
@settings(max_examples=200, deadline=None)
def test_limit_is_the_largest_within_the_budget(steps, budget):
    """It is that of a search; there is none if all entries are within the budget."""
    rarity = sorted(steps)
    entries = [steps[each] for each in rarity]
    found = find_limit(np.array(rarity, np.int64), np.array(entries, np.float64), budget)
    if budget >= sum(entries):
        assert found == np.inf
    else:
        assert found == pytest.approx(search_limit(rarity, entries, budget))


@given(
    large=st.dictionaries(st.integers(10, 99), st.integers(1, 40), max_size=8),
    budget=st.integers(0, 200),
)
@settings(max_examples=100, deadline=None)
def test_large_groups_take_half_of_the_budget(large, budget):
    """The largest ones are placed first, as many as half of the budget allows, but one at least."""
    rows, entries = np.array(list(large), np.int64), np.array(list(large.values()), np.float64)
    none = np.empty(0)
    step = {"rarity": none, "entries": none, "large": rows, "large_entries": entries}
    least = Ladder([step]).find_large(budget)
    assert (least == 0) == (not large)
    if large:
        taken = sum(large[each] for each in large if each >= least)
        assert taken <= budget / 2 or least == max(large)
        smaller = [each for each in large if each < least]
        if smaller:
            assert taken + large[max(smaller)] > budget / 2


def make_target(y, n_parts=3, **changes):
    """Return what rows with these labels must reach."""
    n_rows, n_labels = y.shape
    about = {
        "weights": np.ones(n_parts, np.int64),
        "sizes": np.bincount(np.arange(n_rows) % n_parts, minlength=n_parts),
        "level": np.full(n_labels, Level.LABELS, np.int64),
        "is_amount": np.zeros(n_labels, bool),
        "total": y.sum(axis=0),
        "held": np.zeros((n_labels, n_parts), np.int64),
        "held_rows": np.zeros(n_parts, np.int64),
        "n_units": y.sum(axis=0),
        "cover": None,
        "seed": 0,
    }
    return Target(**(about | changes))


def make_units(y, fixed=None):
    """Return rows as units."""
    indptr = np.concatenate(([0], np.cumsum(y.sum(axis=1)))).astype(np.int64)
    fixed = np.empty(0, np.int32) if fixed is None else fixed
    none = np.empty(0, np.int64)
    return Units(indptr, np.nonzero(y)[1].astype(np.int32), none, np.ones(len(y), np.int64), fixed)


@pytest.fixture
def y():
    """Return labels of different frequencies, one of most rows, one of all and one of none."""
    rng = np.random.default_rng(8)
    rates = [1.0, 0.9, 0.5, 0.3, 0.1, 0.05, 0.01, 0.005, 0.0]
    return (rng.random((4000, len(rates))) < rates).astype(int)


@pytest.mark.parametrize("share", [0.02, 0.1, 0.5])
def test_gathered_entries_keep_to_the_budget(y, share):
    """Over several seeds, entries of gathered rows are the budget on average."""
    units, entries = make_units(y), y.sum()
    target = make_target(y)
    rarity, number = np.unique(find_rarity(units, target), return_inverse=True)
    limit = find_limit(rarity, np.bincount(number, units.lengths), share * entries)
    found = [
        units.take(find_gathered(units, make_target(y, seed=seed), Section(0), limit))
        for seed in range(30)
    ]
    assert np.mean([len(own.indices) for own in found]) == pytest.approx(share * entries, rel=0.03)


def test_gathered_rows_are_those_with_rare_labels(y):
    """Rows of the rarest label are gathered; of a label with m rows, about the limit are."""
    units, target = make_units(y), make_target(y)
    gathered = find_gathered(units, target, Section(0), 60.0)
    for label in (6, 7):
        if y[:, label].sum() <= 60:
            assert gathered[y[:, label] == 1].all()
    lacks = y[:, 1] == 0
    assert gathered[lacks].sum() > 30


def test_fixed_units_are_never_gathered(y):
    """A unit that may not move is not gathered, whatever the limit."""
    fixed = np.where(np.arange(len(y)) % 5 == 0, 1, -1).astype(np.int32)
    units = make_units(y, fixed)
    target = make_target(y)
    gathered = find_gathered(units, target, Section(0), np.inf)
    assert not gathered[fixed >= 0].any()
    assert gathered[fixed < 0].all()


def test_gathering_depends_on_seed_and_section_alone(y):
    """Every pass draws the same rows; another section or seed draws others."""
    units, target = make_units(y), make_target(y)
    first = find_gathered(units, target, Section(3), 50.0)
    assert (find_gathered(units, target, Section(3), 50.0) == first).all()
    assert (find_gathered(units, target, Section(2), 50.0) != first).any()
    assert (find_gathered(units, make_target(y, seed=1), Section(3), 50.0) != first).any()


def test_gathered_units_fill_what_is_missing(y):
    """The parts have their sizes and shares after the gathered units are placed."""
    stays = y[:3000]
    part = np.arange(3000) % 3
    part[:100] = 0
    target = make_target(y)
    counts = np.stack([stays[part == own].sum(axis=0) for own in range(3)], axis=1)
    rows = np.bincount(part)
    found = place_gathered(make_units(y[3000:]), target, counts, rows)
    assert (rows + np.bincount(found) == target.sizes).all()
    both = np.concatenate((part, found))
    spread = np.ptp([y[both == own].sum(axis=0) for own in range(3)], axis=0)
    assert (spread <= 1).all()
    assert len(place_gathered(make_units(y[:0]), target, counts, rows)) == 0


def test_target_is_saved_and_read(y):
    """A target is the same after it was a record."""
    target = make_target(y, cover=2)
    again = Target.from_record(target.to_record())
    assert all(np.array_equal(*pair) for pair in zip(*map(vars_of, (target, again)), strict=True))


def vars_of(target):
    """Return the fields of a target."""
    return list(vars(target).values())


@given(st.lists(st.integers(0, 30), min_size=1, max_size=20), st.integers(1, 60))
@settings(max_examples=100, deadline=None)
def test_sections_are_consecutive_partitions(n_entries, most):
    """Every partition is in one section, which ends when it has enough entries."""
    with pytest.MonkeyPatch.context() as context:
        context.setattr("evenfold.scale.sections.ENTRIES_OF_SECTION", most)
        sections = make_sections([0] * len(n_entries), n_entries)
        assert len(make_buckets(0, sum(n_entries))) == max(1, -(-sum(n_entries) // most))
    assert [number for own in sections for number in own.partitions] == list(range(len(n_entries)))
    for own in sections[:-1]:
        sizes = [n_entries[number] for number in own.partitions]
        assert sum(sizes) >= most > sum(sizes[:-1])
    tasks = list_partitions(sections, n_entries)
    assert [task.number for task in tasks] == list(range(len(n_entries)))
    for task in tasks:
        before = [n for n in sections[task.section].partitions if n < task.number]
        assert task.start == sum(n_entries[number] for number in before)
        assert task.n_rows == n_entries[task.number]


def test_stacked_units_are_those_of_the_pieces(y):
    """Units one after the other keep their entries, amounts, rows and fixed parts."""
    fixed = (np.arange(len(y)) % 4 - 1).astype(np.int32)
    whole = make_units(y, fixed)
    chosen = np.arange(len(y)) < 1500
    pieces = [whole.take(chosen), whole.take(np.zeros(len(y), bool)), whole.take(~chosen)]
    again = stack_units(pieces)
    assert all(np.array_equal(*pair) for pair in zip(whole, again, strict=True))
    counted = pieces[0]._replace(amounts=np.full(len(pieces[0].indices), 3))
    again = stack_units([counted, *pieces[1:]])
    assert again.add_up(9).tolist() == (3 * y[chosen].sum(axis=0) + y[~chosen].sum(axis=0)).tolist()
    assert stack_units([]).n_units == 0
