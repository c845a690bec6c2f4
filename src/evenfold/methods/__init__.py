"""Methods: each takes a Problem and a generator and returns the part of each unit."""

from __future__ import annotations

import difflib
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ..exceptions import InputError, InputTypeError
from ..problem import Problem
from .iterative import Iterative
from .labelset import Labelset
from .random import Random

__all__ = ["METHODS", "Iterative", "Labelset", "Method", "Random", "find_method"]


@runtime_checkable
class Method(Protocol):
    """What a method must offer: a name and `place`."""

    @property
    def name(self) -> str:
        """The name it goes by in tables."""
        ...

    def place(self, problem: Problem, rng: np.random.Generator) -> NDArray[np.int32]:
        """Return the part of each unit, (n_units,)."""
        ...


METHODS: dict[str, type[Method]] = {"iterative": Iterative, "labelset": Labelset, "random": Random}


def find_method(method: str | Method) -> Method:
    """Return the method of that name with its default settings, or the object itself."""
    if isinstance(method, str):
        if method not in METHODS:
            near = difflib.get_close_matches(method, METHODS, n=1)
            hint = f"Did you mean {near[0]!r}?" if near else "Take one of these."
            raise InputError(f"'method' must be one of {', '.join(METHODS)}, got {method!r}. {hint}")
        return METHODS[method]()
    if isinstance(method, type) or not isinstance(method, Method):
        raise InputTypeError(
            f"'method' must be a name or an object like evenfold.methods.Iterative(), got {_describe(method)}. Try method='iterative'."
        )
    return method


def _describe(method: Any) -> str:
    return f"the class {method.__name__}" if isinstance(method, type) else f"{method!r}, a {type(method).__name__}"
