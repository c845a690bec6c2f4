"""Strata: groups of similar units, each dealt to the parts by their shares."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .._kernels.strata import deal
from ..problem.problem import Problem


def deal_strata(
    problem: Problem, stratum_of_unit: NDArray[np.int64], rng: np.random.Generator
) -> NDArray[np.int32]:
    """Return the part of each unit: each stratum is shuffled and dealt, one after another.

    Strata are numbered without gaps; fixed units count as dealt.
    """
    shuffled = rng.permutation(problem.n_units)
    units = shuffled[np.lexsort((problem.fixed[shuffled] < 0, stratum_of_unit[shuffled]))]
    part_of_unit = problem.fixed.copy()
    deal.for_work(problem.n_units * problem.n_parts)(
        units,
        stratum_of_unit,
        problem.rows_of_unit,
        np.bincount(stratum_of_unit, problem.rows_of_unit).astype(np.int64),
        problem.sizes,
        rng.permutation(problem.n_parts),
        part_of_unit,
    )
    return part_of_unit
