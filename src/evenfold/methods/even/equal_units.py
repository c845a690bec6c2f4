"""Equal units: units that hold the same can be exchanged, so most of them need no search."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ...problem.labelsets import number_labelsets
from ...problem.problem import Problem
from .tuning import FREE_UNITS_OF_KIND


def fix_equal_units(problem: Problem, rng: np.random.Generator) -> Problem:
    """Give each part its whole share of the units of every kind; only the others stay free.

    Units of a kind hold the same criteria in the same amounts and stand for as many rows. Each part
    gets a few units of a kind less than its share, larger parts in proportion: these stay free for
    the search. Which units of a kind a part gets is drawn.
    """
    kind = _number_kinds(problem)
    is_free = problem.fixed < 0
    n_of_kind = np.bincount(kind[is_free], minlength=int(kind.max()) + 1)
    n_left_free = np.ceil(FREE_UNITS_OF_KIND * problem.n_parts * problem.sizes / problem.n_rows)
    # Whole numbers: n · size // rows is the floor of the share without rounding.
    share = n_of_kind[:, None] * problem.sizes // problem.n_rows
    n_dealt = np.maximum(0, share - n_left_free.astype(np.int64))
    if problem.least.size:
        n_dealt = _leave_room(problem, kind, n_dealt)
    n_dealt_of_kind = n_dealt.sum(axis=1)
    if not n_dealt_of_kind.any():
        return problem
    units = rng.permutation(np.flatnonzero(is_free & (n_dealt_of_kind[kind] > 0)))
    units = units[np.argsort(kind[units], kind="stable")]
    # The first units of each kind are dealt, part after part.
    n_before = np.concatenate(([0], np.cumsum(np.bincount(kind[units], minlength=len(n_dealt)))))
    rank = np.arange(len(units)) - n_before[kind[units]]
    dealt = rank < n_dealt_of_kind[kind[units]]
    fixed = problem.fixed.copy()
    fixed[units[dealt]] = np.repeat(
        np.tile(np.arange(problem.n_parts, dtype=np.int32), len(n_dealt)), n_dealt.ravel()
    )
    return replace(problem, fixed=fixed)


def _leave_room(
    problem: Problem, kind: NDArray[np.int64], n_dealt: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return fewer units of each kind for the parts that need room for the rows they must hold.

    What the dealt units hold is not counted, so that there is more room than needed.
    """
    rows_of_kind = np.zeros(len(n_dealt), np.int64)
    rows_of_kind[kind] = problem.rows_of_unit
    is_fixed = problem.fixed >= 0
    n_fixed = np.bincount(
        problem.fixed[is_fixed], problem.rows_of_unit[is_fixed], minlength=problem.n_parts
    ).astype(np.int64)
    rows_dealt = rows_of_kind @ n_dealt
    # A group brings more rows than the one that is needed.
    needed = problem.least.sum(axis=0) * -(-problem.n_rows // problem.n_units)
    most = np.clip(problem.sizes - n_fixed - needed, 0, rows_dealt)
    return np.asarray(n_dealt * most // np.maximum(1, rows_dealt))


def _number_kinds(problem: Problem) -> NDArray[np.int64]:
    """Return (n_units,) numbers, equal for units that can be exchanged."""
    kind = number_labelsets(problem.indptr, problem.indices, problem.amounts)
    if problem.n_units == problem.n_rows:
        return kind
    key = kind * (int(problem.rows_of_unit.max()) + 1) + problem.rows_of_unit
    return np.unique(key, return_inverse=True)[1]
