"""What single methods promise besides sizes: OptiSplit, Sampling, Svd, Iterative."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import evenfold
from evenfold.exceptions import ImpossibleSplit
from evenfold.methods import Iterative, OptiSplit, Sampling, SamplingPublished, Svd

from .cases import draw_groups, draw_labels
from .registry import Subject, assume, skip


@dataclass
class Problem:
    """Labels, parts and groups that several methods are called with."""

    y: NDArray[Any]
    weights: NDArray[np.int64]
    groups: NDArray[np.int64] | None
    seed: int

    def split(self, method: Any, **keywords: Any) -> evenfold.Split:
        """Split by a method; the property is skipped if that is impossible."""
        given = {"groups": self.groups, "random_state": self.seed} | keywords
        shares = (self.weights / self.weights.sum()).tolist()
        are_equal = len(set(shares)) == 1
        try:
            return evenfold.split(
                self.y, len(shares) if are_equal else shares, method=method, **given
            )
        except ImpossibleSplit:
            return skip()

    def describe(self) -> Mapping[str, str]:
        """Return what the problem is counted by."""
        return {"groups": "none" if self.groups is None else "unequal"}


def draw_problem(rng: np.random.Generator) -> Problem:
    """Draw equal parts or unequal ones, without unknown labels."""
    n_rows = int(rng.integers(6, 41))
    y = draw_labels(rng, n_rows, may_be_unknown=False)
    n_parts = int(rng.integers(2, 5))
    weights = rng.integers(1, 5, n_parts) if rng.random() < 0.5 else np.ones(n_parts, int)
    groups = draw_groups(rng, n_rows)[2] if rng.random() < 0.5 else None
    return Problem(y, weights, groups, int(rng.integers(1000)))


PROBLEMS = Subject("methods", draw_problem, 4, Problem.describe)


@PROBLEMS.holds(
    "evenfold.methods.IterativeShuffled: It gives the splits of `Iterative(fullest_first=False)`.",
    "evenfold.methods.IterativeShuffled: In unequal parts these are the splits of `Iterative()`.",
)
def iterative_shuffled_is_a_setting(problem: Problem) -> None:
    """In equal and in unequal parts."""
    own = problem.split("iterative-shuffled").part_of_row
    setting = problem.split(Iterative(fullest_first=False)).part_of_row
    assert np.array_equal(own, setting)
    if len(set(problem.weights.tolist())) > 1:
        assert np.array_equal(own, problem.split(Iterative()).part_of_row)


@PROBLEMS.holds(
    "evenfold.methods.OptiSplit: A function gets the actual counts and sizes.",
    "evenfold.methods.OptiSplit: For a label that most rows have, it gets the counts of the rows "
    "without it.",
)
def functions_get_counts_and_sizes(problem: Problem) -> None:
    """Each label's counts add up to its rows, or to those without it; sizes to all rows."""
    n_rows, n_parts = len(problem.y), len(problem.weights)
    rows = {min(int(own), n_rows - int(own)) for own in problem.y.sum(axis=0)}
    seen = []

    def measure(count: Any, size: Any) -> Any:
        seen.append((np.array(count), np.array(size)))
        share = np.asarray(count) / np.maximum(size, 1)[:, None]
        return np.abs(share - np.asarray(count).sum(axis=0) / n_rows).mean(axis=0)

    problem.split(OptiSplit(measure=measure, max_epochs=1))
    assume(seen)
    for count, size in seen:
        assert size.sum() == n_rows
        assert count.shape[0] == n_parts
        assert set(count.sum(axis=0).tolist()) <= rows
        assert (count <= size[:, None]).all()


@PROBLEMS.holds(
    "evenfold.methods.Sampling: In two parts, if only labels are kept even, no seed gives a higher "
    "rLD than `SamplingPublished`."
)
def sampling_is_no_worse_than_published(problem: Problem) -> None:
    """With the same seed; few epochs, because each is compared with the best so far."""
    assume(len(problem.weights) == 2)
    own = problem.split(Sampling(epochs=5), order=1)
    published = problem.split(SamplingPublished(epochs=5), order=1)
    assert own.quality.rld <= published.quality.rld + 1e-12


@PROBLEMS.holds(
    "evenfold.methods.Svd: The norm does not change the vectors that are drawn, only which of them "
    "is kept."
)
def norms_select_among_the_same_vectors(problem: Problem) -> None:
    """With one try, there is nothing to select; with more, the lowest residual is kept."""
    tried = [problem.split(Svd(tries=1, norm=norm)).part_of_row for norm in (1, 2, math.inf)]
    assert np.array_equal(tried[0], tried[1])
    assert np.array_equal(tried[0], tried[2])
    assume(problem.groups is None and len(set(problem.weights.tolist())) == 1)
    best = problem.split(Svd(tries=4)).quality.residual
    for norm in (1, math.inf):
        assert best <= problem.split(Svd(tries=4, norm=norm)).quality.residual + 1e-9


@PROBLEMS.holds(
    "evenfold.split: Where rows do not divide evenly, the parts that get one row more are drawn at "
    "random."
)
def which_part_is_larger_is_drawn(problem: Problem) -> None:
    """Of equal parts, each is larger with some seed, and each smaller with another."""
    n_rows, n_parts = len(problem.y), len(problem.weights)
    assume(problem.groups is None and len(set(problem.weights.tolist())) == 1)
    assume(n_rows % n_parts)
    sizes = np.array([problem.split("random", random_state=seed).sizes for seed in range(60)])
    assert (sizes.max(axis=0) == -(-n_rows // n_parts)).all()
    assert (sizes.min(axis=0) == n_rows // n_parts).all()


def draw_large_problem(rng: np.random.Generator) -> Problem:
    """Draw enough rows, each with some labels, that a part of a tenth has fifty of them."""
    y = (rng.random((600, int(rng.integers(6, 12)))) < rng.uniform(0.15, 0.4)).astype(int)
    weights = [np.ones(5, int), np.array([8, 1, 1]), np.array([2, 1])][rng.integers(3)]
    return Problem(y, weights, None, int(rng.integers(1000)))


LARGE = Subject("larger problems", draw_large_problem, 1, Problem.describe)
NEAR_SIZES = "Sizes are near the wanted shares, but not always exact: "


@LARGE.holds(
    f"evenfold.methods.Iterative: {NEAR_SIZES}labels come first.",
    f"evenfold.methods.OptiSplit: {NEAR_SIZES}labels come first.",
    f"evenfold.methods.Sampling: {NEAR_SIZES}only labels are counted.",
)
def sizes_are_near(problem: Problem) -> None:
    """No part is off by more than a tenth of its rows, and ten."""
    wanted = problem.weights / problem.weights.sum() * len(problem.y)
    for method in ("iterative", "optisplit", "sampling"):
        sizes = problem.split(method).sizes
        assert (np.abs(sizes - wanted) <= 10 + wanted / 10).all(), (method, sizes)
