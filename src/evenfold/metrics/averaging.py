"""From the value of each label or row to one number, and what replaces undefined values."""

from __future__ import annotations

import numbers
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from .._checks.choices import check_choice
from ..exceptions import InputError

Average = Literal["micro", "macro", "samples", "weighted"] | None
Undefined = float | Literal["skip"]


def check_average(average: Any) -> None:
    """Check that the average is one of four names, or None for each label's own value."""
    if average is not None:
        advice = "None gives the value of each label."
        check_choice(average, "average", ("macro", "micro", "samples", "weighted"), advice)


def check_undefined(undefined: Any) -> Undefined:
    """Check that undefined values are replaced by a number, or skipped; return what was given."""
    if undefined != "skip" and not _is_number(undefined):
        raise InputError(
            f"must be a number, NaN included, or 'skip', got {undefined!r}. Leave it out for NaN.",
            parameter="undefined",
        )
    return undefined  # type: ignore[no-any-return]


def choose_undefined(undefined: Any, zero_division: Any) -> Undefined:
    """Return what replaces undefined values, given by either name; NaN by default.

    NaN as `zero_division` leaves them out of the mean, as in scikit-learn.
    """
    if zero_division is None:
        if undefined is None:
            return float("nan")
        return check_undefined(undefined)
    if undefined is not None:
        raise InputError(
            "must be left out with 'undefined', its other name, "
            f"got {zero_division!r} and {undefined!r}. Leave out one of the two.",
            parameter="zero_division",
        )
    if not _is_number(zero_division):
        raise InputError(
            f"must be a number, NaN included, got {zero_division!r}. "
            "Take 0, which is scikit-learn's value with a warning.",
            parameter="zero_division",
        )
    return "skip" if np.isnan(zero_division) else zero_division


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def divide(over: NDArray[Any], under: NDArray[Any]) -> NDArray[np.float64]:
    """Divide; the quotient is NaN where the divisor is 0."""
    quotient = np.full(over.shape, np.nan)
    np.divide(over, under, out=quotient, where=under != 0)
    return quotient


def average_values(
    values: NDArray[np.float64],
    average: Average,
    undefined: Undefined,
    weights: NDArray[Any] | None = None,
) -> Any:
    """Return the mean of the values, or the values themselves if `average` is None.

    NaN values make the mean NaN, unless `undefined` is a number, which replaces them, or "skip",
    which leaves them out of the mean. So does a weight of 0, unless all weights are 0: then they
    are not used.
    """
    if undefined != "skip":
        values = np.where(np.isnan(values), undefined, values)
    if average is None:
        return values
    if weights is not None and weights.any():
        values, weights = values[weights > 0], weights[weights > 0]
    else:
        weights = None
    if undefined == "skip":
        is_defined = ~np.isnan(values)
        values, weights = values[is_defined], None if weights is None else weights[is_defined]
    return take_mean(values, weights) if len(values) else float("nan")


def take_mean(values: NDArray[np.float64], weights: NDArray[Any] | None) -> float:
    """Return the mean of values, weighted or not."""
    return float(values.mean() if weights is None else np.average(values, weights=weights))
