"""The residual of RandomSplit: how much a part's shares of all criteria differ from each other."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def residual(count: NDArray[Any]) -> NDArray[np.float64]:
    """Return ‖Z D W x‖₂ of each part, with x its 0/1 indicator.

    `count` (n_parts, n_criteria) is what each part holds; no criterion is 0 in all parts.
    """
    if count.shape[1] == 0:
        return np.zeros(len(count))
    share = count / count.sum(axis=0)
    return np.asarray(np.linalg.norm(share - share.mean(axis=1, keepdims=True), axis=1))
