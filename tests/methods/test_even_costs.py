"""Costs of even: weights, bounds against brute force, the best split so far, sweeps."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenfold._kernels.even import MOVE, SWAP
from evenfold.labels.labels import make_labels
from evenfold.methods import Even
from evenfold.methods.even.best import Best
from evenfold.methods.even.costs import (
    ROW_BITS,
    bound_of_cost,
    find_part_factors,
    find_targets,
    make_weights,
)
from evenfold.methods.even.refinement import Refinement
from evenfold.methods.even.sweeps import cool_moves, cool_swaps
from evenfold.methods.even.tuning import GROUPS_WEIGHT, MOST_GROUPS_WEIGHT
from evenfold.problem.criteria import Level, make_criteria
from evenfold.problem.parts import check_parts
from evenfold.problem.problem import make_problem

from ..strategies import label_matrices


def make(y, parts, profiles=False, groups=None, balance_groups=False, cover=0):
    """Return a problem."""
    return make_problem(
        make_criteria(make_labels(y), (), profiles),
        check_parts(parts, len(y)),
        groups,
        np.random.default_rng(0),
        balance_groups=balance_groups,
        cover=cover,
    )


def test_label_exponent_keeps_the_weight_of_the_median_label():
    """Labels of 1, 4 and 16 of 100 rows: (4 / m)^a / 4."""
    y = np.arange(100)[:, None] < [1, 4, 16]
    problem = make(y, 2)
    assert make_weights(problem, 1.0).tolist() == [1, 1 / 4, 1 / 16]
    assert make_weights(problem, 1.0, 0.5) == pytest.approx([1 / 2, 1 / 4, 1 / 8])
    assert make_weights(problem, 1.0, 0.0) == pytest.approx([1 / 4] * 3)


def test_label_exponent_changes_labels_only():
    """The weights of groups, and of later levels, do not change; the median label has 8 rows."""
    y = np.arange(40)[:, None] < [2, 8, 12]
    problem = make(y, 2, groups=np.arange(40) // 2, balance_groups=True)
    plain, other = make_weights(problem, 0.1), make_weights(problem, 0.1, 0.5)
    is_label = problem.level_of_criterion == Level.LABELS
    assert other[~is_label].tolist() == plain[~is_label].tolist()
    assert (other[is_label] != plain[is_label]).any()
    is_groups = problem.level_of_criterion == Level.GROUPS
    assert plain[is_groups].tolist() == [min(GROUPS_WEIGHT / 20, MOST_GROUPS_WEIGHT / 8)]


@settings(max_examples=25, deadline=None)
@given(
    y=label_matrices(min_rows=4, max_rows=6, max_labels=3),
    parts=st.sampled_from([2, [0.7, 0.3], 3]),
    exponent=st.sampled_from([1.0, 0.6]),
)
def test_bound_of_cost_is_below_every_split(y, parts, exponent):
    """Of all splits of the wanted sizes; with one criterion the bound is reached."""
    problem = make(y, parts, profiles=True)
    rng = np.random.default_rng(0)
    _, labels, rest = bound_of_cost(problem, exponent)
    state = Refinement(problem, np.zeros(len(y), np.int32), rng, label_exponent=exponent)
    costs = []
    for part_of_unit in itertools.product(range(problem.n_parts), repeat=len(y)):
        state.go_to(np.array(part_of_unit, np.int32))
        if not state.row_deviation.any():
            costs.append(state.cost())
    assert labels <= min(cost.labels for cost in costs) + 1e-9
    assert rest <= min(cost.rest for cost in costs) + 1e-9
    if np.count_nonzero(problem.is_first_level) == 1:
        assert labels == pytest.approx(min(cost.labels for cost in costs))


@settings(max_examples=60, deadline=None)
@given(
    n_rows=st.integers(8, 16),
    n_with=st.integers(1, 16),
    sizes=st.sampled_from([[1, 1, 1, 1], [4, 1, 1, 1], [8, 1, 1], [5, 3, 2, 1], [9, 1]]),
    cover=st.sampled_from([0, 1, 2]),
)
def test_bound_of_cost_of_one_label_is_that_of_its_best_counts(n_rows, n_with, sizes, cover):
    """All counts of the parts are tried; the best ones lack the fewest rows, then are most even."""
    y = (np.arange(n_rows) < n_with).astype(int)[:, None]
    parts = [size / sum(sizes) for size in sizes]
    problem = make(y, parts, cover=cover)
    total, k = int(y.sum()), len(sizes)
    least = problem.least[0] if problem.least.size else np.zeros(k, int)
    target = find_targets(problem, problem.sizes)[0] / 2**ROW_BITS
    factor = find_part_factors(problem)
    best = min(
        (factor @ np.maximum(0, least - held), factor @ np.abs(held - target))
        for held in map(np.array, itertools.product(range(total + 1), repeat=k))
        if held.sum() == total
    )
    weight = make_weights(problem, 1.0)[0]
    bound = bound_of_cost(problem)
    assert bound.shortage == pytest.approx(best[0] * weight * problem.price_of_lacking)
    assert bound.labels == pytest.approx(best[1] * weight)


def test_small_data_with_a_cover_stops_at_its_bound():
    """One round of swaps is enough; without the cover in the bound, there would be 80."""
    y = np.zeros((120, 2), int)
    y[:60, 0] = y[:3, 1] = 1
    problem = make(y, [0.8, 0.1, 0.1], cover=1)
    shares = []
    Even(progress=shares.append).place(problem, np.random.default_rng(0))
    assert len(shares) < 20


def test_a_label_rarer_than_the_parts_does_not_prolong_a_search_with_a_cover():
    """Two of four parts must lack the label, so its rows in two parts are the best there is."""
    y = np.zeros((120, 2), int)
    y[:60, 0] = y[:2, 1] = 1
    problem = make(y, 4, cover=1)
    shares = []
    Even(progress=shares.append).place(problem, np.random.default_rng(0))
    assert len(shares) < 20


def test_best_keeps_the_better_split_and_restores_it():
    """Right sizes come before even labels, and even labels before the rest."""
    y = np.array([[1], [1], [0], [0]])
    state = Refinement(make(y, 2), np.array([0, 0, 1, 1], np.int32), np.random.default_rng(0))
    best = Best(state)
    assert best.is_far
    assert not best.is_enough
    state.go_to(np.array([0, 1, 1, 1], np.int32))
    best.update()
    assert state.part_of_unit.tolist() == best.part_of_unit.tolist() == [0, 0, 1, 1]
    state.go_to(np.array([0, 1, 0, 1], np.int32))
    best.update()
    assert best.part_of_unit.tolist() == [0, 1, 0, 1]
    assert best.is_enough
    assert not best.is_competing


def test_moves_cool_while_the_weight_of_the_sizes_grows():
    """From the first temperature to the last; swaps always keep the sizes."""
    sweeps = cool_moves(8.0, 1.0, 4)
    assert [sweep.kind for sweep in sweeps] == [MOVE] * 4
    assert [sweep.temperature for sweep in sweeps] == pytest.approx([8, 4, 2, 1])
    weights = [sweep.row_weight for sweep in sweeps]
    assert weights == sorted(set(weights))
    assert weights[-1] == pytest.approx(32 * weights[0])
    swaps = cool_swaps(0.5, 1.0, 2)
    assert [(sweep.kind, sweep.temperature) for sweep in swaps] == [(SWAP, 1.0)] * 2
    assert all(sweep.row_weight == np.inf for sweep in swaps)
