"""Exact optima of small splits: all splits by brute force, or a mixed-integer program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from scipy import optimize, sparse

# Splits that are counted at a time; bounds the memory.
BLOCK = 20_000


class Objective(NamedTuple):
    """A sum over labels l and parts j of price_lj |count_lj - target_lj|, for parts of these sizes.

    `y` holds 0 and 1 as floats, rows × labels; `price` and `target` are labels × parts.
    """

    y: np.ndarray
    sizes: np.ndarray
    price: np.ndarray
    target: np.ndarray

    def cost(self, part_of_row: np.ndarray) -> float:
        """Return the cost of a split."""
        is_in_part = part_of_row[:, None] == np.arange(len(self.sizes))
        return float((self.price * np.abs(self.y.T @ is_in_part - self.target)).sum())


class Optimum(NamedTuple):
    """The cost of the best split found, and a lower bound of the cost of every split.

    The optimum is proven if both are equal.
    """

    cost: float
    bound: float


def find_optimum_by_brute_force(objective: Objective) -> Optimum:
    """Return the least cost over all splits of these sizes."""
    least = np.inf
    for parts in iterate_splits(objective.sizes):
        cost = np.zeros(len(parts))
        for part in range(len(objective.sizes)):
            off = np.abs((parts == part) @ objective.y - objective.target[:, part])
            cost += off @ objective.price[:, part]
        least = min(least, float(cost.min()))
    return Optimum(least, least)


def iterate_splits(sizes: np.ndarray) -> Iterator[np.ndarray]:
    """Yield all splits of rows into parts of these sizes, in blocks of one split per line."""
    n_rows = int(sizes.sum())
    block = np.full((1, n_rows), -1)
    # Row by row, each part that has room.
    for row in range(n_rows):
        extended = []
        for part, size in enumerate(sizes):
            has_room = (block == part).sum(axis=1) < size
            taken = block[has_room].copy()
            taken[:, row] = part
            extended.append(taken)
        block = np.concatenate(extended)
    for first in range(0, len(block), BLOCK):
        yield block[first : first + BLOCK]


def find_optimum_by_milp(objective: Objective, max_nodes: int) -> Optimum:
    """Return the least cost that SciPy's `milp` finds in so many nodes, and its lower bound.

    The variables are the rows of each distinct labelset in each part, and the deviation of each
    label in each part. Of parts that are alike, the first holds the most rows of the first
    labelset, and so on: without this, the solver compares splits that differ only in the numbers
    of the parts. The limit is a number of nodes, not a time, so that every machine proves the same
    optima.
    """
    labelsets, n_rows_of = np.unique(objective.y, axis=0, return_counts=True)
    n_sets, n_labels, n_parts = len(labelsets), objective.y.shape[1], len(objective.sizes)
    n_placed = n_sets * n_parts
    of_set = sparse.kron(np.ones((1, n_parts)), sparse.eye_array(n_sets))
    of_part = sparse.kron(sparse.eye_array(n_parts), np.ones((1, n_sets)))
    # Part by part, the rows of each label.
    of_label = sparse.kron(sparse.eye_array(n_parts), labelsets.T)
    deviation = sparse.eye_array(n_labels * n_parts)
    target = objective.target.T.ravel()
    floor = np.floor(target)
    # Between two whole numbers, |count - target| of a whole count is above this line. The solver
    # does not know that: it also takes fractions of rows, which meet every target.
    slope = 1 - 2 * (target - floor)
    result = optimize.milp(
        np.concatenate((np.zeros(n_placed), objective.price.T.ravel())),
        integrality=np.concatenate((np.ones(n_placed), np.zeros(n_labels * n_parts))),
        constraints=[
            optimize.LinearConstraint(_pad(of_set, n_placed, deviation), n_rows_of, n_rows_of),
            optimize.LinearConstraint(
                _pad(of_part, n_placed, deviation), objective.sizes, objective.sizes
            ),
            optimize.LinearConstraint(sparse.hstack((-of_label, deviation)), -target, np.inf),
            optimize.LinearConstraint(sparse.hstack((of_label, deviation)), target, np.inf),
            optimize.LinearConstraint(
                sparse.hstack((-sparse.diags_array(slope) @ of_label, deviation)),
                target - floor - slope * floor,
                np.inf,
            ),
            *_order_equal_parts(objective, n_sets),
        ],
        options={"node_limit": max_nodes, "mip_rel_gap": 0.0},
    )
    cost = np.inf if result.x is None else float(result.fun)
    bound = result.mip_dual_bound
    return Optimum(cost, 0.0 if bound is None else float(bound))


def _pad(matrix: sparse.sparray, n_placed: int, deviation: sparse.sparray) -> sparse.sparray:
    """Return the matrix with columns of 0 for the deviations."""
    return sparse.hstack((matrix, sparse.csr_array((matrix.shape[0], deviation.shape[1]))))


def _order_equal_parts(objective: Objective, n_sets: int) -> list[optimize.LinearConstraint]:
    """Return the constraint that orders parts of the same sizes and prices."""
    n_labels, n_parts = objective.price.shape
    kind = np.column_stack((objective.sizes, objective.price.T))
    rows = []
    for part in range(1, n_parts):
        same = [other for other in range(part) if np.array_equal(kind[other], kind[part])]
        if same:
            row = np.zeros((n_sets + n_labels) * n_parts)
            row[same[-1] * n_sets], row[part * n_sets] = 1, -1
            rows.append(row)
    return [optimize.LinearConstraint(np.array(rows), 0, np.inf)] if rows else []
