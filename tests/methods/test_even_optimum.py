"""even with order 1: how often it reaches the optimum of its objective on small problems."""

from math import factorial, prod

import numpy as np
import pytest
from benchmarks.exact import (
    find_optimum_by_brute_force,
    find_optimum_by_milp,
    iterate_splits,
)
from benchmarks.optimum import (
    make_objective,
    make_rld,
    make_small_problem,
    make_tiny_problem,
    solve,
)

import evenfold

# Of `make_small_problem`, some that milp solves in the first node, or in few nodes with older
# versions of SciPy: of every kind, with equal and unequal parts.
QUICK_SEEDS = (0, 1, 2, 3, 4, 5, 16, 21, 25, 34, 41, 47, 58, 62, 63, 65, 84, 88, 93, 94)


def find_missed(outcomes):
    """Return the seeds of the problems for which a better split is known."""
    return [outcome.problem.seed for outcome in outcomes if not outcome.is_optimal]


def test_even_reaches_the_optimum_of_all_splits():
    """Problems of 5 to 10 rows, all splits of which are tried: at least 19 of 20."""
    outcomes = [solve(make_tiny_problem(seed), find_optimum_by_brute_force) for seed in range(20)]
    assert len(find_missed(outcomes)) <= 1
    assert all(outcome.bound_gap > -1e-9 for outcome in outcomes)


def test_even_reaches_the_optimum_of_milp():
    """Problems of 50 to 100 rows in 2 to 7 parts: at least 19 of 20."""
    outcomes = [
        solve(make_small_problem(seed), lambda objective: find_optimum_by_milp(objective, 100))
        for seed in QUICK_SEEDS
    ]
    assert all(outcome.is_proven for outcome in outcomes)
    assert len(find_missed(outcomes)) <= 1
    assert all(outcome.bound_gap > -1e-9 for outcome in outcomes)


@pytest.mark.parametrize("seed", range(10))
def test_milp_and_brute_force_find_the_same_optimum(seed):
    """The two ways to solve a problem exactly agree."""
    problem = make_tiny_problem(seed)
    sizes = evenfold.split(problem.y, problem.parts, method="random").sizes
    objective = make_objective(problem, sizes)
    found = find_optimum_by_milp(objective, 1000)
    least = find_optimum_by_brute_force(objective).cost
    assert found.cost == pytest.approx(least, abs=1e-6)
    assert found.bound == pytest.approx(least, abs=1e-6)


def test_all_splits_of_given_sizes_are_tried():
    """As many as the multinomial coefficient, all different, all of these sizes."""
    sizes = np.array([3, 2, 2])
    splits = np.concatenate(list(iterate_splits(sizes)))
    assert len(np.unique(splits, axis=0)) == len(splits)
    assert len(splits) == factorial(7) // prod(map(factorial, sizes.tolist()))
    assert all(np.array_equal(np.bincount(split), sizes) for split in splits)


@pytest.mark.parametrize("seed", range(5))
def test_rld_as_an_objective_is_rld(seed):
    """The cost of a split is its measured rLD."""
    problem = make_small_problem(seed)
    s = evenfold.split(problem.y, problem.parts, method="random")
    rld = make_rld(problem, s.sizes).cost(s.part_of_row)
    assert rld == pytest.approx(s.quality.rld)
