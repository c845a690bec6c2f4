"""Several tries of a split, of which the one with the lowest residual is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from .._checks.numbers import check_whole
from ..exceptions import InputError
from ..problem.residuals import check_norm, residual

_AGGREGATORS: dict[str, Callable[..., Any]] = {
    "max": np.max,
    "mean": np.mean,
    "median": np.median,
    "sum": np.sum,
}

Aggregator = str | Callable[[NDArray[np.float64]], float]


def check_tries(tries: int, aggregator: Aggregator, norm: float) -> None:
    """Check the settings of a method that keeps the best of several tries."""
    check_whole(tries, "tries", "Leave it out for what suits the method.")
    if not callable(aggregator) and aggregator not in _AGGREGATORS:
        raise InputError(
            f"must be {', '.join(_AGGREGATORS)}, or a function of the residuals, got "
            f"{aggregator!r}. Leave it out for 'max'.",
            parameter="aggregator",
        )
    check_norm(norm)


def keep_best(
    place: Callable[[int], NDArray[np.int32]],
    tries: int,
    aggregator: Aggregator,
    norm: float,
    by_unit: scipy.sparse.csr_array,
    held: NDArray[np.float64],
) -> NDArray[np.int32]:
    """Return the try with the lowest residual, as the aggregator combines those of the parts.

    `place(number)` makes a try of the units `by_unit` (n_units, n_criteria); `held` (n_parts,
    n_criteria) is what the parts hold already.
    """
    if tries == 1:
        return place(0)
    aggregate = aggregator if callable(aggregator) else _AGGREGATORS[aggregator]
    by_criterion = scipy.sparse.csr_array(by_unit.T)
    used = by_criterion.sum(axis=1) + held.sum(axis=0) > 0
    best, least = np.empty(0, np.int32), np.inf
    for number in range(tries):
        part_of_unit = place(number)
        indicator = (part_of_unit[:, None] == np.arange(len(held))).astype(np.float64)
        count = (by_criterion @ indicator).T + held
        found = float(aggregate(residual(count[:, used], norm)))
        if not number or found < least:
            best, least = part_of_unit, found
    return best
