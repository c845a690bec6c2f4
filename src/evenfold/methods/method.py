"""Method: the contract between a way to split and everything that calls it."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..problem.cover import Cover
from ..problem.problem import Problem
from .orders import Order


class Method:
    """Base class of all methods: a name, a few facts about the method, and `place`.

    A subclass must have `name` and `place`. A dataclass whose fields are its settings gets its
    record in `Split.origin` and its title in `compare` from `list_settings`. To give a method a
    name for `method=`, add it to `METHODS` in `evenfold/methods/__init__.py`.

    Attributes
    ----------
    name : str
        The name of the method in tables and records.
    improves : bool
        Whether `place` improves `problem.start` if it is given; by default False, and a `start` is
        an error.
    exact_sizes : bool
        Whether every part gets its target size, to the row, without groups; by default False.
    order : 1, 2 or "auto"
        What is kept even if the caller does not say: 1 (default) labels, 2 also label pairs, "auto"
        also row profiles.
    cover : int, bool or None
        The rows of each label that every part should hold if the caller does not say, as for
        `evenfold.split`; by default None. Used only if `covers` is True.
    balances_profiles : bool
        Whether `order=2` adds row profiles besides label pairs; by default False. A row's profile
        is its labelset, its number of labels and how rare its rarest label is.
    covers : bool
        Whether `place` keeps to `problem.least` where it can; by default False, and a `cover` is an
        error.
    uses_order : bool
        Whether `place` uses criteria besides single labels; by default True.
    uses_size_slack : bool
        Whether `place` makes labels more even by sizes that are off by up to `problem.size_slack`;
        by default False, and only sizes that are further off are corrected.

    Examples
    --------
    >>> import numpy as np
    >>> class FirstCome(evenfold.methods.Method):
    ...     name = "first come"
    ...     def place(self, problem, rng):
    ...         placed = np.repeat(np.arange(problem.n_parts), problem.sizes)
    ...         return np.where(problem.fixed < 0, placed, problem.fixed)
    >>> evenfold.split([["a"], ["b"], ["a"]], [1, 2], method=FirstCome()).part_of_row.tolist()
    [0, 1, 1]
    """

    name: str
    improves: bool = False
    exact_sizes: bool = False
    order: Order = 1
    cover: Cover = None
    balances_profiles: bool = False
    covers: bool = False
    uses_order: ClassVar[bool] = True
    uses_size_slack: bool = False

    def place(self, problem: Problem, rng: np.random.Generator) -> NDArray[np.int32]:
        """Return the part of each unit.

        Parameters
        ----------
        problem : Problem
            Units × criteria, the sizes of the parts, and which units are fixed.
        rng : np.random.Generator
            The only source of randomness, so that a seed gives one split.

        Returns
        -------
        NDArray[np.int32]
            (n_units,) a part from 0 to n_parts - 1 for each unit.
        """
        raise NotImplementedError(f"{type(self).__name__} has no method place(problem, rng)")

    def count_steps(self, n_units: int, n_entries: int, n_criteria: int, n_parts: int) -> float:
        """Return about how many steps, of a nanosecond or so, one split takes.

        `compare` skips a method whose steps would take too long; by default 0, never skipped.

        Parameters
        ----------
        n_units : int
            Number of units.
        n_entries : int
            Number of entries of units × criteria.
        n_criteria : int
            Number of criteria.
        n_parts : int
            Number of parts.

        Returns
        -------
        float
            Number of steps.
        """
        return 0.0

    def list_settings(self, changed_only: bool = False) -> dict[str, Any]:
        """Return the settings by name: the fields of a dataclass that its `repr` shows.

        Parameters
        ----------
        changed_only : bool, default=False
            Whether to leave out the settings that have their default value.

        Returns
        -------
        dict of str to Any
            The settings; none for a method that is not a dataclass.
        """
        return _list_settings(self, changed_only)


class AdaptedMethod(Method):
    """An object with `name` and `place` that is not a subclass of `Method`, as a `Method`.

    If it has other attributes of `Method`, these are used too.
    """

    def __init__(self, own: Any) -> None:
        self._own = own
        self.name = own.name
        for attribute in (
            "improves",
            "exact_sizes",
            "order",
            "cover",
            "balances_profiles",
            "covers",
            "uses_order",
            "uses_size_slack",
            "count_steps",
        ):
            if hasattr(own, attribute):
                setattr(self, attribute, getattr(own, attribute))

    def place(self, problem: Problem, rng: np.random.Generator) -> NDArray[np.int32]:
        """Return the part of each unit, (n_units,)."""
        return self._own.place(problem, rng)  # type: ignore[no-any-return]

    def list_settings(self, changed_only: bool = False) -> dict[str, Any]:
        """Return the settings of the object by name."""
        return _list_settings(self._own, changed_only)


def _list_settings(method: Any, changed_only: bool) -> dict[str, Any]:
    if not is_dataclass(method):
        return {}
    settings = {field: getattr(method, field.name) for field in fields(method) if field.repr}
    return {
        field.name: value
        for field, value in settings.items()
        if not changed_only or value != field.default
    }
