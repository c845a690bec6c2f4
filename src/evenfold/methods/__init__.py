"""Methods: each takes a Problem and a generator and returns the part of each unit."""

from __future__ import annotations

import difflib
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ..exceptions import InputError, InputTypeError
from ..problem.problem import Problem
from .even.method import Even
from .iterative import Iterative
from .labelset import Labelset
from .optisplit import OptiSplit
from .pmbsrs import Pmbsrs
from .random import Random
from .sampling import Sampling
from .svd import Svd

__all__ = [
    "METHODS",
    "Even",
    "Iterative",
    "Labelset",
    "Method",
    "OptiSplit",
    "Pmbsrs",
    "Random",
    "Sampling",
    "Svd",
]


@runtime_checkable
class Method(Protocol):
    """What a method must offer: a name and `place`.

    It may also have `improves` (True: it takes a `start`), `order` (what it keeps even where `split` does not say) and `count_steps(n_units, n_entries,
    n_criteria, n_parts)`, about how many steps of a loop it takes, by which `compare` skips what would take too long.

    Examples
    --------
    >>> import numpy as np
    >>> class FirstCome:
    ...     name = "first come"
    ...     def place(self, problem, rng):
    ...         return np.repeat(np.arange(problem.n_parts), problem.sizes)
    >>> evenfold.split([["a"], ["b"], ["a"]], [1, 2], method=FirstCome()).part_of_row.tolist()
    [0, 1, 1]
    """

    @property
    def name(self) -> str:
        """The name it goes by in tables."""
        ...

    def place(self, problem: Problem, rng: np.random.Generator) -> NDArray[np.int32]:
        """Return the part of each unit, (n_units,)."""
        ...


METHODS: dict[str, type[Method]] = {
    "even": Even,
    "iterative": Iterative,
    "optisplit": OptiSplit,
    "sampling": Sampling,
    "svd": Svd,
    "labelset": Labelset,
    "pmbsrs": Pmbsrs,
    "random": Random,
}


def find_method(method: str | Method, effort: str | float | None = None) -> Method:
    """Return the method of that name, or the object itself."""
    if effort is not None and method != Even.name:
        raise InputError(
            f"must go with the method 'even', got method {_describe(method)}. Leave out one of the two.",
            parameter="effort",
        )
    if effort is not None:
        return Even(effort=effort)
    if isinstance(method, str):
        if method not in METHODS:
            near = difflib.get_close_matches(method, METHODS, n=1)
            hint = f"Did you mean {near[0]!r}?" if near else "Take one of these."
            raise InputError(
                f"must be one of {', '.join(METHODS)}, got {method!r}. {hint}", parameter="method"
            )
        return METHODS[method]()
    if isinstance(method, type) or not isinstance(method, Method):
        raise InputTypeError(
            f"must be a name or an object like evenfold.methods.Iterative(), got {_describe(method)}. Try method='iterative'.",
            parameter="method",
        )
    return method


def _describe(method: Any) -> str:
    if isinstance(method, str):
        return repr(method)
    return (
        f"the class {method.__name__}"
        if isinstance(method, type)
        else f"{method!r}, a {type(method).__name__}"
    )
