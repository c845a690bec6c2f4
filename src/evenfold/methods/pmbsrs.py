"""pmbsrs: rows sorted by how common their labels are, cut into strata, each stratum dealt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..problem.criteria import Level
from ..problem.criteria_order import order_criteria
from ..problem.problem import Problem, keep_levels
from .method import Method
from .strata import deal_strata

# Weights are compared to this many digits, so that rounding errors do not order equal products.
_DIGITS = 9


@dataclass(frozen=True)
class Pmbsrs(Method):
    """Partitioning based on stratified random sampling (Charte et al. 2016), for any shares.

    The weight of a row is the product of the frequencies of its labels, 1 for a row without any.
    The rows, sorted by weight, are cut into as many strata as there are parts; each stratum is
    shuffled and dealt to the parts by their shares. Cost O(nnz + n log n).

    Notes
    -----
    Every part has its target size, to the row, where there are no groups.
    The paper cuts equal folds; parts of unequal shares have strata of their sizes.
    With groups, the frequencies of all labels of the group's rows are multiplied.
    Only the first level of criteria, the labels, makes weights.

    Examples
    --------
    >>> s = evenfold.split([["a"]] * 8 + [["b"]] * 2, parts=2, method="pmbsrs")
    >>> s.sizes.tolist(), s.quality.flz
    ([5, 5], 0)
    """

    name = "pmbsrs"
    exact_sizes = True
    uses_order = False

    def place(self, problem: Problem, rng: np.random.Generator) -> NDArray[np.int32]:
        """Return the part of each unit, (n_units,)."""
        labels = order_criteria(keep_levels(problem, Level.LABELS), rng)
        log_frequency = np.log(labels.total_of_criterion / problem.n_rows)
        weight = np.round(labels.to_csr() @ log_frequency, _DIGITS)
        shuffled = rng.permutation(problem.n_units)
        by_weight = shuffled[np.argsort(weight[shuffled], kind="stable")]
        rows = problem.rows_of_unit[by_weight]
        stratum_of_unit = np.empty(problem.n_units, np.int64)
        stratum_of_unit[by_weight] = np.searchsorted(
            np.cumsum(problem.sizes), np.cumsum(rows) - rows, side="right"
        )
        _, stratum_of_unit = np.unique(stratum_of_unit, return_inverse=True)
        return deal_strata(problem, stratum_of_unit, rng)
