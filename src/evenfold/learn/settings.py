"""What a learner is told to do: checked when it is fitted, as scikit-learn asks, and errors about it worded."""

from __future__ import annotations

import difflib
import math
import numbers
from collections.abc import Iterable
from typing import Any

import numpy as np

from .._checks.values import shorten
from ..exceptions import InputError, InputTypeError


def check_whole(value: Any, name: str, example: int) -> int:
    """Return a whole number of at least 1."""
    if isinstance(value, bool) or not isinstance(value, numbers.Integral):
        raise InputTypeError(
            f"must be a whole number, got {shorten(value)}. Try {name}={example}.", parameter=name
        )
    if value < 1:
        raise InputError(f"must be 1 or more, got {value}. Try {name}={example}.", parameter=name)
    return int(value)


def check_number(value: Any, name: str, most: float, example: float) -> float:
    """Return a number above 0 and up to `most`."""
    if isinstance(value, bool) or not isinstance(value, float | int | np.number):
        raise InputTypeError(
            f"must be a number, got {shorten(value)}. Try {name}={example}.", parameter=name
        )
    if not 0 < value <= most or value == math.inf:
        limit = "finite" if most == math.inf else f"at most {most:g}"
        raise InputError(
            f"must be above 0 and {limit}, got {value}. Try {name}={example}.", parameter=name
        )
    return float(value)


def check_choice(value: Any, name: str, choices: Iterable[str]) -> str:
    """Return one of the names there are, or raise what lists them and guesses which was meant."""
    choices = list(choices)
    if not isinstance(value, str):
        raise InputTypeError(
            f"must be one of {', '.join(choices)}, got {shorten(value)}. Try {name}={choices[0]!r}.",
            parameter=name,
        )
    if value not in choices:
        near = difflib.get_close_matches(value, choices, n=1)
        hint = f"Did you mean {near[0]!r}?" if near else "Take one of these."
        raise InputError(
            f"must be one of {', '.join(choices)}, got {value!r}. {hint}", parameter=name
        )
    return value
