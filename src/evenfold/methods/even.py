"""even: every criterion as close to its share as whole rows allow, in parts of exact sizes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from .._kernels.refining import MEND, MOVE, SWAP, refine
from ..problem import Problem
from .iterative import Iterative

# A row counts 2 to this power in the whole numbers the refining works with, so that targets keep fractions of a row.
_ROW_BITS = 8
# No cost may pass 63 bits: a unit's price is kept below 2 to this power.
_PRICE_BITS = 58
# Weight of criteria after the first level, beside labels.
_LATER = 0.1
# Exponential draws come from a table, for the same numbers on every machine.
_EXPONENTIAL = np.round(-np.log((np.arange(1024) + 0.5) / 1024) * 1024).astype(np.int64)

# Work is counted in entries × parts looked at. Each effort is worth so much, between a least and a most number of sweeps.
EFFORTS = {"fast": (3e7, 2, 20), "normal": (1.6e8, 3, 80), "best": (1.2e9, 8, 600)}
_MOST_PARTS_FOR_SWAPS = 100


@dataclass(frozen=True)
class Even:
    """Iterative stratification, then annealed changes of place that lower rLD, sizes made exact on the way. The default.

    The cost is the sum over criteria and parts of |amount - target| / (share of the part · min(rows with, rows without)), which is
    rLD with labels that most rows hold judged by the rows that lack them. The targets are those of the whole sizes, not of the shares.

    Parameters
    ----------
    effort : "fast", "normal" or "best": how many sweeps over the units

    Notes
    -----
    Every part has its target size, to the row, where there are no groups.

    Examples
    --------
    >>> s = evenfold.split([["a", "b"], ["a"], ["b"], []] * 5, [0.5, 0.5], method=evenfold.methods.Even(effort="fast"))
    >>> s.sizes.tolist(), s.quality.excess
    ([10, 10], 0.0)
    """

    name: ClassVar[str] = "even"
    improves: ClassVar[bool] = True
    effort: str = "normal"

    def place(self, problem: Problem, rng: np.random.Generator) -> NDArray[np.int32]:
        """Return the part of each unit, (n_units,)."""
        part_of_unit = Iterative().place(problem, rng) if problem.start is None else problem.start.copy()
        work, least, most = EFFORTS[self.effort]
        n_sweeps = int(min(most, max(least, work / _work_of_sweep(problem))))
        weight = _weights(problem)
        hot, cold = _temperatures(problem, weight)
        if problem.start is not None:
            # Warm enough to find better places nearby, not to lose the split that was given.
            hot = cold
        n_swaps = n_sweeps // 2 if problem.n_parts <= _MOST_PARTS_FOR_SWAPS else 0
        sweeps = [(MOVE, heat, 1.0) for heat in np.geomspace(hot, 0.3 * cold, n_sweeps)] + [(MOVE, 0.0, 1.0), *_MENDING]
        sweeps += [(SWAP, heat, np.inf) for heat in np.geomspace(cold, 0.05 * cold, n_swaps)] + [(SWAP, 0.0, np.inf)] * min(n_swaps, 2)
        _refine(problem, part_of_unit, rng, weight, sweeps)
        if problem.start is not None and _has_its_sizes(problem, problem.start):
            return min(problem.start, part_of_unit, key=lambda placed: _cost(problem, weight, placed))
        return part_of_unit


def mend_sizes(problem: Problem, part_of_unit: NDArray[np.int32], rng: np.random.Generator) -> None:
    """Bring the parts to their sizes by the cheapest moves, in place; leave alone what has its sizes."""
    _refine(problem, part_of_unit, rng, _weights(problem), _MENDING)


# The weight of sizes grows until they hold, so that the cheapest moves come first.
_MENDING = [(MEND, 0.0, 4.0**step) for step in range(9)] + [(MEND, 0.0, np.inf)]


def _refine(
    problem: Problem, part_of_unit: NDArray[np.int32], rng: np.random.Generator, weight: NDArray[np.float64], sweeps: list[tuple[int, float, float]]
) -> None:
    """Refine a split in place by sweeps of (kind, temperature, weight of sizes in units of 1 / n_rows)."""
    order = rng.permutation(problem.n_units)
    order = order[problem.fixed[order] < 0]
    seed = int(rng.integers(1, 2**32))
    if not len(order):
        return
    factor = _part_factors(problem)
    scale = _scale(problem, weight, factor)
    kinds, heats, row_weights = (np.array(column) for column in zip(*sweeps, strict=True))
    heaviest = 2.0 ** (_PRICE_BITS - _ROW_BITS) / int(factor.max()) / int(problem.rows_of_unit.max())
    amounts = problem.amounts
    if len(amounts):
        amounts = np.where(problem.is_amount[problem.indices], amounts, amounts << _ROW_BITS)
    n_in_part = np.bincount(part_of_unit, problem.rows_of_unit, minlength=problem.n_parts).astype(np.int64)
    refine.for_work(int(len(sweeps) * _work_of_sweep(problem)))(
        problem.indptr,
        problem.indices,
        amounts,
        problem.rows_of_unit,
        order,
        np.round(weight * scale).astype(np.int64),
        factor,
        (heats * scale * 2.0**_ROW_BITS / 1024).astype(np.int64),
        np.clip(row_weights * scale / problem.n_rows, 1, heaviest).astype(np.int64),
        kinds,
        _EXPONENTIAL,
        seed,
        1 << _ROW_BITS,
        _deviation(problem, part_of_unit),
        (n_in_part - problem.sizes) << _ROW_BITS,
        part_of_unit,
    )


def _cost(problem: Problem, weight: NDArray[np.float64], part_of_unit: NDArray[np.int32]) -> float:
    """Return the sum over criteria and parts of weight · |amount - target|, a small part's rows counting more."""
    return float(weight @ np.abs(_deviation(problem, part_of_unit)) @ _part_factors(problem))


def _has_its_sizes(problem: Problem, part_of_unit: NDArray[np.int32]) -> bool:
    return np.array_equal(np.bincount(part_of_unit, problem.rows_of_unit, minlength=problem.n_parts), problem.sizes)


def _work_of_sweep(problem: Problem) -> float:
    return float((len(problem.indices) + problem.n_units) * problem.n_parts)


def _weights(problem: Problem) -> NDArray[np.float64]:
    """Return w_l: 1 / min(rows with, rows without), or 1 / total for amounts, less after the first level."""
    total = problem.total_of_criterion
    # An amount is counted in finer steps than a row.
    smaller = np.where(problem.is_amount, total / 2.0**_ROW_BITS, np.minimum(total, problem.n_rows - total))
    level = np.where(problem.level_of_criterion == 0, 1.0, _LATER)
    return np.divide(level, smaller, out=np.zeros(len(smaller)), where=smaller > 0)


def _temperatures(problem: Problem, weight: NDArray[np.float64]) -> tuple[float, float]:
    """Return where annealing starts, at the price of a row of a rare label, and where it ends, at that of the commonest criterion."""
    used = weight[weight > 0]
    if not len(used):
        return 0.1, 0.1 / problem.n_rows
    return float(np.quantile(used, 0.75)), float(used.min())


def _scale(problem: Problem, weight: NDArray[np.float64], factor: NDArray[np.int64]) -> float:
    """Return the power of 2 that turns weights into whole numbers as fine as 63 bits allow."""
    amount = problem.amounts if len(problem.amounts) else np.ones(1)
    price = weight[problem.indices] * np.where(problem.is_amount[problem.indices], amount / 2.0**_ROW_BITS, amount)
    running = np.concatenate(([0.0], np.cumsum(price)))
    dearest = max(float((running[problem.indptr[1:]] - running[problem.indptr[:-1]]).max(initial=0.0)), 1.0)
    return float(2.0 ** (_PRICE_BITS - _ROW_BITS - 2 - np.ceil(np.log2(dearest * float(factor.max())))))


def _part_factors(problem: Problem) -> NDArray[np.int64]:
    """Return 1 / (k r_j) as whole numbers: a row too many in a small part is a greater share of it."""
    if (problem.weights == problem.weights[0]).all():
        return np.ones(problem.n_parts, np.int64)
    share = problem.weights / problem.weights.sum()
    return np.asarray(np.maximum(1, np.round(16 * share.max() / share)), dtype=np.int64)


def _deviation(problem: Problem, part_of_unit: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return (n_criteria, n_parts) what each part holds less its target, in fractions of a row."""
    n_parts = problem.n_parts
    place = problem.indices.astype(np.int64) * n_parts + np.repeat(part_of_unit, np.diff(problem.indptr))
    held = np.bincount(place, problem.amounts if len(problem.amounts) else None, minlength=problem.n_criteria * n_parts)
    step = np.where(problem.is_amount, 1, 1 << _ROW_BITS)[:, None]
    target = np.round(problem.total_of_criterion[:, None] * step * (problem.sizes / problem.n_rows)).astype(np.int64)
    return np.ascontiguousarray(held.reshape(problem.n_criteria, n_parts).astype(np.int64) * step - target)
