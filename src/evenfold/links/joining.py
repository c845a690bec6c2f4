"""Joining of rows along the pairs that searches find, the most alike first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._kernels.links import join_units
from ..exceptions import InputError
from ..labels.row_values import number_by_first
from .pairs import PairSearch

# More links than this are not kept: those that join nothing are dropped. At 40 bytes a link.
MOST_LINKS = 5_000_000


@dataclass(frozen=True, eq=False, slots=True)
class LinkList:
    """Links between rows.

    Attributes
    ----------
    first : NDArray[np.int64]
        (n_links,) a row.
    second : NDArray[np.int64]
        (n_links,) another row.
    value : NDArray[np.float64]
        (n_links,) their similarity or distance.
    strength : NDArray[np.float64]
        (n_links,) from 0 at the threshold to 1 for equal rows.
    search : NDArray[np.int64]
        (n_links,) the number of the search that found the pair.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    value: NDArray[np.float64]
    strength: NDArray[np.float64]
    search: NDArray[np.int64]

    def take(self, which: NDArray[np.bool_] | NDArray[np.int64]) -> LinkList:
        """Return some of the links."""
        return LinkList(
            self.first[which],
            self.second[which],
            self.value[which],
            self.strength[which],
            self.search[which],
        )

    def __len__(self) -> int:
        return len(self.first)


class Joined(NamedTuple):
    """Rows joined along links.

    Attributes
    ----------
    group_of_row : NDArray[np.int64]
        (n_rows,) the group of each row, by first appearance.
    used : LinkList
        The links that joined two groups, strongest first.
    cut : LinkList
        The pairs at the threshold that are in two groups, because `max_group` cut their links.
    n_pairs : list of int
        The pairs at the threshold that each search found.
    """

    group_of_row: NDArray[np.int64]
    used: LinkList
    cut: LinkList
    n_pairs: list[int]


def join_rows(
    group_of_row: NDArray[np.int64], searches: Sequence[PairSearch], max_group: int | None
) -> Joined:
    """Join groups of rows along the pairs that searches find, the strongest links first.

    A link that would make a group of more than `max_group` rows is cut. If there are more than
    `MOST_LINKS` links, only those are used that would join rows without a `max_group`.
    """
    rows_of_unit = np.bincount(group_of_row)
    n_pairs = [0] * len(searches)
    equal = _EqualRows(group_of_row, rows_of_unit)
    blocks, n_links, is_complete = [_no_links()], 0, True
    for number, found in _find_links(searches):
        n_pairs[number] += int(searches[number].is_at(found.value).sum())
        found = found.take(group_of_row[found.first] != group_of_row[found.second])
        if max_group is None:
            found = equal.drop_known(found)
        blocks.append(found)
        n_links += len(blocks[-1])
        if n_links > MOST_LINKS:
            is_complete = False
            blocks = [_follow(_concatenate(blocks), group_of_row, rows_of_unit, None)[0]]
            n_links = len(blocks[0])
            if max_group is None and n_links == len(rows_of_unit) - 1:
                # Everything is one group: more links cannot change that.
                break
    links = _concatenate(blocks)
    used, parent = _follow(links, group_of_row, rows_of_unit, max_group)
    joined = number_by_first(parent[group_of_row])[0]
    cut = _no_links()
    if max_group is not None and len(used) < len(links):
        found_again = [links] if is_complete else (found for _, found in _find_links(searches))
        cut = _find_cut(found_again, joined, searches)
    return Joined(joined, used, cut, n_pairs)


class _EqualRows:
    """Units that links between equal rows have joined.

    50,000 equal rows have more than a billion pairs, and all but 49,999 of them join nothing.
    """

    def __init__(self, group_of_row: NDArray[np.int64], rows_of_unit: NDArray[np.int64]) -> None:
        self._group_of_row = group_of_row
        self._parent = np.arange(len(rows_of_unit))
        self._rows = rows_of_unit.copy()

    def drop_known(self, links: LinkList) -> LinkList:
        """Return the links without those between equal rows that are joined already."""
        equal = np.flatnonzero(links.strength >= 1.0)
        if not len(equal):
            return links
        is_used = np.empty(len(equal), np.int8)
        join_units.for_work(len(equal) + len(self._parent))(
            self._group_of_row[links.first[equal]],
            self._group_of_row[links.second[equal]],
            len(self._group_of_row),
            self._rows,
            self._parent,
            is_used,
        )
        keep = np.ones(len(links), bool)
        keep[equal[is_used == 0]] = False
        return links.take(keep)


def _find_links(searches: Sequence[PairSearch]) -> Iterator[tuple[int, LinkList]]:
    """Yield the pairs of each search, and the number of the search."""
    for number, search in enumerate(searches):
        for first, second, value in search.find_pairs():
            yield (
                number,
                LinkList(
                    first,
                    second,
                    value,
                    search.find_strength(value),
                    np.full(len(first), number, np.int64),
                ),
            )


def _no_links() -> LinkList:
    rows = np.empty(0, np.int64)
    return LinkList(rows, rows, np.empty(0), np.empty(0), rows)


def _concatenate(lists: Sequence[LinkList]) -> LinkList:
    return LinkList(
        np.concatenate([links.first for links in lists]),
        np.concatenate([links.second for links in lists]),
        np.concatenate([links.value for links in lists]),
        np.concatenate([links.strength for links in lists]),
        np.concatenate([links.search for links in lists]),
    )


def _follow(
    links: LinkList,
    group_of_row: NDArray[np.int64],
    rows_of_unit: NDArray[np.int64],
    max_group: int | None,
) -> tuple[LinkList, NDArray[np.int64]]:
    """Return the links that join units, strongest first, and the representative of each unit."""
    # Sorted by rows too, so that the order in which pairs were found does not matter.
    order = np.lexsort((links.search, links.second, links.first, -links.strength))
    links = links.take(order)
    parent = np.arange(len(rows_of_unit))
    is_used = np.empty(len(links), np.int8)
    join_units.for_work(len(links) + len(parent))(
        group_of_row[links.first],
        group_of_row[links.second],
        len(group_of_row) if max_group is None else max_group,
        rows_of_unit.copy(),
        parent,
        is_used,
    )
    return links.take(is_used == 1), parent


def _find_cut(
    blocks: Iterable[LinkList],
    group_of_row: NDArray[np.int64],
    searches: Sequence[PairSearch],
) -> LinkList:
    """Return the pairs at the threshold that are in two groups."""
    cut, n_cut = [_no_links()], 0
    for block in blocks:
        parted = block.take(group_of_row[block.first] != group_of_row[block.second])
        at = np.zeros(len(parted), bool)
        for number, search in enumerate(searches):
            own = parted.search == number
            at[own] = search.is_at(parted.value[own])
        cut.append(parted.take(at))
        n_cut += len(cut[-1])
        if n_cut > MOST_LINKS:
            raise InputError(
                f"cuts more than {MOST_LINKS:,} links, so most rows would leak. "
                "Make it larger, or move the threshold 'at' so that fewer rows are linked.",
                parameter="max_group",
            )
    return _concatenate(cut)
