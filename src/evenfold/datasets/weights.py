"""Amounts to keep even if there are no labels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .._checks.numbers import check_whole
from .._checks.seeds import make_rng

_ROW_OF_ZEROS = 7
_SHARE_OF_ZEROS = 0.9


def make_weights(
    n_columns: int = 200, n_criteria: int = 11, random_state: int | None = 0
) -> NDArray[np.float64]:
    """Make the weight matrix of RandomSplit's benchmark: criteria × units.

    Pass its transpose to `split` as `balance`.

    Parameters
    ----------
    n_columns : int, default=200
        The number of units to split.
    n_criteria : int, default=11
        The number of criteria to keep even.
    random_state : int, default=0
        The same number gives the same weights. With None, the result differs each time.

    Returns
    -------
    ndarray
        The weights, (n_criteria, n_columns), 0 or more.

    Raises
    ------
    InputError
        If a number is below 1.

    Notes
    -----
    Row 0 is 1: every unit counts as one. Row 7, if there is one, is 0.
    In every other row a random 90 % of the columns, rounded, are 0. The others are whole numbers
    from 1 to 9, all with the same probability. RandomSplit's own text says uniform in [1, 10),
    but its published means are those of whole numbers.

    Examples
    --------
    >>> weights = evenfold.datasets.make_weights()
    >>> weights.shape, (weights > 0).sum(axis=1).tolist()
    ((11, 200), [200, 20, 20, 20, 20, 20, 20, 0, 20, 20, 20])
    >>> evenfold.split(balance=weights.T, parts=[0.5, 0.5]).sizes.tolist()
    [100, 100]
    """
    check_whole(n_columns, "n_columns", "Ask for at least one unit.")
    check_whole(n_criteria, "n_criteria", "The number of units alone is one criterion.")
    rng = make_rng(random_state)
    weights = rng.integers(1, 10, (n_criteria, n_columns)).astype(np.float64)
    is_zero = np.tile(np.arange(n_columns) < round(_SHARE_OF_ZEROS * n_columns), (n_criteria, 1))
    weights[rng.permuted(is_zero, axis=1)] = 0
    weights[_ROW_OF_ZEROS : _ROW_OF_ZEROS + 1] = 0
    weights[0] = 1
    return weights
