"""Measure: what a measure is called, what it means, and how it is computed and bounded."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Protocol, Self, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from .counts import Counts, Limits

Number = TypeVar("Number", bound=float)
MeasureLevel = Literal["sizes", "labels", "pairs", "labelsets"]
# Columns for the title where measures are listed, as wide as the longest acronym ("FLPZ").
_WIDTH_OF_TITLE = 4


class Readable(Protocol):
    """What has a number for each measure: a `Quality` or a `Bound`."""

    def _read(self, measure: Measure[Number]) -> Number:
        """Return the number of a measure."""
        ...


@dataclass(eq=False)
class Measure(Generic[Number]):
    """A measure of how even a split is; smaller is better.

    It is also the attribute of its name: `Quality.rld` is the measure, `quality.rld` its value.

    Attributes
    ----------
    title : str
        What the measure is called in tables, such as "rLD".
    subtitle : str
        What the title stands for, in a few words.
    meaning : str
        What is measured, in one phrase.
    level : {"sizes", "labels", "pairs", "labelsets"}
        What is spread over the parts. Label pairs and labelsets are each taken as a label.
    value : callable
        Returns the own value of each label or part, from `Counts`.
    combine : callable
        Makes one number of the own values.
    formula : str
        How it is computed, in TeX. `evenfold.quality.reference` says what the symbols are.
    bound : callable or None
        Returns the least own value of each label or part that any split could have, from `Limits`.
    combine_bounds : callable or None
        Makes one number of the own bounds; None: `combine`.
    per : {"label", "part"}
        What has an own value.
    needs_labels : bool
        Whether the measure says nothing about data without labels.
    has_tight_bound : bool
        Whether `TightBound` has a bound of it too.
    max_parts_for_bound : int or None
        Past this many parts the bound is not computed, but NaN.
    caption : str
        What a report says below the figure of the measure; empty: reports have no figure of it.
    name : str
        The attribute of `Quality` and the key in JSON.
    """

    title: str
    subtitle: str
    meaning: str
    level: MeasureLevel
    value: Callable[[Counts], NDArray[Any]]
    combine: Callable[[NDArray[Any]], Number]
    formula: str
    bound: Callable[[Limits], NDArray[Any]] | None = None
    combine_bounds: Callable[[NDArray[Any]], Number] | None = None
    per: Literal["label", "part"] = "label"
    needs_labels: bool = True
    has_tight_bound: bool = False
    max_parts_for_bound: int | None = None
    caption: str = ""
    name: str = field(default="", init=False)

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name
        self.__doc__ = f"{self.title}: {self.meaning}."

    @overload
    def __get__(self, measured: None, owner: type) -> Self: ...

    @overload
    def __get__(self, measured: Readable, owner: type) -> Number: ...

    def __get__(self, measured: Readable | None, owner: type) -> Self | Number:
        return self if measured is None else measured._read(self)

    def __repr__(self) -> str:
        return f"<Measure {self.name}: {self.meaning}>"

    @property
    def is_own_of_label(self) -> bool:
        """Whether each label has an own value, a column of `Quality.per_label`."""
        return self.level == "labels" and self.per == "label"

    @property
    def is_mean_of_labels(self) -> bool:
        """Whether the measure is the mean of the own values of labels."""
        return self.is_own_of_label and self.combine is mean_of_defined

    @property
    def heading(self) -> str:
        """Title and subtitle, such that the subtitles of several measures line up."""
        if len(self.title) > _WIDTH_OF_TITLE:
            return f"{self.title}, {self.subtitle}"
        return f"{self.title:<{_WIDTH_OF_TITLE}} {self.subtitle}"

    def bound_each(self, limits: Limits) -> NDArray[Any]:
        """Return the least own values; NaN where they are not computed."""
        assert self.bound is not None
        n_parts = len(limits.parts)
        if self.max_parts_for_bound is not None and n_parts > self.max_parts_for_bound:
            return np.full(len(limits.rows), np.nan)
        return self.bound(limits)

    def combine_bound(self, own: NDArray[Any], n_parts: int) -> float:
        """Make one number of the least own values; NaN where they are not computed."""
        if self.max_parts_for_bound is not None and n_parts > self.max_parts_for_bound:
            return math.nan
        return (self.combine_bounds or self.combine)(own)


def mean_of_defined(own: NDArray[Any]) -> float:
    """Return the mean of the values that are defined; 0 if there are none."""
    defined = own[~np.isnan(own)]
    return float(defined.mean()) if len(defined) else 0.0


def total(own: NDArray[Any]) -> int:
    """Return the sum."""
    return int(own.sum())


def largest(own: NDArray[Any]) -> int:
    """Return the largest whole number, 0 if there is none."""
    return int(own.max(initial=0))


def largest_real(own: NDArray[Any]) -> float:
    """Return the largest."""
    return float(own.max())


def excess_over(value: float, bound: float) -> float:
    """Return value / bound - 1; where the bound is 0, 0 if the value is 0 too, else infinite."""
    if math.isnan(value) or math.isnan(bound):
        return math.nan
    # Sums of many shares: equal numbers may differ in the last digits.
    if math.isclose(value, bound, rel_tol=1e-12, abs_tol=1e-15):
        return 0.0
    return value / bound - 1 if bound else math.inf
