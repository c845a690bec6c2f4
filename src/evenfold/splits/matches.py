"""Matches: rows that have a copy, a similar row or a row of their group in another part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from ..links.group_columns import GroupColumn
from ..quality.pieces import find_pieces, sort_distinct
from .leaks import find_leaking_values

Rows = NDArray[np.int64]
# Entries are merged when so many have come since the last time, at 8 bytes each.
_MERGE_AT = 4_000_000


class Matches(NamedTuple):
    """Rows that match a row of another part.

    Attributes
    ----------
    kind : str
        By what they match: the name of a group column, "copies", "similar" and so on.
    entries : ndarray of int64
        A row times the number of parts, plus the number of a part that a matching row is in. They
        are sorted, each once.
    in_parts : scipy.sparse.csr_array of int64
        (n_parts, n_parts) sparse: rows of one part that match a row of the other.
    in_any : ndarray of int64
        (n_parts,) rows of each part that match a row of any other.
    n_contradicting : int or None
        Values, or pairs, that are in two parts with different labels; None if labels do not matter.
    """

    kind: str
    entries: Rows
    in_parts: scipy.sparse.csr_array
    in_any: Rows
    n_contradicting: int | None = None


def _make_matches(
    kind: str,
    entries: Rows,
    part_of_row: NDArray[Any],
    n_parts: int,
    n_contradicting: int | None = None,
) -> Matches:
    own = part_of_row[entries // n_parts].astype(np.int64)
    # Most of many parts match few others, so a dense matrix could be too large.
    cells, n_rows = np.unique(own * n_parts + entries % n_parts, return_counts=True)
    in_parts = scipy.sparse.csr_array(
        (n_rows, (cells // n_parts, cells % n_parts)), shape=(n_parts, n_parts)
    )
    in_any = np.bincount(part_of_row[sort_distinct(entries // n_parts)], minlength=n_parts)
    return Matches(kind, entries, in_parts, in_any, n_contradicting)


class Example(NamedTuple):
    """Two rows that match and are in two parts.

    Attributes
    ----------
    kind : str
        By what they match.
    first : int
        A row.
    second : int
        Another row.
    value : float or None
        Their similarity or distance; None if they share a value.
    labels_differ : bool or None
        Whether they have different labels; None if the labels are not known.
    """

    kind: str
    first: int
    second: int
    value: float | None
    labels_differ: bool | None


class PairRecorder:
    """Collects the rows of pairs in two parts, and counts those with different labels."""

    def __init__(
        self, part_of_row: NDArray[Any], n_parts: int, labelset_of_row: Rows | None
    ) -> None:
        self._part_of_row, self._n_parts = part_of_row, n_parts
        self._labelset_of_row = labelset_of_row
        self._blocks: list[Rows] = [np.empty(0, np.int64)]
        self._n_waiting = 0
        self._n_contradicting = 0

    def __call__(self, first: Rows, second: Rows) -> None:
        """Add pairs of rows."""
        self._blocks += [
            sort_distinct(first * self._n_parts + self._part_of_row[second]),
            sort_distinct(second * self._n_parts + self._part_of_row[first]),
        ]
        self._n_waiting += sum(map(len, self._blocks[-2:]))
        if self._n_waiting > _MERGE_AT:
            self._merge()
        if self._labelset_of_row is not None:
            differ = self._labelset_of_row[first] != self._labelset_of_row[second]
            self._n_contradicting += int(differ.sum())

    def _merge(self) -> Rows:
        self._blocks = [sort_distinct(np.concatenate(self._blocks))]
        self._n_waiting = 0
        return self._blocks[0]

    def collect(self, kind: str) -> Matches:
        """Return the matches of all pairs that were added."""
        n_contradicting = None if self._labelset_of_row is None else self._n_contradicting
        return _make_matches(kind, self._merge(), self._part_of_row, self._n_parts, n_contradicting)


def match_values(
    column: GroupColumn, part_of_row: NDArray[Any], n_parts: int, labelset_of_row: Rows | None
) -> Matches:
    """Return the rows whose value is also in another part.

    `labelset_of_row` is None if rows of one value may have different labels.
    """
    is_leaking = find_leaking_values(column, part_of_row, n_parts)
    rows = np.flatnonzero((column.code_of_row >= 0) & is_leaking[column.code_of_row])
    code = column.code_of_row[rows]
    pieces = find_pieces(code, part_of_row[rows], n_parts)
    n_of_value = pieces.count_parts()
    start = (np.cumsum(n_of_value) - n_of_value)[code]
    n_of_row = n_of_value[code]
    row = np.repeat(rows, n_of_row)
    # The pieces of the row's value: counted up from the first one.
    within = np.arange(len(row)) - np.repeat(np.cumsum(n_of_row) - n_of_row, n_of_row)
    part = pieces.part[np.repeat(start, n_of_row) + within]
    entries = (row * n_parts + part)[part != part_of_row[row]]
    n_contradicting = None
    if labelset_of_row is not None:
        n_contradicting = int(_find_contradicting(code, labelset_of_row[rows]).sum())
    return _make_matches(column.name, np.sort(entries), part_of_row, n_parts, n_contradicting)


def _find_contradicting(code: Rows, labelset: Rows) -> NDArray[np.bool_]:
    """Tell for each value whether its rows have different labels.

    Of a value in two parts, two rows in different parts then have different labels too.
    """
    if not len(code):
        return np.zeros(1, bool)
    both = sort_distinct(code * (int(labelset.max()) + 1) + labelset)
    return np.bincount(both // (int(labelset.max()) + 1)) > 1


def find_value_examples(
    column: GroupColumn,
    part_of_row: NDArray[Any],
    n_parts: int,
    labelset_of_row: Rows | None,
    most: int,
) -> list[Example]:
    """Return for the first values in two parts two of their rows, with different labels if any."""
    leaking = np.flatnonzero(find_leaking_values(column, part_of_row, n_parts))
    if labelset_of_row is not None and len(leaking):
        rows = np.flatnonzero(column.code_of_row >= 0)
        differ = _find_contradicting(column.code_of_row[rows], labelset_of_row[rows])
        leaking = leaking[np.argsort(~differ[leaking], kind="stable")]
    examples = []
    for code in leaking[:most].tolist():
        rows = np.flatnonzero(column.code_of_row == code)
        first, second = _choose_two(rows, part_of_row, labelset_of_row)
        own = labels_differ(labelset_of_row, first, second)
        examples.append(Example(column.name, first, second, None, own))
    return examples


def _choose_two(
    rows: Rows, part_of_row: NDArray[Any], labelset_of_row: Rows | None
) -> tuple[int, int]:
    """Return two rows in different parts, with different labels if there are such."""
    part = part_of_row[rows]
    elsewhere = part != part[0]
    chosen = [rows[0], rows[elsewhere][0]]
    if labelset_of_row is not None:
        labelset = labelset_of_row[rows]
        differs = labelset != labelset[0]
        if (elsewhere & differs).any():
            chosen = [rows[0], rows[elsewhere & differs][0]]
        elif differs.any():
            # Rows with other labels are then in the part of the first row, and rows in other parts
            # have its labels. So two of them differ in both.
            chosen = sorted([rows[elsewhere][0], rows[differs][0]])
    return int(chosen[0]), int(chosen[1])


def labels_differ(labelset_of_row: Rows | None, first: int, second: int) -> bool | None:
    """Tell whether two rows have different labels; None if the labels are not known."""
    if labelset_of_row is None:
        return None
    return bool(labelset_of_row[first] != labelset_of_row[second])


def unite(matches: Sequence[Matches], part_of_row: NDArray[Any], n_parts: int) -> Matches:
    """Return the rows that match by anything."""
    entries = sort_distinct(
        np.concatenate([np.empty(0, np.int64), *(own.entries for own in matches)])
    )
    return _make_matches("any", entries, part_of_row, n_parts)
