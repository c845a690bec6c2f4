"""How often `even` with `order=1` reaches the optimum of its objective on small problems.

Without `cover`, the objective is Σ_l Σ_j w_l f_j |count_lj - target_lj| over labels l and parts j.
Problems of at most 10 rows are solved by brute force over all splits, problems of 50 to 100 rows by
SciPy's `milp`. Only those whose optimum is proven within a number of nodes are counted.

The bound of rLD is compared with the optimum of rLD too.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

import evenfold
from evenfold.labels.labels import make_labels
from evenfold.methods.even.costs import find_part_factors, make_weights
from evenfold.problem.criteria import make_criteria
from evenfold.problem.parts import check_parts
from evenfold.problem.problem import make_problem

from .exact import Objective, Optimum, find_optimum_by_brute_force, find_optimum_by_milp
from .sections.settings import Settings
from .tables import RecordTable, print_heading, print_row

# Problems of each of the two sizes, and the nodes of the search of `milp` for each problem.
N_PROBLEMS = 100
N_NODES = 250
FORMATS = {
    "problems": "",
    "number": "",
    "proven": "",
    "reached": "",
    "not proven": "",
    "better one known": "",
    "bound of rLD above optimum": "",
}
# `even` rounds each target to a 16384th of a row. Splits whose costs differ by no more than that
# are equally good.
GRAIN = 2.0**-14
UNEQUAL_PARTS = (
    (0.7, 0.3),
    (0.8, 0.1, 0.1),
    (0.5, 0.3, 0.2),
    (0.4, 0.3, 0.2, 0.1),
    (0.3, 0.3, 0.2, 0.1, 0.1),
    (0.3, 0.2, 0.1, 0.1, 0.1, 0.1, 0.1),
)


class SmallProblem(NamedTuple):
    """Labels to split, and what to call them."""

    kind: str
    y: np.ndarray
    parts: int | Sequence[float]
    seed: int


def make_tiny_problem(seed: int) -> SmallProblem:
    """Return a problem of 5 to 10 rows in 2 to 4 parts."""
    rng = np.random.default_rng([0, seed])
    n_rows = int(rng.integers(5, 11))
    y = rng.random((n_rows, int(rng.integers(1, 9)))) < rng.uniform(0.1, 0.6)
    parts = [2, 3, 4, (0.6, 0.4), (0.5, 0.3, 0.2)][seed % 5]
    return SmallProblem("tiny", y.astype(np.int8), parts, seed)


def make_small_problem(seed: int) -> SmallProblem:
    """Return a problem of 50 to 100 rows in 2 to 7 parts, equal ones and unequal ones by turns."""
    kind = list(KINDS)[seed // 2 % len(KINDS)]
    rng = np.random.default_rng([1, seed])
    y = KINDS[kind](rng, int(rng.integers(50, 101)), int(rng.integers(2, 21)))
    equal = int(rng.integers(2, 8))
    unequal = UNEQUAL_PARTS[int(rng.integers(len(UNEQUAL_PARTS)))]
    return SmallProblem(kind, y.astype(np.int8), unequal if seed % 2 else equal, seed)


def draw_independent(rng: np.random.Generator, n_rows: int, n_labels: int) -> np.ndarray:
    """Return labels that are drawn independently."""
    return rng.random((n_rows, n_labels)) < rng.uniform(0.05, 0.5, n_labels)


def draw_rare(rng: np.random.Generator, n_rows: int, n_labels: int) -> np.ndarray:
    """Return labels of which most are in few rows."""
    return rng.random((n_rows, n_labels)) < 0.5 / np.arange(1, n_labels + 1)


def draw_few_labelsets(rng: np.random.Generator, n_rows: int, n_labels: int) -> np.ndarray:
    """Return rows that repeat a few labelsets."""
    labelsets = rng.random((int(rng.integers(4, 13)), n_labels)) < rng.uniform(0.1, 0.5)
    return labelsets[rng.integers(len(labelsets), size=n_rows)]


def draw_distinct(rng: np.random.Generator, n_rows: int, n_labels: int) -> np.ndarray:
    """Return rows that all differ, of 8 labels or more."""
    y = rng.random((20 * n_rows, max(8, n_labels))) < rng.uniform(0.15, 0.4)
    return np.unique(y, axis=0)[rng.permutation(len(np.unique(y, axis=0)))[:n_rows]]


KINDS: dict[str, Callable[[np.random.Generator, int, int], np.ndarray]] = {
    "independent": draw_independent,
    "rare labels": draw_rare,
    "few labelsets": draw_few_labelsets,
    "distinct rows": draw_distinct,
}


def make_objective(problem: SmallProblem, sizes: np.ndarray) -> Objective:
    """Return what `even` minimises with `order=1`, for parts of these sizes."""
    n_rows = len(problem.y)
    criteria = make_criteria(make_labels(problem.y), (), profiles=False, pairs=False)
    even = make_problem(
        criteria, check_parts(problem.parts, n_rows), None, np.random.default_rng(0)
    )
    even = dataclasses.replace(even, sizes=sizes)
    price = make_weights(even, 1.0)[:, None] * find_part_factors(even)
    # Labels without rows are no criteria.
    y = even.to_csr().toarray()
    return Objective(y, sizes, price, y.sum(axis=0)[:, None] * sizes / n_rows)


def make_rld(problem: SmallProblem, sizes: np.ndarray) -> Objective:
    """Return rLD as an objective: the mean over labels and parts of |share - share in all rows|.

    Each difference is relative to the share in all rows.
    """
    y = problem.y[:, problem.y.any(axis=0)].astype(float)
    total, n_rows = y.sum(axis=0)[:, None], len(y)
    price = n_rows / (total * sizes * len(total) * len(sizes))
    return Objective(y, sizes, price, total * sizes / n_rows)


class Outcome(NamedTuple):
    """The cost that `even` reached on a problem, and the optimum.

    `bound_gap` is the optimum of rLD minus its bound; a bound is wrong if it is negative.
    """

    problem: SmallProblem
    cost: float
    optimum: Optimum
    tolerance: float
    bound_gap: float

    @property
    def is_proven(self) -> bool:
        """Whether the optimum is known."""
        best = min(self.cost, self.optimum.cost)
        return best <= self.optimum.bound + self.tolerance

    @property
    def is_optimal(self) -> bool:
        """Whether no better split is known."""
        return self.cost <= self.optimum.cost + self.tolerance


def solve(
    problem: SmallProblem,
    find_optimum: Callable[[Objective], Optimum],
    effort: str | float = "normal",
) -> Outcome:
    """Split by `even` and exactly."""
    s = evenfold.split(
        problem.y,
        problem.parts,
        order=1,
        cover=False,
        effort=effort,
        random_state=problem.seed,
    )
    objective = make_objective(problem, s.sizes)
    return Outcome(
        problem,
        objective.cost(s.part_of_row),
        find_optimum(objective),
        float(objective.price.sum()) * GRAIN,
        find_optimum(make_rld(problem, s.sizes)).cost - s.quality.bound.rld,
    )


def measure_optimum(_: Settings) -> list[dict[str, object]]:
    """Return how often the optimum is reached, and print the problems in which it is not."""
    table = RecordTable("even, order 1: optimum of its objective reached", FORMATS)
    tiny = [
        solve(make_tiny_problem(seed), find_optimum_by_brute_force) for seed in range(N_PROBLEMS)
    ]
    table.add(count("at most 10 rows, brute force", tiny))
    small = [
        solve(make_small_problem(seed), lambda objective: find_optimum_by_milp(objective, N_NODES))
        for seed in range(N_PROBLEMS)
    ]
    table.add(count("50 to 100 rows, milp", small))
    for kind in KINDS:
        table.add(count(f"- {kind}", [own for own in small if own.problem.kind == kind]))
    print_failures([*tiny, *small])
    return table.records


def count(title: str, outcomes: Sequence[Outcome]) -> dict[str, object]:
    """Return how many optima are proven, and how many of them are reached."""
    proven = [outcome for outcome in outcomes if outcome.is_proven]
    others = [outcome for outcome in outcomes if not outcome.is_proven]
    return {
        "problems": title,
        "number": len(outcomes),
        "proven": len(proven),
        "reached": sum(outcome.is_optimal for outcome in proven),
        "not proven": len(others),
        "better one known": sum(not outcome.is_optimal for outcome in others),
        "bound of rLD above optimum": sum(outcome.bound_gap < -1e-9 for outcome in outcomes),
    }


def print_failures(outcomes: Sequence[Outcome]) -> None:
    """Print the problems whose optimum is not reached, or not proven."""
    failures = [outcome for outcome in outcomes if not (outcome.is_optimal and outcome.is_proven)]
    if not failures:
        return
    print("\nNot reached, or not proven:\n")
    print_heading(["kind", "seed", "rows × labels", "parts", "cost", "best known", "bound", "gap"])
    for outcome in failures:
        problem, cost, optimum = outcome.problem, outcome.cost, outcome.optimum
        gap = f"{100 * (cost / optimum.cost - 1):.2f} %" if optimum.cost else "infinite"
        print_row(
            [
                problem.kind,
                problem.seed,
                " × ".join(map(str, problem.y.shape)),
                problem.parts,
                f"{cost:.5g}",
                f"{optimum.cost:.5g}",
                f"{optimum.bound:.5g}",
                gap if outcome.is_proven else f"{gap}, not proven",
            ]
        )
