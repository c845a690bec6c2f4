"""labelset: rows with the same labels are dealt to the parts in turn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..problem.criteria import Level
from ..problem.labelsets import number_labelsets
from ..problem.problem import Problem, keep_levels
from .method import Method
from .strata import deal_strata


@dataclass(frozen=True)
class Labelset(Method):
    """Stratified sampling by distinct labelsets (Sechidis et al. 2011, section 2), for any shares.

    Labelsets are taken in random order. The rows of each are dealt to the parts by their shares. If
    a part gets too few or too many, the next labelset corrects this.

    Notes
    -----
    Every part has its target size, to the row, where there are no groups.
    Every labelset is within two rows of its share in every part, where there are no groups.
    With groups, units with the same counts and rows make a stratum; the largest units go first.
    Only the first level of criteria, the labels, makes strata.

    Examples
    --------
    >>> y = [["a", "b"], ["a"]] * 10
    >>> s = evenfold.split(y, 5, method=evenfold.methods.Labelset())
    >>> sorted(len(y[row]) for row in s[0])
    [1, 1, 2, 2]
    """

    name = "labelset"
    exact_sizes = True
    uses_order = False

    def place(self, problem: Problem, rng: np.random.Generator) -> NDArray[np.int32]:
        """Return the part of each unit, (n_units,)."""
        labels = keep_levels(problem, Level.LABELS)
        labelset = number_labelsets(labels.indptr, labels.indices, labels.amounts)
        labelset = rng.permutation(labelset.max() + 1)[labelset]
        _, stratum_of_unit = np.unique(
            np.stack((-problem.rows_of_unit, labelset)), axis=1, return_inverse=True
        )
        return deal_strata(problem, stratum_of_unit, rng)
