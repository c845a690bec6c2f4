"""How far from even: labels off their share of each part, the least even first, and measures above their bound."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .placement import Placement

# Differences of sums of shares: less than this is rounding.
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False, slots=True)
class Deviations:
    """How far labels are from their share of each part.

    Attributes
    ----------
    count : (n_parts, n_labels) rows of the label in the part
    share : (n_parts, n_labels) rows that would be its share, given the rows of the part
    """

    count: NDArray[np.int64]
    share: NDArray[np.float64]

    @property
    def rows(self) -> NDArray[np.float64]:
        """(n_parts, n_labels) rows too many, negative where too few."""
        return np.asarray(self.count - self.share)

    @property
    def percent(self) -> NDArray[np.float64]:
        """(n_parts, n_labels) the same in percent of the share; 0 where the share is 0."""
        return np.asarray(
            100
            * np.divide(self.rows, self.share, out=np.zeros_like(self.share), where=self.share > 0)
        )

    def of(self, labels: NDArray[np.int64]) -> Deviations:
        """Return those of some labels."""
        return Deviations(self.count[:, labels], self.share[:, labels])


def find_deviations(placement: Placement) -> Deviations:
    """Return how far every label is from its share of each part."""
    count, size = placement.count_labels(), placement.count_known()
    known = size.sum(axis=0)
    share = count.sum(axis=0) * np.divide(size, known, out=np.zeros(size.shape), where=known > 0)
    return Deviations(count, share)


def rank_labels(per_label: np.recarray[Any, Any]) -> NDArray[np.int64]:
    """Return the labels that have rows, least even first: by rLD above their own bound, then by rLD itself, then by rows."""
    over = np.nan_to_num(per_label.rld - per_label.rld_bound)
    over[over < _ROUNDING] = 0
    order = np.lexsort((-per_label.rows, -np.nan_to_num(per_label.rld), -over))
    return np.asarray(order[per_label.rows[order] > 0])


def count_over_bound(per_label: np.recarray[Any, Any]) -> int:
    """Return how many labels are above their own bound."""
    return int((np.nan_to_num(per_label.rld - per_label.rld_bound) >= _ROUNDING).sum())


def excess_over(value: float, bound: float) -> float:
    """Return value / bound - 1; where the bound is 0, 0 if the value is 0 too, else infinite."""
    if math.isnan(value) or math.isnan(bound):
        return math.nan
    # Sums of many shares: what is equal may differ in the last digits.
    if math.isclose(value, bound, rel_tol=1e-12, abs_tol=1e-15):
        return 0.0
    return value / bound - 1 if bound else math.inf
