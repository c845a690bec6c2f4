"""Placing of units by a method, with the checks and corrections that every method needs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..exceptions import InputError
from ..methods import Method
from ..methods.even.refinement import mend_sizes
from ..problem.problem import Problem, fill_empty_parts


def place_units(
    method: Method, problem: Problem, rng: np.random.Generator, exact_sizes: bool
) -> NDArray[np.int32]:
    """Return the part of each unit, after the checks and corrections that every method needs."""
    part_of_unit = method.place(problem, rng)
    _check_result(part_of_unit, problem, method)
    if exact_sizes and not _has_promised_sizes(method, problem, part_of_unit):
        part_of_unit = mend_sizes(problem, part_of_unit, rng)
    fill_empty_parts(problem, part_of_unit)
    return part_of_unit


def _has_promised_sizes(method: Method, problem: Problem, part_of_unit: NDArray[np.int32]) -> bool:
    """Tell whether each part has its share, rounded down or up, by a method that promises it.

    Other parts than those drawn may then have one row more: to correct that would cost evenness.
    """
    if not method.exact_sizes or problem.n_units < problem.n_rows:
        return False
    share = problem.weights * problem.n_rows
    least = share // problem.weights.sum()
    most = -(-share // problem.weights.sum())
    rows = problem.count_rows(part_of_unit)
    return bool(((least <= rows) & (rows <= most)).all())


def _check_result(part_of_unit: Any, problem: Problem, method: Method) -> None:
    """Refuse a result that no method may return; users can write methods of their own."""
    n_units, n_parts = problem.n_units, problem.n_parts
    good = (
        isinstance(part_of_unit, np.ndarray)
        and part_of_unit.shape == (n_units,)
        and part_of_unit.dtype.kind == "i"
    )
    if not good or part_of_unit.min() < 0 or part_of_unit.max() >= n_parts:
        raise InputError(
            f"must return a part from 0 to {n_parts - 1} for each of the {n_units:,} units, "
            f"which {method.name!r} did not.",
            parameter="method",
        )
    moved = np.flatnonzero((problem.fixed >= 0) & (part_of_unit != problem.fixed))
    if len(moved):
        unit = int(moved[0])
        raise InputError(
            f"must leave fixed units in their parts, but {method.name!r} moved {len(moved):,}, "
            f"first unit {unit} from part {problem.fixed[unit]} to {part_of_unit[unit]}. "
            "Return problem.fixed where it is 0 or more.",
            parameter="method",
        )
