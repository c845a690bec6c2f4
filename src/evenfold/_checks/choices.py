"""Names as arguments: one of a few names, with a suggestion for a misspelled one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

from ..exceptions import InputError, InputTypeError
from .values import show_value


def find_close(name: str, names: Iterable[str]) -> str | None:
    """Return the most similar of the names, ignoring case; None if no name is similar.

    Examples
    --------
    >>> find_close("Iteratve", ["even", "iterative"])
    'iterative'
    """
    known = {known.casefold(): known for known in names}
    near = difflib.get_close_matches(name.casefold(), known, n=1)
    return known[near[0]] if near else None


def suggest(name: str, names: Iterable[str], otherwise: str = "") -> str:
    """Return the question that ends a message ("Did you mean 'even'?"), or what to say instead."""
    near = find_close(name, names)
    return f"Did you mean {near!r}?" if near is not None else otherwise


def check_choice(value: Any, parameter: str, choices: Iterable[str], advice: str = "") -> str:
    """Check that a value is one of a few names.

    Parameters
    ----------
    value : Any
        The value to check.
    parameter : str
        The name of the argument it came as.
    choices : iterable of str
        The names allowed.
    advice : str, default=""
        What to do if no name is near the one given; by default to take one of the names.

    Returns
    -------
    str
        The value.

    Raises
    ------
    InputTypeError
        If the value is not a string.
    InputError
        If it is none of the names.
    """
    choices = list(choices)
    if not isinstance(value, str):
        raise InputTypeError(
            f"must be one of {', '.join(choices)}, got {show_value(value)}. "
            f"{advice or f'Try {parameter}={choices[0]!r}.'}",
            parameter=parameter,
        )
    if value not in choices:
        hint = suggest(value, choices, advice or "Take one of these.")
        raise InputError(
            f"must be one of {', '.join(choices)}, got {value!r}. {hint}", parameter=parameter
        )
    return value
