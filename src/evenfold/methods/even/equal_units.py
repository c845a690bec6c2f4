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

    A problem with fixed units, or with only some of all units, is returned as it is. If fixed units
    hold more of a label than their share, the best split of the others is not in proportion: no
    part has a share that is safe.
    """
    if problem.is_section or (problem.fixed >= 0).any():
        return problem
    kind = _number_kinds(problem)
    n_dealt = _count_dealt(problem, kind)
    n_dealt_of_kind = n_dealt.sum(axis=1)
    if not n_dealt_of_kind.any():
        return problem
    units = rng.permutation(np.flatnonzero(n_dealt_of_kind[kind] > 0))
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


def _number_kinds(problem: Problem) -> NDArray[np.int64]:
    """Return (n_units,) numbers, equal for units that can be exchanged."""
    kind = number_labelsets(problem.indptr, problem.indices, problem.amounts)
    if problem.n_units == problem.n_rows:
        return kind
    key = kind * (int(problem.rows_of_unit.max()) + 1) + problem.rows_of_unit
    number: NDArray[np.int64] = np.unique(key, return_inverse=True)[1]
    return number


def _count_dealt(problem: Problem, kind: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return (n_kinds, n_parts) how many units of each kind a part gets.

    If parts must hold more rows of a label than their share, units with this label stay free, and
    these parts keep room for them.
    """
    n_of_kind = np.bincount(kind)
    room = problem.sizes
    if problem.least.size:
        target = problem.total_of_criterion[:, None] * (problem.sizes / problem.n_rows)
        lacking = np.maximum(0.0, problem.least - target)
        entries = np.flatnonzero((lacking.max(axis=1) > 0)[problem.indices])
        n_of_kind[kind[np.searchsorted(problem.indptr, entries, side="right") - 1]] = 0
        room = np.maximum(0, room - np.ceil(lacking.sum(axis=0)).astype(np.int64))
    n_left_free = np.ceil(FREE_UNITS_OF_KIND * problem.n_parts * problem.sizes / problem.n_rows)
    # Whole numbers: n · room // rows is the floor of the share without rounding.
    share = n_of_kind[:, None] * room // problem.n_rows
    return np.asarray(np.maximum(0, share - n_left_free.astype(np.int64)))
