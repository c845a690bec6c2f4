"""Chains: which value made the largest group so large."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._checks.values import show_value
from ..labels.row_values import number_by_first
from .group_columns import GroupColumn, join_columns

# Values that are tried as the one that holds a group together: those that join most other values.
# In groups of very many rows fewer are tried: each try takes a second for a million rows.
_MOST_TRIED = 20
_LEAST_TRIED = 3
_ROWS_OF_TRIES = 2_000_000
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

    Empty if no value did. A value chains a group if without it the group falls into pieces. Of such
    values, the one is named that leaves the smallest largest piece.
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
    chain = _find_chain(own, len(rows))
    if chain is None:
        return f"{text} No single value chains it."
    column, code, n_joined, n_left = chain
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


def _find_chain(columns: Sequence[GroupColumn], n_rows: int) -> Chain | None:
    """Return the value without which the largest piece is smallest; None if none matters."""
    n_tried = max(_LEAST_TRIED, min(_MOST_TRIED, _ROWS_OF_TRIES // n_rows))
    candidates = [
        (int(n_joined[code]), at, code)
        for at in range(len(columns))
        for n_joined in [_count_joined(columns, at)]
        for code in np.argsort(-n_joined, kind="stable")[:n_tried].tolist()
        if n_joined[code] > 1
    ]
    best = None
    for n_joined, at, code in sorted(candidates, key=lambda tried: -tried[0])[:n_tried]:
        column = columns[at]
        without = np.where(column.code_of_row == code, -1, column.code_of_row)
        others = [*columns[:at], column._replace(code_of_row=without), *columns[at + 1 :]]
        n_left = int(np.bincount(join_columns(others)).max())
        if n_left < n_rows and (best is None or n_left < best.n_left):
            best = Chain(column, code, n_joined, n_left)
    return best


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
