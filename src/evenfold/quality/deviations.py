"""How far labels are from their share of each part, and which are the least even."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .part_counts import PartCounts
from .records import Records

# A difference of sums of shares below this is rounding.
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False, slots=True)
class Deviations:
    """How far labels are from their share of each part.

    Attributes
    ----------
    count : (n_parts, n_labels) array of int
        Rows of the label in the part.
    share : (n_parts, n_labels) array of float
        Rows that would be the label's share, given the rows of the part.
    """

    count: NDArray[np.int64]
    share: NDArray[np.float64]

    @property
    def rows(self) -> NDArray[np.float64]:
        """(n_parts, n_labels) rows too many, negative where too few."""
        return np.asarray(self.count - self.share)

    @property
    def percent(self) -> NDArray[np.float64]:
        """(n_parts, n_labels) the same in percent of the share, 0 where the share is 0."""
        relative = np.zeros_like(self.share)
        np.divide(self.rows, self.share, out=relative, where=self.share > 0)
        return 100 * relative

    def of(self, labels: NDArray[np.int64]) -> Deviations:
        """Return the deviations of some labels."""
        return Deviations(self.count[:, labels], self.share[:, labels])


def find_deviations(part_counts: PartCounts) -> Deviations:
    """Return how far every label is from its share of each part."""
    count, size = part_counts.count_labels(), part_counts.count_known()
    known = size.sum(axis=0)
    share = count.sum(axis=0) * np.divide(size, known, out=np.zeros(size.shape), where=known > 0)
    return Deviations(count, share)


def rank_labels(per_label: Records) -> NDArray[np.int64]:
    """Return the labels that have rows, the least even first.

    They are ordered by rLD above their own bound, then by rLD itself, then by rows.
    """
    over = np.nan_to_num(per_label.rld - per_label.rld_bound)
    over[over < _ROUNDING] = 0
    order = np.lexsort((-per_label.rows, -np.nan_to_num(per_label.rld), -over))
    return np.asarray(order[per_label.rows[order] > 0])


def count_over_bound(per_label: Records) -> int:
    """Return how many labels are above their own bound."""
    return int((np.nan_to_num(per_label.rld - per_label.rld_bound) >= _ROUNDING).sum())
