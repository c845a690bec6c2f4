"""Numbers as arguments: whole numbers and finite numbers within limits."""

from __future__ import annotations

import math
import numbers
from typing import Any

from ..exceptions import InputError, InputTypeError
from .values import show_value


def is_whole(value: Any) -> bool:
    """Tell whether a value is a whole number of Python or NumPy; True and False are not."""
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def check_whole(
    value: Any, parameter: str, advice: str, *, least: int = 1, most: int | None = None
) -> int:
    """Check that a value is a whole number from `least` to `most`.

    Parameters
    ----------
    value : Any
        The value to check.
    parameter : str
        The name of the argument it came as.
    advice : str
        The sentence that ends the message, such as "Try k=5.".
    least : int, default=1
        The smallest number allowed.
    most : int, default=None
        The largest number allowed; None for no limit.

    Returns
    -------
    int
        The number as an int.

    Raises
    ------
    InputTypeError
        If the value is not a whole number.
    InputError
        If it is outside the limits.
    """
    if not is_whole(value):
        raise InputTypeError(
            f"must be a whole number, got {show_value(value)}. {advice}", parameter=parameter
        )
    if value < least or (most is not None and value > most):
        wanted = f"{least:,} or more" if most is None else f"from {least:,} to {most:,}"
        raise InputError(f"must be {wanted}, got {value:,}. {advice}", parameter=parameter)
    return int(value)


def check_number(
    value: Any,
    parameter: str,
    advice: str,
    *,
    least: float = 0.0,
    most: float = math.inf,
    above: bool = False,
) -> float:
    """Check that a value is a finite number from `least` to `most`.

    Parameters
    ----------
    value : Any
        The value to check.
    parameter : str
        The name of the argument it came as.
    advice : str
        The sentence that ends the message, such as "Try smoothing=1.0.".
    least : float, default=0.0
        The smallest number allowed.
    most : float, default=inf
        The largest number allowed; infinity itself is never allowed.
    above : bool, default=False
        Whether the number must be larger than `least`.

    Returns
    -------
    float
        The number as a float.

    Raises
    ------
    InputTypeError
        If the value is not a real number.
    InputError
        If it is outside the limits, or NaN.
    """
    if not isinstance(value, numbers.Real) or isinstance(value, bool):
        raise InputTypeError(
            f"must be a number, got {show_value(value)}. {advice}", parameter=parameter
        )
    number = float(value)
    too_small = number <= least if above else number < least
    if too_small or not number <= most or math.isinf(number):
        lower = f"above {least:g}" if above else f"{least:g} or more"
        upper = "finite" if most == math.inf else f"at most {most:g}"
        raise InputError(
            f"must be {lower} and {upper}, got {number:g}. {advice}", parameter=parameter
        )
    return number
