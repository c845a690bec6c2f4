"""Methods: each takes a Problem and a generator and returns the part of each unit."""

from __future__ import annotations

from typing import Any

from .._checks.choices import check_choice
from ..exceptions import InputError, InputTypeError
from .assignment import Assignment
from .even.method import Even
from .iterative import Iterative, IterativeShuffled
from .labelset import Labelset
from .method import AdaptedMethod, Method
from .optisplit import OptiSplit, OptiSplitPublished
from .pmbsrs import Pmbsrs
from .random import Random
from .residual_bounds import ResidualBounds, bound_residuals
from .sampling import Sampling, SamplingPublished
from .svd import Svd

__all__ = [
    "METHODS",
    "Assignment",
    "Even",
    "Iterative",
    "IterativeShuffled",
    "Labelset",
    "Method",
    "OptiSplit",
    "OptiSplitPublished",
    "Pmbsrs",
    "Random",
    "ResidualBounds",
    "Sampling",
    "SamplingPublished",
    "Svd",
    "bound_residuals",
]

METHODS: dict[str, type[Method]] = {
    method.name: method
    for method in (
        Even,
        Assignment,
        Iterative,
        IterativeShuffled,
        OptiSplit,
        OptiSplitPublished,
        Sampling,
        SamplingPublished,
        Svd,
        Labelset,
        Pmbsrs,
        Random,
    )
}


def find_method(method: str | Method, effort: str | float | None = None) -> Method:
    """Return the method of that name, or the object itself.

    An object that is not a subclass of `Method` but has `name` and `place` is adapted.

    Parameters
    ----------
    method : str or Method
        A key of `METHODS`, or an object.
    effort : str or float or None, default=None
        The effort of `even`; an error with any other method.

    Returns
    -------
    Method
        The method.

    Raises
    ------
    InputError
        If the name is unknown, or an effort is given to a method other than `even`.
    InputTypeError
        If the method is neither a name nor an object with `name` and `place`.
    """
    if effort is not None and method != Even.name:
        raise InputError(
            f"can be used only with the method 'even', got method {_describe(method)}. "
            "Leave out one of the two.",
            parameter="effort",
        )
    if effort is not None:
        return Even(effort=effort)
    if isinstance(method, str):
        return METHODS[check_choice(method, "method", METHODS)]()
    if isinstance(method, Method):
        return method
    if isinstance(method, type) or not (hasattr(method, "name") and hasattr(method, "place")):
        raise InputTypeError(
            "must be a name or an object like evenfold.methods.Iterative(), got "
            f"{_describe(method)}. Try method='iterative'.",
            parameter="method",
        )
    return AdaptedMethod(method)


def _describe(method: Any) -> str:
    """Show a method in an error message."""
    if isinstance(method, str):
        return repr(method)
    if isinstance(method, type):
        return f"the class {method.__name__}"
    return f"{method!r}, a {type(method).__name__}"
