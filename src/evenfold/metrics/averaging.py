"""From the value of every label or row to one number, and what becomes of values that are undefined."""

from __future__ import annotations

import numbers
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ..exceptions import InputError

Average = Literal["micro", "macro", "samples"] | None
Undefined = float | Literal["skip"]

AVERAGES = ("micro", "macro", "samples", None)


def check_choices(average: Any, undefined: Any) -> None:
    """Refuse what is no average, or no way to treat undefined values."""
    if average not in AVERAGES:
        raise InputError(
            f"must be 'micro', 'macro' (over labels), 'samples' (over rows) or None (each label), got {average!r}. Take one of these.",
            parameter="average",
        )
    if undefined != "skip" and (
        isinstance(undefined, bool) or not isinstance(undefined, numbers.Real)
    ):
        raise InputError(
            f"must be a number, NaN included, or 'skip', got {undefined!r}. Leave it out for NaN.",
            parameter="undefined",
        )


def divide(over: NDArray[Any], under: NDArray[Any]) -> NDArray[np.float64]:
    """Divide, NaN where there is nothing to divide by."""
    quotient = np.full(over.shape, np.nan)
    np.divide(over, under, out=quotient, where=under != 0)
    return quotient


def reduce_values(values: NDArray[np.float64], average: Average, undefined: Undefined) -> Any:
    """Return the mean, or the values themselves where no average is asked for.

    NaN stays NaN and makes the mean NaN, unless `undefined` is a number to take its place, or "skip", which leaves it out of the mean.
    """
    is_undefined = np.isnan(values)
    if undefined != "skip":
        values = np.where(is_undefined, undefined, values)
    elif average is not None:
        values = values[~is_undefined]
    if average is None:
        return values
    return float(values.mean()) if len(values) else float("nan")
