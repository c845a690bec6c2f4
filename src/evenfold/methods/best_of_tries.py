"""Of several tries, the one with the lowest residual."""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ..exceptions import InputError
from ..problem.residuals import residual

_AGGREGATORS: dict[str, Callable[..., Any]] = {
    "max": np.max,
    "mean": np.mean,
    "median": np.median,
    "sum": np.sum,
}

Aggregator = str | Callable[[NDArray[np.float64]], float]


def check_tries(tries: int, aggregator: Aggregator) -> None:
    """Refuse what cannot be tried or compared."""
    if isinstance(tries, bool) or not isinstance(tries, Integral) or tries < 1:
        raise InputError(
            f"must be a whole number of at least 1, got {tries!r}. Leave it out for what suits the method.",
            parameter="tries",
        )
    if not callable(aggregator) and aggregator not in _AGGREGATORS:
        raise InputError(
            f"must be {', '.join(_AGGREGATORS)}, or a function of the residuals, got {aggregator!r}. Leave it out for 'max'.",
            parameter="aggregator",
        )


def keep_best(
    place: Callable[[int], NDArray[np.int32]],
    tries: int,
    aggregator: Aggregator,
    by_unit: sparse.csr_array,
    held: NDArray[np.float64],
) -> NDArray[np.int32]:
    """Return the try, of those `place` makes by number, whose residuals are lowest, taken together by the aggregator.

    `by_unit` (n_units, n_criteria) is placed; `held` (n_parts, n_criteria) is what the parts have before.
    """
    if tries == 1:
        return place(0)
    judge = aggregator if callable(aggregator) else _AGGREGATORS[aggregator]
    by_criterion = sparse.csr_array(by_unit.T)
    used = by_criterion.sum(axis=1) + held.sum(axis=0) > 0
    best, least = np.empty(0, np.int32), np.inf
    for number in range(tries):
        part_of_unit = place(number)
        indicator = (part_of_unit[:, None] == np.arange(len(held))).astype(np.float64)
        found = float(judge(residual(((by_criterion @ indicator).T + held)[:, used])))
        if not number or found < least:
            best, least = part_of_unit, found
    return best
