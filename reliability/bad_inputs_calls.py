"""Calls with one wrong argument, and the small data they are made with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

N_ROWS = 24
# Parameters that are whole numbers: a float is of the wrong type.
_WHOLE = {
    "cover", "cv", "epochs", "k", "max_epochs", "max_group", "min_rows", "n_chains",
    "n_jobs", "n_labels", "n_models", "n_movies", "n_neighbors", "n_repeats", "n_rows", "n_splits",
    "random_state", "repeats", "tries", "workers",
}  # fmt: skip
Y = np.array([[at % 2, at % 3 == 0, at % 4 == 0] for at in range(N_ROWS)], dtype=int)
X = np.arange(3.0 * N_ROWS).reshape(N_ROWS, 3)
SCORES = (X - X.min()) / X.max()
LISTS = [[f"l{label}" for label in np.flatnonzero(row)] for row in Y]
HALVES = [at % 2 for at in range(N_ROWS)]
NAN, INF = float("nan"), float("inf")


class Wrong(NamedTuple):
    """A call with one wrong argument.

    Attributes
    ----------
    function : callable
        What is called, with the right arguments bound.
    name : str
        The parameter that is wrong.
    value : Any
        Its value.
    says : sequence of str
        What the message must have besides the name; the value as Python writes it if empty.
    error : type
        The error that must be raised, or the base of it.
    """

    function: Callable[..., Any]
    name: str
    value: Any
    says: Sequence[str] = ()
    error: type[Exception] = ValueError


def each(function: Callable[..., Any], name: str, values: Sequence[Any]) -> list[Wrong]:
    """Return a call for each value; a tuple is a value, what must be said, and the error."""
    cases = []
    for value in values:
        own = value if isinstance(value, Said) else Said(value)
        if name in _WHOLE and isinstance(value, float):
            own = typed(value, repr(value))
        cases.append(Wrong(function, name, own.value, own.says, own.error))
    return cases


class Said(NamedTuple):
    """A value, what the message must have, and the error that must be raised."""

    value: Any
    says: Sequence[str] = ()
    error: type[Exception] = ValueError


def typed(value: Any, *says: str) -> Said:
    """Return a value of a wrong type."""
    return Said(value, says, TypeError)


def said(value: Any, *says: str) -> Said:
    """Return a wrong value, which the message shows in other words."""
    return Said(value, says)
