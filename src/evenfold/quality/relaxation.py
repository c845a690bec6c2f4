"""A relaxation of the most even split: each label is spread, and each unit placed, at prices."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from .._kernels.label_spreads import add_prices, count_placed, spread_at_prices
from ..labels.labels import Labels
from ..problem.labelsets import number_labelsets
from .values import Floats, Ints

# Relative to the sum of all terms of a bound: more than the rounding errors of that sum.
_ROUNDING = 1e-13


class DistinctUnits(NamedTuple):
    """Rows or whole groups, those that hold the same listed once.

    Attributes
    ----------
    indptr, indices, amounts : arrays of int
        Units × labels as CSR; `amounts` empty: 1 each.
    rows : (n_units,) array of int
        Rows of the unit.
    n_alike : (n_units,) array of int
        How many units there are that hold the same.
    """

    indptr: Ints
    indices: NDArray[np.int32]
    amounts: Ints
    rows: Ints
    n_alike: Ints


class LargeGroups(NamedTuple):
    """The groups that have several rows of a label, by label, the largest first.

    Attributes
    ----------
    indptr : (n_labels + 1,) array of int
        Where the groups of each label begin.
    rows : (n, 2) array of int
        Rows of the label in the group, and all rows of the group.
    """

    indptr: Ints
    rows: Ints


class Prices(NamedTuple):
    """Multipliers: what a row of a label, and a row, costs in each class of parts.

    Attributes
    ----------
    of_label : (n_labels, n_classes) array of float
        Labels pay it for their rows, and units get it.
    of_row : (n_classes,) array of float
        Units pay it for their rows; the sizes of the parts get it.
    """

    of_label: Floats
    of_row: Floats


@dataclass(frozen=True, eq=False, slots=True)
class Relaxation:
    """What is known of all splits into parts of given sizes, the groups whole.

    The cost of a split is the sum over labels and parts of w |n c_lj / (m_l S_j) - 1|. Here the
    rows c_lj of a label in a part need not be those of the units placed there, but each difference
    has a price. At any prices, the least cost is a lower bound for every split: the Lagrangian dual
    of the problem. Parts of one size have the same prices and form a class.

    Attributes
    ----------
    rows_of_label : (n_labels,) array of int
        m_l; labels without rows are left out.
    weight : float
        w.
    sizes, n_alike : (n_classes,) arrays of int
        Rows of a part of the class, and how many such parts there are; parts without rows are left
        out.
    units : DistinctUnits
        What is placed.
    groups : LargeGroups
        The groups that limit how a label can be spread.
    """

    rows_of_label: Ints
    weight: float
    sizes: Ints
    n_alike: Ints
    units: DistinctUnits
    groups: LargeGroups

    @property
    def shape(self) -> tuple[int, int]:
        """Labels and classes of parts."""
        return len(self.rows_of_label), len(self.sizes)

    @property
    def rows_wanted(self) -> Ints:
        """(n_classes,) rows in all parts of each class."""
        return np.asarray(self.sizes * self.n_alike)

    @property
    def is_partition(self) -> bool:
        """Whether each row holds exactly one label."""
        entries = (
            self.units.amounts if len(self.units.amounts) else np.ones(len(self.units.indices))
        )
        of_unit = np.add.reduceat(np.append(entries, 0), self.units.indptr[:-1])
        return bool((np.diff(self.units.indptr) > 0).all() and (of_unit == self.units.rows).all())

    @property
    def n_steps(self) -> int:
        """Steps that spreading and placing once takes, about."""
        n_labels, n_classes = self.shape
        n_groups = int(np.minimum(np.diff(self.groups.indptr), 10).sum())
        of_labels = (n_labels + 4 * n_groups) * (12 + 2 * n_classes)
        of_units = len(self.units.rows) * (20 + n_classes)
        return n_classes * (len(self.units.indices) + of_labels + of_units)

    def spread(self, price: Floats, max_nodes: int) -> tuple[Floats, Floats]:
        """Return the least cost of each label, and its rows in each class of parts."""
        least, count = np.empty(len(price)), np.empty(price.shape)
        spread_at_prices.for_work(self.n_steps)(
            self.rows_of_label,
            self.weight,
            self.sizes,
            self.n_alike,
            price,
            self.groups.indptr,
            self.groups.rows,
            max_nodes,
            least,
            count,
        )
        return least, count

    def pay(self, price: Floats) -> Floats:
        """Return (n_units, n_classes) the cost of each unit, which is paid for its labels."""
        units = self.units
        total = np.empty((len(units.rows), price.shape[1]))
        add_prices.for_work(self.n_steps)(*units[:3], price, total)
        return -total

    def count(self, placed: Floats) -> Floats:
        """Return (n_labels, n_classes) rows of each label, given the units in each class."""
        count = np.empty(self.shape)
        count_placed.for_work(self.n_steps)(*self.units[:3], placed, count)
        return count

    def find_highest_price(self) -> Floats:
        """Return (n_labels,) prices beyond which all rows of a label are where they are cheapest.

        That is the largest difference of costs of a row in two parts.
        """
        dearest = 1 / self.sizes.min() + 1 / self.sizes.max()
        return np.asarray(self.weight * self.rows_wanted.sum() / self.rows_of_label * dearest)

    def bound(self, prices: Prices, cost_of_label: Floats, cost_of_unit: Floats) -> float:
        """Return the lower bound at these prices, less what rounding could have added."""
        terms = np.abs(prices.of_label).sum(axis=1) * self.rows_of_label
        of_sizes = prices.of_row * self.rows_wanted
        rounding = np.abs(cost_of_label).sum() + terms.sum() + np.abs(of_sizes).sum()
        total = cost_of_label.sum() + (self.units.n_alike * cost_of_unit).sum() - of_sizes.sum()
        return float(total - _ROUNDING * rounding)


def make_relaxation(
    labels: Labels, sizes: Ints, group_of_row: NDArray[np.int64] | None
) -> Relaxation:
    """Return the relaxation whose cost is the mean rLD of these labels.

    `sizes` (n_parts,) are the rows of each part. Parts without rows cost 1 / n_parts in any split;
    they are left out.
    """
    held = labels.count_of_label > 0
    rows_of_label = labels.count_of_label[held]
    distinct, n_alike = np.unique(sizes[sizes > 0], return_counts=True)
    by_unit = _sum_labels(labels, group_of_row)[:, held]
    rows = (
        np.ones(labels.n_rows, np.int64)
        if group_of_row is None
        else np.bincount(group_of_row).astype(np.int64)
    )
    return Relaxation(
        rows_of_label,
        1 / (max(len(rows_of_label), 1) * len(sizes)),
        distinct.astype(np.int64),
        n_alike.astype(np.int64),
        _find_distinct(by_unit, rows),
        _find_large_groups(by_unit, rows),
    )


def _sum_labels(labels: Labels, group_of_row: NDArray[np.int64] | None) -> sparse.csr_array:
    """Return units × labels."""
    n_rows = labels.n_rows
    by_row = sparse.csr_array(
        (np.ones(len(labels.indices), np.int64), labels.indices, labels.indptr),
        shape=(n_rows, labels.n_labels),
    )
    if group_of_row is None:
        return by_row
    membership = sparse.csr_array((np.ones(n_rows, np.int64), (group_of_row, np.arange(n_rows))))
    by_group = sparse.csr_array(membership @ by_row)
    by_group.sort_indices()
    return by_group


def _find_distinct(by_unit: sparse.csr_array, rows: Ints) -> DistinctUnits:
    grouped = len(rows) != rows.sum()
    # The rows of a unit are one more column, by which units differ too.
    with_rows: Any = [by_unit, sparse.csr_array(rows[:, None])]
    columns = sparse.csr_array(sparse.hstack(with_rows)) if grouped else by_unit
    number = number_labelsets(
        columns.indptr.astype(np.int64),
        columns.indices.astype(np.int32),
        columns.data if grouped else np.empty(0, np.int64),
    )
    _, first, n_alike = np.unique(number, return_index=True, return_counts=True)
    kept = sparse.csr_array(by_unit[first])
    return DistinctUnits(
        kept.indptr.astype(np.int64),
        kept.indices.astype(np.int32),
        kept.data if grouped else np.empty(0, np.int64),
        rows[first],
        n_alike.astype(np.int64),
    )


def _find_large_groups(by_unit: sparse.csr_array, rows: Ints) -> LargeGroups:
    unit = np.repeat(np.arange(len(rows)), np.diff(by_unit.indptr))
    large = np.flatnonzero(by_unit.data > 1)
    label, amount, of_unit = by_unit.indices[large], by_unit.data[large], rows[unit[large]]
    order = np.lexsort((-of_unit, -amount, label))
    n_of_label = np.bincount(label, minlength=by_unit.shape[1])
    return LargeGroups(
        np.concatenate(([0], np.cumsum(n_of_label))).astype(np.int64),
        np.ascontiguousarray(np.column_stack((amount, of_unit))[order], dtype=np.int64),
    )
