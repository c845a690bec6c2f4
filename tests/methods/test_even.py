"""even: its cost, its bound, its levels, and when it ends."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evenfold
from evenfold._kernels.even import MEND, MOVE, SWAP
from evenfold.labels.labels import make_labels
from evenfold.methods import Even
from evenfold.methods.even.costs import bound_of_cost, make_weights
from evenfold.methods.even.refinement import Refinement
from evenfold.methods.even.sweeps import BETTER_SWAPS, Sweep
from evenfold.methods.even.tuning import EFFORTS
from evenfold.problem.criteria import Level, make_criteria
from evenfold.problem.parts import check_parts
from evenfold.problem.problem import make_problem

from .. import naive
from ..strategies import label_matrices


def make_state(y, parts, seed=0, order=1, groups=None):
    """Return a refinement of a random split."""
    rng = np.random.default_rng(seed)
    labels = make_labels(y)
    problem = make_problem(
        make_criteria(labels, (), profiles=order != 1, pairs=order == 2),
        check_parts(parts, len(y)),
        groups,
        rng,
    )
    return Refinement(
        problem, rng.integers(0, problem.n_parts, problem.n_units).astype(np.int32), rng
    )


@settings(max_examples=60, deadline=None)
@given(
    y=label_matrices(min_rows=6, max_rows=30),
    seed=st.integers(0, 1000),
    order=st.sampled_from([1, "auto", 2]),
    grouped=st.booleans(),
)
def test_deviations_kept_by_sweeps_equal_a_fresh_count(y, seed, order, grouped):
    """After any moves and swaps, at high and low temperatures, with and without groups."""
    groups = np.random.default_rng(seed).integers(0, 5, len(y)) if grouped else None
    groups = None if groups is None else np.unique(groups, return_inverse=True)[1]
    if grouped and (len(np.unique(groups)) < 2 or np.bincount(groups).max() > len(y) * 0.7):
        return
    state = make_state(y, [0.7, 0.3], seed, order, groups)
    state.run(
        [
            Sweep(MOVE, 0.1, 1.0),
            Sweep(SWAP, 0.1, np.inf),
            Sweep(MEND, 0.0, 5.0),
            Sweep(MOVE, 0.001, 1.0),
            BETTER_SWAPS,
        ]
    )
    deviation, row_deviation, cost = (
        state.deviation.copy(),
        state.row_deviation.copy(),
        state.cost(),
    )
    state.go_to(state.part_of_unit)
    assert np.array_equal(state.deviation, deviation)
    assert np.array_equal(state.row_deviation, row_deviation)
    assert state.cost() == cost


@settings(max_examples=40, deadline=None)
@given(y=label_matrices(min_rows=6, max_rows=30), seed=st.integers(0, 1000))
def test_sweeps_at_temperature_0_never_raise_the_cost(y, seed):
    """Swaps at temperature 0 keep the sizes and only lower the cost."""
    state = make_state(y, 3, seed)
    state.run([Sweep(MEND, 0.0, np.inf)])
    before = state.cost().labels
    state.run([BETTER_SWAPS] * 3)
    assert state.cost().labels <= before + 1e-9
    assert not state.row_deviation.any()


@settings(max_examples=60, deadline=None)
@given(
    y=label_matrices(min_rows=6, max_rows=24),
    seed=st.integers(0, 99),
    parts=st.sampled_from([3, [0.5, 0.3, 0.2]]),
)
def test_cost_is_at_least_its_bound_and_is_rld(y, seed, parts):
    """For parts of equal size and labels of fewer than half the rows, the cost is rLD."""
    state = make_state(y, parts, seed)
    state.run([Sweep(MEND, 0.0, np.inf)])
    assert state.cost().labels >= bound_of_cost(state.problem)[0] * (1 - 1e-3) - 1e-6
    rare = y[:, (y.sum(axis=0) > 0) & (y.sum(axis=0) * 2 <= len(y))]
    if parts == 3 and len(y) % 3 == 0 and rare.shape[1]:
        state = make_state(rare, 3, seed)
        state.run([Sweep(MEND, 0.0, np.inf)])
        quality = evenfold.measure(rare, state.part_of_unit, 3)
        per_label = state.cost().labels / rare.shape[1]
        assert per_label == pytest.approx(quality.rld, rel=1e-3, abs=1e-3)


def best_rld(y, sizes):
    """Return the least rLD over all splits into parts of these sizes."""
    n, k = len(y), len(sizes)
    held = [i for i in range(y.shape[1]) if y[:, i].any()]
    best = np.inf
    for choice in itertools.combinations(range(n), sizes[0]):
        rest = [row for row in range(n) if row not in choice]
        for second in itertools.combinations(rest, sizes[1]) if k == 3 else [tuple(rest)]:
            part = np.full(n, k - 1)
            part[list(choice)] = 0
            if k == 3:
                part[list(second)] = 1
            own = [[int(y[part == j, i].sum()) for j in range(k)] for i in held]
            best = min(best, np.mean([naive.rld_of_label(counts, sizes) for counts in own]))
    return best


def test_best_finds_the_optimum_of_tiny_inputs():
    """At least 95 of 100 seeded cases reach the best of all splits of the same sizes.

    Labels that most rows hold are left out, because their cost is not rLD.
    """
    found = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(6, 11))
        y = (rng.random((n, int(rng.integers(1, 6)))) < rng.uniform(0.1, 0.5)).astype(int)
        y = y[:, (y.sum(axis=0) > 0) & (2 * y.sum(axis=0) <= n)]
        if not y.shape[1]:
            found += 1
            continue
        s = evenfold.split(
            y, [0.5, 0.5] if seed % 2 else [0.6, 0.4], order=1, effort="best", random_state=seed
        )
        found += s.quality.rld <= best_rld(y, s.sizes.tolist()) * (1 + 1e-6) + 1e-9
    assert found >= 95


@pytest.fixture(scope="module")
def tagged():
    """Return 600 rows of twelve labels, some rows without."""
    rng = np.random.default_rng(3)
    return rng.random((600, 12)) < 0.4 / np.arange(1, 13)


def test_labels_come_first_whatever_the_order(tagged):
    """With more criteria, labelsets and pairs are more even, and single labels hardly less."""
    plain, auto, pairs = (
        evenfold.split(tagged, 7, order=order).quality for order in (1, "auto", 2)
    )
    assert auto.rld <= plain.rld * 1.02 + 1e-4
    assert pairs.rld <= plain.rld * 1.02 + 1e-4
    assert auto.rld_labelsets < plain.rld_labelsets
    assert pairs.rld_pairs < auto.rld_pairs
    assert pairs.rld_pairs < 1.1 * pairs.bound.rld_pairs


def test_competing_labels_do_not_get_worse_for_the_rest():
    """Thirty labels on 340 rows: more criteria make labels on average 3 % less even at most."""
    ratios = []
    for seed in range(5):
        y = np.random.default_rng(seed).random((340, 30)) < 0.3
        plain, auto = (evenfold.split(y, 6, order=order).quality.rld for order in (1, "auto"))
        ratios.append(auto / plain)
    assert np.mean(ratios) <= 1.03


def test_auto_keeps_rows_by_their_number_of_labels_even(tagged):
    """Rows without labels, and with one, two, three."""
    number = tagged.sum(axis=1)
    auto, plain = (evenfold.split(tagged, 7, order=order).part_of_row for order in ("auto", 1))
    spread = [
        np.mean([np.std(np.bincount(part[number == n], minlength=7)) for n in range(4)])
        for part in (auto, plain)
    ]
    assert spread[0] < 1.5 < spread[1]


def test_more_effort_is_no_worse():
    """On labels that compete; sizes are exact at any effort."""
    y = np.random.default_rng(0).random((400, 60)) < 0.2
    splits = [evenfold.split(y, 7, order=1, effort=effort) for effort in ("best", "normal", "fast")]
    excess = [s.quality.excess for s in splits]
    assert excess == sorted(excess)
    assert all(np.ptp(s.sizes) == 1 for s in splits)


@pytest.mark.parametrize("order", [1, "auto"])
def test_effort_in_seconds_ends(order):
    """The sizes are right whenever it ends."""
    y = np.random.default_rng(0).random((300, 40)) < 0.2
    evenfold.split(y, 5, order=order, effort="fast")
    s = evenfold.split(y, 5, order=order, effort=0.2)
    assert s.sizes.tolist() == [60] * 5


def test_a_split_says_what_was_balanced(tagged, monkeypatch):
    """The order, and the rows whose pairs did not fit into memory."""
    from evenfold.problem import combinations as combinations

    assert "order auto" in str(evenfold.split(tagged, 3))
    assert "order" not in str(evenfold.split(tagged, 3, method="random"))
    monkeypatch.setattr(combinations, "MOST_PAIR_ENTRIES", 100)
    s = evenfold.split(tagged, 3, order=2)
    assert "are left out of the pairs." in s.origin.parameters["left_out"]
    assert s.origin.parameters["left_out"] in str(s)


def test_an_unknown_effort_is_an_error():
    """The message names the efforts there are."""
    with pytest.raises(
        ValueError, match="'effort' must be fast, normal, best or a number of seconds, got 'hard'"
    ):
        Even(effort="hard")


def test_progress_is_told():
    """From little to all, never decreasing."""
    told = []
    y = np.random.default_rng(0).random((3000, 40)) < 0.2
    evenfold.split(y, 5, method=Even(progress=told.append))
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert len(told) > 3


def test_progress_never_goes_back_on_very_large_data(monkeypatch):
    """Though it is not known at first whether one sweep is enough."""
    told = []
    monkeypatch.setattr("evenfold.methods.even.plan.MANY_ENTRIES", 1000)
    evenfold.split(
        np.random.default_rng(0).random((3000, 40)) < 0.2,
        5,
        method=Even(progress=told.append, order=1),
    )
    assert told == sorted(told)
    assert told[0] < 0.5


def test_an_interrupt_comes_through():
    """Between two batches of sweeps."""

    def stop(share):
        raise KeyboardInterrupt("enough")

    with pytest.raises(KeyboardInterrupt, match="enough"):
        evenfold.split(
            np.random.default_rng(0).random((300, 40)) < 0.2, 5, method=Even(progress=stop)
        )


def test_unequal_parts_are_as_even_as_large_ones():
    """A small test part has every label within a row of its share."""
    y = np.random.default_rng(0).random((1000, 20)) < 0.2
    s = evenfold.split(y, [0.8, 0.1, 0.1])
    assert s.sizes.tolist() == [800, 100, 100]
    for part in ("val", "test"):
        assert np.abs(y[s[part]].sum(axis=0) - y.sum(axis=0) / 10).max() <= 1
    assert s.quality.excess < 0.1


def test_a_high_temperature_does_not_move_rows_into_small_parts():
    """If nearly every move is accepted, each part has about its share of the rows."""
    state = make_state(np.arange(20_000)[:, None] < 1, [0.8, 0.2])
    state.run([Sweep(MOVE, 1.0, 1.0)] * 20)
    assert np.bincount(state.part_of_unit) / 20_000 == pytest.approx([0.8, 0.2], rel=0.05)


def test_unequal_parts_are_annealed_at_the_price_of_their_rows():
    """On labels that compete.

    With temperatures as for parts of equal size, the excess was 0.45 and more.
    """
    y = evenfold.datasets.make_zipf(4000, 300, labels_per_row=15)
    assert evenfold.split(y, [0.8, 0.1, 0.1], order=1).quality.excess < 0.35


def test_very_large_data_is_split_at_random_and_swept_once(monkeypatch):
    """If labels do not compete: without iterative stratification, and at the bound."""
    y = np.random.default_rng(0).random((4000, 8)) < 0.2
    monkeypatch.setattr("evenfold.methods.even.plan.MANY_ENTRIES", 1000)
    monkeypatch.setattr("evenfold.methods.even.plan.Iterative", None)
    for parts in (5, [0.8, 0.1, 0.1]):
        s = evenfold.split(y, parts, order=1)
        assert s.quality.excess < 1e-4
        assert s.quality.ed == s.quality.bound.ed


def test_very_large_data_whose_labels_compete_is_annealed(
    monkeypatch,
):
    """From iterative stratification, like smaller data."""
    y = np.random.default_rng(0).random((400, 60)) < 0.2
    excess = evenfold.split(y, 7, order=1).quality.excess
    monkeypatch.setattr("evenfold.methods.even.plan.MANY_ENTRIES", 1000)
    assert evenfold.split(y, 7, order=1).quality.excess < 1.05 * excess


def test_labels_that_most_rows_hold_are_judged_by_the_rows_that_lack_them():
    """A label lacking in ten of 1,000 rows lacks in two of each part."""
    y = np.ones((1000, 3), dtype=bool)
    y[:10, 0] = False
    y[::3, 1] = False
    s = evenfold.split(y, 5)
    assert np.bincount(s.part_of_row[:10]).tolist() == [2] * 5


def test_very_unequal_parts_of_much_data_come_near_the_bound():
    """A thousandth of 30,000 rows, few labels."""
    y = np.random.default_rng(0).random((30_000, 10)) < 0.45
    assert evenfold.split(y, [0.999, 0.001], order=1).quality.excess < 0.05


def test_extend_stays_near_the_bound(tagged):
    """Four fifths split, the rest joined."""
    s = evenfold.split(tagged[:480], 5)
    more = evenfold.extend(s, tagged)
    assert np.array_equal(more.part_of_row[:480], s.part_of_row)
    assert more.quality.excess <= 0.05


def test_weights_of_amounts_and_later_levels():
    """A label weighs by its rows, the rest less."""
    labels = make_labels([["a"], ["a"], ["b"], []])
    problem = make_problem(
        make_criteria(labels, (), profiles=True), check_parts(2, 4), None, np.random.default_rng(0)
    )
    weight = make_weights(problem, 0.1)
    assert weight[problem.is_first_level].tolist() == [0.5, 1.0]
    assert (weight[problem.level_of_criterion == Level.REST] <= 0.1).all()


def test_what_single_labels_leave_open_is_left_to_chance_on_very_large_data(monkeypatch):
    """The split is then that of labels alone, and says so."""
    y = np.random.default_rng(0).random((300, 6)) < 0.2
    monkeypatch.setattr("evenfold.problem.criteria.MOST_PROFILE_ENTRIES", 500)
    s = evenfold.split(y, 4)
    assert np.array_equal(s.part_of_row, evenfold.split(y, 4, order=1).part_of_row)
    message = "the labelset of a row, its number of labels, its rarest label."
    assert f"labels on 300 rows, row profiles are not kept even: {message}" in str(s)


def test_labels_come_first_if_there_is_no_time_for_more(monkeypatch):
    """With hardly a sweep of swaps, labels are as even as alone."""
    y = np.random.default_rng(1).random((2000, 8)) < 0.2
    monkeypatch.setitem(EFFORTS, "normal", EFFORTS["normal"]._replace(swap_work=4e4))
    for order in ("auto", 2):
        s = evenfold.split(y, 5, order=order)
        assert s.quality.excess < 0.05
        assert s.quality.ed == s.quality.bound.ed


def test_labels_of_few_groups_are_about_as_even_as_alone():
    """Labelsets and the like do not make them less even on average."""
    rld = {"auto": [], 1: []}
    for seed in range(3):
        rng = np.random.default_rng(seed)
        groups = np.repeat(np.arange(80), rng.integers(1, 60, 80))
        y = rng.random((len(groups), 8)) < (0.5 * rng.random((80, 8)))[groups]
        for order, found in rld.items():
            found.append(evenfold.split(y, 5, groups=groups, order=order).quality.rld)
    assert np.mean(rld["auto"]) < 1.1 * np.mean(rld[1])
