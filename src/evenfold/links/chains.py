"""Chains: which value made the largest group so large."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._checks.values import show_value
from .._kernels.links import weigh_pieces
from ..labels.row_values import number_by_first
from .group_columns import GroupColumn, join_columns, make_graph

# A value without which more than this share of a group stays together does not hold it together.
_MOST_LEFT = 0.9


class Chain(NamedTuple):
    """A value that holds a group together.

    Attributes
    ----------
    column : GroupColumn
        Its column, for the rows of the group.
    code : int
        Its number in the column.
    n_joined : int
        The values of other columns that it occurs with.
    n_left : int
        The rows of the largest piece that would be left without it.
    """

    column: GroupColumn
    code: int
    n_joined: int
    n_left: int


def describe_largest(columns: Sequence[GroupColumn], group_of_row: NDArray[np.int64]) -> str:
    """Return what the largest group holds, and which value chained it together, as sentences.

    Empty if the group has one value of each column. A value chains a group if without it the group
    falls into pieces. Of such values, the one is named whose largest piece is smallest.
    """
    if len(columns) < 2:
        return ""
    rows = np.flatnonzero(group_of_row == np.bincount(group_of_row).argmax())
    own = [_take_rows(column, rows) for column in columns]
    held = [
        f"{column.n_values:,} value{'s' if column.n_values > 1 else ''} of {column.name}"
        for column in own
        if column.n_values
    ]
    if max(column.n_values for column in own) < 2:
        return ""
    text = f"The largest group has {len(rows):,} rows: {' and '.join(held)}."
    if join_columns(own).max() > 0:
        # Links between rows hold it together too.
        return text
    column, code, n_joined, n_left = _find_chain(own)
    if n_left == len(rows):
        return f"{text} No single value chains it."
    value = f" {_show(column.values[code])}" if len(column.values) else ""
    name = f"{column.name}{value}, which occurs with {n_joined:,} values of other columns"
    if n_left > _MOST_LEFT * len(rows):
        return (
            f"{text} No single value chains it: without {name}, {n_left:,} rows would still be one "
            "group."
        )
    return (
        f"{text} It is chained by {name}; without it, the largest piece would have {n_left:,} rows."
    )


def _show(value: Any) -> str:
    return show_value(value.item() if isinstance(value, np.generic) else value)


def _take_rows(column: GroupColumn, rows: NDArray[np.int64]) -> GroupColumn:
    """Return a column for some rows only, with its values numbered again."""
    codes, used = number_by_first(column.code_of_row[rows])
    if (used < 0).any():
        # The number of "no value" is taken out.
        missing = int(np.flatnonzero(used < 0)[0])
        codes = np.where(codes == missing, -1, codes - (codes > missing))
        used = used[used >= 0]
    values = [column.values[code] for code in used.tolist()] if len(column.values) else ()
    return GroupColumn(column.name, codes, values)


def _find_chain(columns: Sequence[GroupColumn]) -> Chain:
    """Return the value without which the largest piece of a group is smallest.

    Of several, it is the one that occurs with most values of other columns.
    """
    n_left = _find_rows_left(columns)
    n_joined = np.concatenate([_count_joined(columns, at) for at in range(len(columns))])
    best = int(np.lexsort((-n_joined, n_left))[0])
    code = best
    for column in columns:
        if code < column.n_values:
            return Chain(column, code, int(n_joined[best]), int(n_left[best]))
        code -= column.n_values
    raise AssertionError("a value is in one of the columns")


def _find_rows_left(columns: Sequence[GroupColumn]) -> NDArray[np.int64]:
    """Return (n_values,) the rows of the largest piece without each value, of all columns."""
    n_rows = len(columns[0].code_of_row)
    graph = make_graph(columns)
    graph = graph + graph.T
    n_nodes = graph.shape[0]
    largest = np.empty(n_nodes, np.int64)
    weigh_pieces.for_work(graph.nnz)(
        graph.indptr.astype(np.int64),
        graph.indices.astype(np.int64),
        (np.arange(n_nodes) < n_rows).astype(np.int64),
        np.zeros(n_nodes, np.int64),
        np.empty((6, n_nodes), np.int64),
        largest,
    )
    return largest[n_rows:]


def _count_joined(columns: Sequence[GroupColumn], at: int) -> NDArray[np.int64]:
    """Return (n_values,) how many values of other columns each value occurs with."""
    own = columns[at].code_of_row
    total = np.zeros(columns[at].n_values, np.int64)
    for other in (*columns[:at], *columns[at + 1 :]):
        both = (own >= 0) & (other.code_of_row >= 0)
        pairs = np.unique(own[both] * other.n_values + other.code_of_row[both])
        if len(pairs):
            total += np.bincount(pairs // other.n_values, minlength=len(total))
    return total
