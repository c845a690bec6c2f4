"""The residual of RandomSplit: how much a part's shares of all criteria differ from each other."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._checks.values import show_value
from ..exceptions import InputError

NORMS = (1, 2, math.inf)


def check_norm(norm: float) -> float:
    """Check the norm of a residual: 1, 2 or infinity."""
    if isinstance(norm, bool | str) or norm not in NORMS:
        raise InputError(
            f"must be 1, 2 or inf, got {show_value(norm)}. Leave it out for 2.", parameter="norm"
        )
    return norm


def residual(count: NDArray[Any], norm: float = 2) -> NDArray[np.float64]:
    """Return ‖Z D W x‖ of each part, with x its 0/1 indicator.

    `count` (n_parts, n_criteria) is what each part holds; no criterion is 0 in all parts.
    """
    if count.shape[1] == 0:
        return np.zeros(len(count))
    share = count / count.sum(axis=0)
    return np.asarray(np.linalg.norm(share - share.mean(axis=1, keepdims=True), norm, axis=1))
