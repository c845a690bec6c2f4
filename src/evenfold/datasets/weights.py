"""Amounts to keep even where there are no labels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .._checks.seeds import make_rng
from .numbers_asked import check_count

_ZERO_ROW = 7
_SUPPRESSED = 0.9


def make_weights(
    n_columns: int = 200, n_criteria: int = 11, random_state: int | None = 0
) -> NDArray[np.float64]:
    """Make the weight matrix of RandomSplit's benchmark: criteria × units; hand its transpose to `split` as `balance`.

    Parameters
    ----------
    n_columns : units to split
    n_criteria : what must come out even
    random_state : the same number gives the same weights; None draws afresh

    Returns
    -------
    (n_criteria, n_columns) weights of 0 or more

    Notes
    -----
    Row 0 is 1: every unit counts as one. Row 7, where there is one, is 0.
    In every other row a random 90 % of the columns, to the nearest whole number, are 0 and the rest whole numbers from 1 to 9, all equally likely:
    RandomSplit's own text says uniform in [1, 10), but its published means are those of whole numbers.

    Examples
    --------
    >>> weights = evenfold.datasets.make_weights()
    >>> weights.shape, (weights > 0).sum(axis=1).tolist()
    ((11, 200), [200, 20, 20, 20, 20, 20, 20, 0, 20, 20, 20])
    >>> evenfold.split(balance=weights.T, parts=[0.5, 0.5]).sizes.tolist()
    [100, 100]
    """
    check_count(n_columns, "n_columns", "Ask for at least one unit.")
    check_count(n_criteria, "n_criteria", "The number of units alone is one criterion.")
    rng = make_rng(random_state)
    weights = rng.integers(1, 10, (n_criteria, n_columns)).astype(np.float64)
    is_suppressed = np.tile(np.arange(n_columns) < round(_SUPPRESSED * n_columns), (n_criteria, 1))
    weights[rng.permuted(is_suppressed, axis=1)] = 0
    weights[_ZERO_ROW : _ZERO_ROW + 1] = 0
    weights[0] = 1
    return weights
