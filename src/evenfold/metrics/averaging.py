"""From the value of each label or row to one number, and what replaces undefined values."""

from __future__ import annotations

import numbers
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from .._checks.choices import check_choice
from ..exceptions import InputError

Average = Literal["micro", "macro", "samples"] | None
Undefined = float | Literal["skip"]


def check_average(average: Any) -> None:
    """Check that the average is one of three names, or None for each label's own value."""
    if average is not None:
        advice = "None gives the value of each label."
        check_choice(average, "average", ("macro", "micro", "samples"), advice)


def check_undefined(undefined: Any) -> None:
    """Check that undefined values are replaced by a number, or skipped."""
    is_number = isinstance(undefined, numbers.Real) and not isinstance(undefined, bool)
    if undefined != "skip" and not is_number:
        raise InputError(
            f"must be a number, NaN included, or 'skip', got {undefined!r}. Leave it out for NaN.",
            parameter="undefined",
        )


def divide(over: NDArray[Any], under: NDArray[Any]) -> NDArray[np.float64]:
    """Divide; the quotient is NaN where the divisor is 0."""
    quotient = np.full(over.shape, np.nan)
    np.divide(over, under, out=quotient, where=under != 0)
    return quotient


def average_values(values: NDArray[np.float64], average: Average, undefined: Undefined) -> Any:
    """Return the mean of the values, or the values themselves if `average` is None.

    NaN values make the mean NaN, unless `undefined` is a number, which replaces them, or "skip",
    which leaves them out of the mean.
    """
    is_undefined = np.isnan(values)
    if undefined != "skip":
        values = np.where(is_undefined, undefined, values)
    elif average is not None:
        values = values[~is_undefined]
    if average is None:
        return values
    return float(values.mean()) if len(values) else float("nan")
