"""Bound and TightBound: the least that each measure of a split could be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from .evaluations import Evaluations
from .measure_record import Measure, Number
from .measures import Measures


@dataclass(frozen=True, eq=False, repr=False)
class Bound(Measures):
    """The least value each measure could have for these labels, sizes and groups.

    The measures are attributes, as those of `Quality`; those without a bound (`kl`, `residual`) are
    not. `ld` is NaN past 50 parts, where it is not computed. The bounds of label pairs and
    labelsets are computed when first read.

    Examples
    --------
    >>> evenfold.measure([["a"], ["a"], ["a"]], [0, 1, 1]).bound.flz
    0
    """

    _evaluations: Evaluations

    def _read(self, measure: Measure[Number]) -> Number:
        if measure.bound is None:
            raise AttributeError(f"'Bound' has no '{measure.name}': no bound of it is known")
        return cast("Number", self._evaluations.find(measure.level).bound[measure.name])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Bound):
            return NotImplemented
        return self._of_labels() == other._of_labels()

    def __hash__(self) -> int:
        return hash(tuple(self._of_labels().values()))

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={bound!r}" for name, bound in self._of_labels().items())
        return f"Bound({shown})"

    def _of_labels(self) -> Mapping[str, float]:
        return self._evaluations.find("labels").bound


@dataclass(frozen=True, eq=False, repr=False)
class TightBound(Measures):
    """A higher bound than `Bound`, of `rld`, `rld_pairs` and `rld_labelsets`.

    `Bound` considers each label alone. This one considers that each row is in one part with all its
    labels, that parts have exactly their sizes and, with groups, that each of them is whole. It is
    computed when first read, which takes up to some seconds.

    Notes
    -----
    No split into parts of these sizes is below it, and it is never below `Bound`.

    For parts of equal sizes without groups it is `Bound` itself. Without groups, some split has the
    bound of `rld_labelsets`.

    Labels that are unknown in some rows have no tight bound: it is then `Bound`, and `note` says
    so.

    Examples
    --------
    Each of these labels would be most even in the larger part, but one must be in the other.

    >>> quality = evenfold.measure([["a"], ["b"], ["c"], ["d"]], [0, 0, 0, 1])
    >>> quality.rld, quality.bound.rld, round(quality.tight_bound.rld, 6)
    (1.0, 0.6666..., 1.0)
    """

    _evaluations: Evaluations

    def _read(self, measure: Measure[Number]) -> Number:
        if not measure.has_tight_bound:
            raise AttributeError(f"'TightBound' has no '{measure.name}': read it from 'Bound'")
        return cast("Number", self._evaluations.find_tight(measure).bound)

    @property
    def seconds(self) -> float:
        """Seconds that the bound of `rld` took."""
        return self._evaluations.find_tight(Measures.rld).seconds

    @property
    def note(self) -> str:
        """Why the bound of `rld` may be too low; empty if nothing is to be said."""
        return self._evaluations.find_tight(Measures.rld).note

    def __repr__(self) -> str:
        return f"TightBound(rld={self.rld!r})"
