"""The numbers that a made set is asked for by: checked, and errors about them worded, in one place."""

from __future__ import annotations

import math
import numbers

from ..exceptions import InputError, InputTypeError


def check_count(count: int, name: str, advice: str, most: int | None = None) -> int:
    """Return a whole number from 1 to `most`, or raise what says so and ends in the advice."""
    if isinstance(count, bool) or not isinstance(count, numbers.Integral):
        raise InputTypeError(f"must be a whole number, got {count!r}. {advice}", parameter=name)
    if count < 1 or (most is not None and count > most):
        wanted = "1 or more" if most is None else f"from 1 to {most:,}"
        raise InputError(f"must be {wanted}, got {count:,}. {advice}", parameter=name)
    return int(count)


def check_number(number: float, name: str, advice: str, most: float = math.inf) -> float:
    """Return a finite number from 0 to `most`, or raise what says so and ends in the advice."""
    if isinstance(number, bool) or not isinstance(number, numbers.Real):
        raise InputTypeError(f"must be a number, got {number!r}. {advice}", parameter=name)
    if not 0 <= number <= most or math.isinf(number):
        wanted = "finite and 0 or more" if most == math.inf else f"from 0 to {most:g}"
        raise InputError(f"must be {wanted}, got {number:g}. {advice}", parameter=name)
    return float(number)
