"""Label drift: labels whose share differs between parts by more than chance allows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from .pieces import number_pieces
from .placement import Placement
from .tails import bound_unit_tails, find_row_tails
from .values import Floats, Ints

# A label drifts if a random split is that far off with at most this probability, corrected for the
# number of labels. So of 100 random splits, about one at most has a label that drifts.
LEVEL = 0.01
# Probabilities that differ by less than this share are equal.
_ROUNDING = 1e-6


@dataclass(frozen=True, eq=False, slots=True)
class Drift:
    """Labels in each part beside labels in all rows.

    Attributes
    ----------
    count : (n_parts, n_labels) array of int
        Rows of each label in each part.
    size : (n_parts, n_labels) or (n_parts, 1) array of int
        Rows of each part in which the label is known.
    p_value : (n_parts, n_labels) array of float
        The probability that a random split has a part of this size that is off by as much.
    corrected : (n_labels,) array of float
        The smallest of a label, corrected for the number of parts (Bonferroni) and of labels
        (Holm).
    cardinality : (n_parts,) array of float
        Labels per row in each part; NaN for a part without rows.
    cardinality_of_all : float
        Labels per row in all rows.
    cardinality_p_value : (n_parts,) array of float
        An upper bound of the probability that a random split is off by as much in labels per row,
        corrected for the number of parts.
    by_groups : bool
        Whether the random splits draw whole groups. Probabilities are then upper bounds.
    """

    count: Ints
    size: Ints
    p_value: Floats
    corrected: Floats
    cardinality: Floats
    cardinality_of_all: float
    cardinality_p_value: Floats
    by_groups: bool

    @property
    def share(self) -> Floats:
        """(n_parts, n_labels) share of the part's rows that have the label; NaN without rows."""
        return _divide(self.count, self.size, np.nan)

    @property
    def share_of_all(self) -> Floats:
        """(n_labels,) share of all rows that have the label."""
        return _find_share(self.count, self.size)

    @property
    def drifting(self) -> NDArray[np.int64]:
        """The labels that are off by more than chance allows, the least probable first."""
        order = np.lexsort((-self.count.sum(axis=0), self.corrected))
        return np.asarray(order[self.corrected[order] <= LEVEL])

    @property
    def cardinality_drifts(self) -> bool:
        """Whether labels per row are off by more than chance allows."""
        return bool((self.cardinality_p_value <= LEVEL).any())

    def find_furthest_part(self, label: int) -> int:
        """Return the part in which a label is furthest off; of equal ones, the smallest part."""
        return _find_least_probable(
            self.p_value[:, label], self.size[:, label % self.size.shape[1]]
        )

    def find_furthest_part_of_all(self) -> int:
        """Return the part whose labels per row are furthest off."""
        return _find_least_probable(self.cardinality_p_value, self.size.max(axis=1))


def _find_least_probable(p_value: Floats, size: Ints) -> int:
    # Of two parts, both have the same probability but for rounding.
    tied = np.flatnonzero(p_value <= p_value.min() * (1 + _ROUNDING))
    return int(tied[size[tied].argmin()])


def find_drift(placement: Placement) -> Drift:
    """Compare the labels of each part with those of all rows.

    Without groups, the random splits draw rows, and the probabilities are exact (hypergeometric).
    With groups, they draw groups whole, and the probabilities are upper bounds. If a group is in
    two parts, its rows in each part count as a group of their own.
    """
    count, size = placement.count_labels(), placement.count_known()
    n_parts = len(placement.parts)
    units = _find_units(placement)
    if units is None:
        p_value = find_row_tails(count, count.sum(axis=0), size, size.sum(axis=0))
    else:
        p_value = _bound_label_tails(placement, count, size, units)
    # The two tests of a label in two parts are the same one.
    n_tests = 1 if n_parts == 2 else n_parts
    of_label = np.minimum(1.0, n_tests * p_value.min(axis=0))
    n_labels_of_row = np.diff(placement.labels.indptr)
    n_entries = np.bincount(placement.part_of_row, n_labels_of_row, minlength=n_parts)
    return Drift(
        count,
        size,
        p_value,
        _correct_for_number(of_label, count.sum(axis=0) > 0),
        _divide(n_entries, placement.sizes, np.nan),
        float(n_labels_of_row.mean()),
        np.minimum(1.0, n_tests * _bound_cardinality_tails(placement, n_labels_of_row, units)),
        units is not None,
    )


@dataclass(frozen=True, eq=False, slots=True)
class _Units:
    """What a random split draws: groups, or their pieces in each part.

    Attributes
    ----------
    of_row : (n_rows,) array of int
        The unit of each row.
    part : (n_units,) array of int
        The part of each unit.
    """

    of_row: NDArray[np.int64]
    part: NDArray[np.int64]


def _find_units(placement: Placement) -> _Units | None:
    if placement.group_of_row is None:
        return None
    n_parts = len(placement.parts)
    of_row, pieces = number_pieces(placement.group_of_row, placement.part_of_row, n_parts)
    return _Units(of_row, pieces.part)


def _bound_label_tails(placement: Placement, count: Ints, size: Ints, units: _Units) -> Floats:
    """Bound the probabilities of all labels, if whole units are drawn.

    The number of a unit is its rows with the label, less its share of them; rows in which the label
    is not known count as rows that have their share.
    """
    labels, n_units, n_parts = placement.labels, len(units.part), len(placement.parts)
    share = _find_share(count, size)
    n_rows = len(units.of_row)
    of_unit = scipy.sparse.csr_array(
        (np.ones(n_rows), (units.of_row, np.arange(n_rows))), shape=(n_units, n_rows)
    )
    shape = (n_rows, labels.n_labels)
    ones = np.ones(len(labels.indices))
    by_row = scipy.sparse.csr_array((ones, labels.indices, labels.indptr), shape=shape)
    if labels.unknown is not None:
        indptr, indices = labels.unknown
        by_row = by_row + scipy.sparse.csr_array((share[indices], indices, indptr), shape=shape)
    by_unit = scipy.sparse.coo_array(of_unit @ by_row)
    unit, label, rows = by_unit.row, by_unit.col, by_unit.data
    n_rows_of_unit = np.bincount(units.of_row, minlength=n_units).astype(np.float64)
    wanted = share[label] * n_rows_of_unit[unit]
    # The sum of squares of the entries, and of the units that have no entry of the label.
    squares = share**2 * (n_rows_of_unit**2).sum() + np.bincount(
        label, (rows - wanted) ** 2 - wanted**2, minlength=labels.n_labels
    )
    largest = share * _find_largest_without(n_rows_of_unit, unit, label, labels.n_labels)
    np.maximum.at(largest, label, np.abs(rows - wanted))
    n_drawn = np.bincount(units.part, minlength=n_parts)[:, None]
    off = count - share * size
    return bound_unit_tails(off, np.maximum(squares, 0.0), largest, n_drawn, n_units)


def _find_largest_without(
    n_rows_of_unit: Floats, unit: NDArray[np.int32], label: NDArray[np.int32], n_labels: int
) -> Floats:
    """Return (n_labels,) the rows of the largest unit that has no entry of the label, 0 if none."""
    by_size = np.argsort(-n_rows_of_unit, kind="stable")
    rank = np.empty(len(by_size), np.int64)
    rank[by_size] = np.arange(len(by_size))
    order = np.lexsort((rank[unit], label))
    label, rank_of_entry = label[order], rank[unit[order]]
    first = np.searchsorted(label, np.arange(n_labels))
    # As long as the ranks of a label count up from 0, all units so far have an entry.
    has_all = rank_of_entry == np.arange(len(label)) - first[label]
    n_with = np.bincount(label, has_all, minlength=n_labels).astype(np.int64)
    return np.append(n_rows_of_unit[by_size], 0.0)[n_with]


def _bound_cardinality_tails(
    placement: Placement, n_labels_of_row: Ints, units: _Units | None
) -> Floats:
    """Bound the probabilities of the numbers of labels per row."""
    off_of_row = n_labels_of_row - n_labels_of_row.mean()
    n_parts = len(placement.parts)
    off_of_part = np.bincount(placement.part_of_row, off_of_row, minlength=n_parts)
    off_of_unit, n_drawn = off_of_row, placement.sizes
    if units is not None:
        off_of_unit = np.bincount(units.of_row, off_of_row)
        n_drawn = np.bincount(units.part, minlength=n_parts)
    return bound_unit_tails(
        off_of_part.astype(np.float64),
        (off_of_unit**2).sum(),
        np.abs(off_of_unit).max(),
        n_drawn,
        len(off_of_unit),
    )


def _correct_for_number(p_value: Floats, is_held: NDArray[np.bool_]) -> Floats:
    """Correct for the number of labels that have rows (Holm 1979)."""
    corrected = np.ones(len(p_value))
    tested = np.flatnonzero(is_held)
    order = tested[np.argsort(p_value[tested], kind="stable")]
    raised = p_value[order] * np.arange(len(order), 0, -1)
    corrected[order] = np.minimum(1.0, np.maximum.accumulate(raised))
    return corrected


def _find_share(count: Ints, size: Ints) -> Floats:
    return _divide(count.sum(axis=0), size.sum(axis=0), 0.0)


def _divide(over: Ints | Floats, under: Ints, otherwise: float) -> Floats:
    shape = np.broadcast_shapes(over.shape, under.shape)
    return np.asarray(np.divide(over, under, out=np.full(shape, otherwise), where=under > 0))
