"""Sections: some of all units, placed toward targets of their own."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenfold.methods import Even, Iterative
from evenfold.methods.even.costs import (
    ROW_BITS,
    bound_of_cost,
    count_deviation,
    find_divisors,
    find_targets,
)
from evenfold.methods.even.refinement import Refinement
from evenfold.methods.even.sections import place_centre, place_section
from evenfold.problem.criteria import Level
from evenfold.problem.problem import Problem, keep_levels

N_PARTS = 3


def make_problem(y, sizes, n_rest=0, **changes):
    """Return the problem of rows with 0/1 criteria, the last `n_rest` of which are not labels."""
    n_units, n_criteria = y.shape
    level = np.full(n_criteria, Level.LABELS, np.int64)
    level[n_criteria - n_rest :] = Level.REST
    about = {
        "indptr": np.concatenate(([0], np.cumsum(y.sum(axis=1)))).astype(np.int64),
        "indices": np.nonzero(y)[1].astype(np.int32),
        "amounts": np.empty(0, np.int64),
        "level_of_criterion": level,
        "is_amount": np.zeros(n_criteria, bool),
        "rows_of_unit": np.ones(n_units, np.int64),
        "weights": np.ones(N_PARTS, np.int64),
        "sizes": np.asarray(sizes, np.int64),
        "fixed": np.full(n_units, -1, np.int32),
        "start": None,
        "least": np.empty((0, 0), np.int64),
        "price_of_lacking": 0,
        "size_slack": np.zeros(N_PARTS, np.int64),
    }
    return Problem(**(about | changes))


def make_section(seed=0, n_units=300, n_criteria=8, n_rest=0):
    """Return a section whose targets a hidden split meets, with any shares, and that split."""
    rng = np.random.default_rng(seed)
    y = (rng.random((n_units, n_criteria)) < rng.uniform(0.02, 0.6, n_criteria)).astype(int)
    hidden = rng.choice(N_PARTS, n_units, p=rng.dirichlet([2] * N_PARTS)).astype(np.int32)
    wanted = np.stack([y[hidden == part].sum(axis=0) for part in range(N_PARTS)], axis=1)
    return make_problem(
        y,
        np.bincount(hidden, minlength=N_PARTS),
        n_rest,
        wanted=wanted.astype(float),
        overall=10 * y.sum(axis=0),
        n_overall_rows=10 * n_units,
    ), hidden


def measure_deviation(problem, part_of_unit):
    """Return the rows by which criteria are off their targets."""
    return np.abs(problem.count_held(part_of_unit) - problem.wanted)


@pytest.mark.parametrize("place", [place_section, place_centre])
@given(seed=st.integers(0, 10**6))
@settings(max_examples=15, deadline=None)
def test_section_meets_its_sizes(place, seed):
    """Every part gets its rows, whatever the targets."""
    problem, _ = make_section(seed)
    found = place(problem, np.random.default_rng(seed))
    assert np.array_equal(problem.count_rows(found), problem.sizes)


@pytest.mark.parametrize("place", [place_section, place_centre])
def test_section_nears_its_targets(place):
    """Labels are much nearer to their targets than in a split that is drawn."""
    found, drawn = 0.0, 0.0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        problem, hidden = make_section(seed)
        found += measure_deviation(problem, place(problem, rng)).sum()
        drawn += measure_deviation(problem, rng.permutation(hidden)).sum()
    assert found < 0.15 * drawn


@pytest.mark.parametrize("method", [Even(), Iterative()])
def test_methods_place_toward_the_targets_of_a_section(method):
    """The usual search takes the targets, not the shares of the parts."""
    problem, _ = make_section(1)
    found = method.place(problem, np.random.default_rng(0))
    equal = np.random.default_rng(0).permutation(np.arange(problem.n_units) % 3).astype(np.int32)
    assert measure_deviation(problem, found).sum() < 0.4 * measure_deviation(problem, equal).sum()


def test_targets_are_those_wanted_and_weights_those_of_all_units():
    """A target may be negative; a label's weight depends on its rows in all sections."""
    problem, _ = make_section()
    problem = replace(problem, wanted=problem.wanted + np.array([0.25, -300.25, 300]))
    assert (find_targets(problem, problem.sizes) == problem.wanted * 2**ROW_BITS).all()
    overall = problem.overall
    assert (
        find_divisors(problem, 1.0) == np.minimum(overall, problem.n_overall_rows - overall)
    ).all()


def test_section_of_all_units_is_the_whole_problem():
    """If targets are the shares of all units, costs and bounds are those of the whole."""
    section, hidden = make_section()
    whole = replace(
        section,
        sizes=np.array([100, 100, 100]),
        wanted=np.empty((0, 0)),
        overall=np.empty(0, np.int64),
        n_overall_rows=0,
    )
    total = whole.total_of_criterion
    section = replace(
        whole,
        wanted=total[:, None] * (whole.sizes / whole.n_rows),
        overall=total,
        n_overall_rows=whole.n_rows,
    )
    assert section.is_section
    assert not whole.is_section
    assert bound_of_cost(section) == pytest.approx(bound_of_cost(whole))
    deviations = [count_deviation(own, hidden, own.sizes) for own in (section, whole)]
    assert np.array_equal(*deviations)
    costs = [Refinement(own, hidden, np.random.default_rng(0)).cost() for own in (section, whole)]
    assert costs[0] == pytest.approx(costs[1])


@pytest.mark.parametrize("n_rest", [0, 3])
def test_section_is_not_less_even_than_its_start(n_rest):
    """A start of many sweeps is not worsened by few, and one of no sweeps is improved."""
    for seed in range(4):
        problem, _ = make_section(seed, 200, 40, n_rest)
        # No split has these fractions of rows.
        problem = replace(problem, wanted=problem.wanted + np.array([0.3, -0.2, -0.1]))
        rng = np.random.default_rng(seed)
        drawn = rng.permutation(np.repeat(np.arange(3), problem.sizes)).astype(np.int32)
        for start in (place_centre(problem, rng), drawn):
            found = place_section(replace(problem, start=start), rng)
            costs = [Refinement(problem, own, rng).cost().labels for own in (found, start)]
            assert costs[0] <= costs[1] + 1e-9
            assert np.array_equal(problem.count_rows(found), problem.sizes)
        assert costs[0] < 0.5 * costs[1]


def test_start_at_its_targets_is_returned():
    """Nothing is left to gain."""
    problem, hidden = make_section()
    found = place_section(replace(problem, start=hidden), np.random.default_rng(0))
    assert np.array_equal(found, hidden)


@pytest.mark.parametrize("place", [place_section, place_centre])
def test_part_that_must_lose_rows_gets_none(place):
    """A part that has too many rows already has a negative size: it gets no unit."""
    problem, _ = make_section()
    found = place(replace(problem, sizes=np.array([-5, 155, 150])), np.random.default_rng(0))
    n_rows = problem.count_rows(found)
    assert n_rows[0] == 0
    assert (np.abs(n_rows[1:] - [155, 150]) <= 5).all()


@pytest.mark.parametrize("place", [place_section, place_centre])
def test_section_without_criteria_meets_its_sizes(place):
    """Units without labels are shared out."""
    problem = make_problem(np.zeros((10, 0), int), [5, 4, 1])
    problem = replace(problem, wanted=np.empty((0, 3)), n_overall_rows=100)
    found = place(problem, np.random.default_rng(0))
    assert problem.count_rows(found).tolist() == [5, 4, 1]


@pytest.mark.parametrize("place", [place_section, place_centre])
def test_rest_is_improved_at_no_cost_to_labels(place):
    """Criteria besides labels are nearer to their targets than without them as criteria."""
    problem, _ = make_section(5, n_criteria=12, n_rest=6)
    found = place(problem, np.random.default_rng(0))
    alone = place(keep_levels(problem, Level.LABELS), np.random.default_rng(0))
    rest = [measure_deviation(problem, own)[6:].sum() for own in (found, alone)]
    assert rest[0] < 0.5 * rest[1]


def test_levels_that_are_kept_keep_their_targets():
    """Targets and totals of the labels stay with them."""
    problem, _ = make_section(n_rest=3)
    labels = keep_levels(problem, Level.LABELS)
    assert np.array_equal(labels.wanted, problem.wanted[:5])
    assert np.array_equal(labels.overall, problem.overall[:5])
    assert labels.n_overall_rows == problem.n_overall_rows
