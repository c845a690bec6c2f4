"""The least each label's measures could be, from the labels, sizes and groups alone: known before any split is made."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..labels.labels import Labels
from ..problem.criteria import Criteria
from ..problem.parts import Parts, share_out
from ..problem.groups import sum_by_group
from ..quality import bounds
from .measures import Ints
from .records import Records, make_records


def foresee_labels(
    labels: Labels, parts: Parts, group_of_row: NDArray[np.int64] | None = None
) -> Records:
    """Return one record per label: label, rows, and the bounds of ld, rld, dcp and flz in the best split there could be.

    The sizes are those wanted, as whole numbers. Rows of which a label is unknown count as if they lacked it.

    Examples
    --------
    >>> from evenfold.problem.parts import check_parts
    >>> labels = evenfold.labels.make_labels([["a"], ["a"], ["a"], ["b"]])
    >>> foresee_labels(labels, check_parts(2, 4)).flz_bound.tolist()
    [0, 1]
    """
    size = share_out(labels.n_rows, parts, np.random.default_rng(0))[:, None]
    rows = labels.count_of_label
    return make_records(
        label=name_each(labels),
        rows=rows,
        **bound_each_label(labels, rows, size, parts, group_of_row),
    )


def bound_each_label(
    labels: Labels, rows: Ints, size: Ints, parts: Parts, group_of_row: NDArray[np.int64] | None
) -> dict[str, NDArray[Any]]:
    """Return the columns of bounds, NaN for labels without rows."""
    held = rows > 0
    n_holders = rows
    # Labels of as many rows have the same bounds, unless they are known in different rows.
    distinct, at = (rows, slice(None)) if size.shape[1] > 1 else _find_distinct(rows)
    rld_bound = bounds.bound_relative(distinct, size)[at]
    dcp_bound = bounds.bound_proportion(distinct, parts.weights)[at]
    if group_of_row is not None:
        most, n_holders = _groups_of_label(labels, group_of_row)
        rld_bound = np.maximum(rld_bound, bounds.bound_relative_of_groups(rows, size, most))
        dcp_bound = np.maximum(
            dcp_bound, bounds.bound_proportion_of_groups(rows, parts.weights, most)
        )
    columns: dict[str, NDArray[Any]] = {
        "ld_bound": bounds.bound_odds(distinct, size)[at],
        "rld_bound": rld_bound,
        "dcp_bound": dcp_bound,
    }
    columns = {name: np.where(held, column, np.nan) for name, column in columns.items()}
    return {**columns, "flz_bound": np.where(held, bounds.bound_empty(n_holders, len(parts)), 0)}


def _find_distinct(rows: Ints) -> tuple[Ints, Ints]:
    """Return the numbers that occur, and where each label's is among them."""
    occurs = np.bincount(rows) > 0
    return np.flatnonzero(occurs), (np.cumsum(occurs) - 1)[rows]


def name_each(labels: Labels) -> NDArray[Any]:
    """Return the names of the labels as a column."""
    if isinstance(labels.names, range):
        return np.arange(labels.n_labels)
    names = np.empty(labels.n_labels, dtype=object)
    names[:] = list(labels.names)
    return names


def _groups_of_label(labels: Labels, group_of_row: NDArray[np.int64]) -> tuple[Ints, Ints]:
    """Return the most rows of each label in one group, and the number of groups that hold it."""
    no_amounts = np.zeros(labels.n_labels, bool)
    by_row = Criteria(
        labels.indptr,
        labels.indices,
        np.empty(0, np.int64),
        np.zeros(labels.n_labels, np.int64),
        no_amounts,
    )
    by_group = sum_by_group(by_row, group_of_row)
    most = np.zeros(labels.n_labels, np.int64)
    np.maximum.at(most, by_group.indices, by_group.amounts)
    return most, np.bincount(by_group.indices, minlength=labels.n_labels)
