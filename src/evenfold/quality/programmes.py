"""Linear programmes whose solutions are the best prices of a relaxation."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from .relaxation import Prices, Relaxation
from .values import Floats, Ints

# Most variables of a programme over units, and of one over numbers of rows, which is easier: both
# take about 0.1 s.
_MAX_VARIABLES = 3_000
_MAX_VARIABLES_OF_PARTITION = 30_000


def solve_programme(relaxation: Relaxation) -> Prices | None:
    """Return the best prices, if groups could be divided; None if that would take long."""
    n_labels, n_classes = relaxation.shape
    if relaxation.is_partition:
        rows, n_alike = np.unique(relaxation.rows_of_label, return_counts=True)
        if 3 * n_classes * len(rows) <= _MAX_VARIABLES_OF_PARTITION:
            return _solve_partition(relaxation, rows, n_alike)
    if n_classes * (3 * n_labels + len(relaxation.units.rows)) <= _MAX_VARIABLES:
        return _solve_units(relaxation)
    return None


def _solve_partition(relaxation: Relaxation, rows: Ints, n_alike: Ints) -> Prices | None:
    """Return the best prices if each row holds exactly one label.

    `n_alike` labels have `rows` rows; these share one line of a transportation problem with convex
    costs, whose linear programme has whole solutions. The prices are the same for all labels.
    """
    n_classes, n_lines = relaxation.shape[1], len(rows)
    slope, room = _find_segments(relaxation, rows)
    of_line = sparse.kron(sparse.eye_array(n_lines), np.ones((1, 3 * n_classes)))
    in_class = sparse.kron(np.ones((1, n_lines)), _add_segments(n_classes))
    marginals = _solve(
        slope.ravel(),
        (room * n_alike[:, None, None]).ravel().astype(np.float64),
        sparse.vstack([of_line, in_class]),
        np.concatenate([rows * n_alike, relaxation.rows_wanted]),
    )
    if marginals is None:
        return None
    of_row = -relaxation.weight * marginals[n_lines:]
    return Prices(np.tile(of_row, (relaxation.shape[0], 1)), of_row)


def _solve_units(relaxation: Relaxation) -> Prices | None:
    """Return the best prices if units could be divided.

    Variables: units of each kind in each class, then the segments of each label in each class.
    """
    (n_labels, n_classes), units = relaxation.shape, relaxation.units
    n_units = len(units.rows)
    slope, room = _find_segments(relaxation, relaxation.rows_of_label)
    amounts = units.amounts if len(units.amounts) else np.ones(len(units.indices))
    held = sparse.csr_array((amounts, units.indices, units.indptr), shape=(n_units, n_labels))
    each_class = sparse.eye_array(n_classes)
    placed_once = sparse.kron(sparse.eye_array(n_units), np.ones((1, n_classes)))
    in_class = sparse.kron(units.rows[None, :], each_class)
    linked = [sparse.kron(held.T, each_class), -_add_segments(n_labels * n_classes)]
    blocks: Any = [[placed_once, None], [in_class, None], linked]
    marginals = _solve(
        np.concatenate([np.zeros(n_units * n_classes), slope.ravel()]),
        np.concatenate([np.full(n_units * n_classes, np.inf), room.ravel()]),
        sparse.block_array(blocks),
        np.concatenate([units.n_alike, relaxation.rows_wanted, np.zeros(n_labels * n_classes)]),
    )
    if marginals is None:
        return None
    of_label = marginals[n_units + n_classes :].reshape(relaxation.shape)
    return Prices(
        relaxation.weight * of_label,
        -relaxation.weight * marginals[n_units : n_units + n_classes],
    )


def _add_segments(n: int) -> Any:
    """Return the matrix that adds up each three segments."""
    return sparse.kron(sparse.eye_array(n), np.ones((1, 3)))


def _find_segments(relaxation: Relaxation, rows: Ints) -> tuple[Floats, Ints]:
    """Return (n_lines, n_classes, 3) costs of a row, relative to the weight, and rows at that cost.

    The cost of a row of the label changes at the floor of its exact share, and after the next row.
    """
    n, sizes = relaxation.rows_wanted.sum(), relaxation.sizes
    exact = rows[:, None] * sizes
    floor, remainder = exact // n, exact % n / n
    per_row = n / exact
    slope = np.stack([-per_row, per_row * (1 - 2 * remainder), per_row], axis=2)
    crossing = np.minimum(sizes - floor, 1)
    room = np.stack([floor, crossing, sizes - floor - crossing], axis=2)
    return slope, room * relaxation.n_alike[:, None]


def _solve(cost: Floats, most: Floats, equations: Any, totals: Floats) -> Floats | None:
    """Return what one more in each total would cost; None if no solution was found."""
    # Imported here because it takes a while, and most bounds need no programme.
    from scipy.optimize import linprog

    limits: Any = np.column_stack([np.zeros(len(most)), most])
    matrix: Any = sparse.csr_array(equations)
    solution = linprog(cost, A_eq=matrix, b_eq=totals, bounds=limits)
    return np.asarray(solution.eqlin.marginals) if solution.status == 0 else None
