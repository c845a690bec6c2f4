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
    blocks, n_links, is_complete = [_no_links()], 0, True
    # If links may be cut, equal rows are not always joined, so that all their pairs matter.
    for number, found, n_alike in _find_links(searches, all_pairs=max_group is not None):
        n_pairs[number] += int(n_alike[searches[number].is_at(found.value)].sum())
        blocks.append(found.take(group_of_row[found.first] != group_of_row[found.second]))
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
        found_again = [links] if is_complete else (found for _, found, _ in _find_links(searches))
        cut = _find_cut(found_again, joined, searches)
    return Joined(joined, used, cut, n_pairs)


def _find_links(
    searches: Sequence[PairSearch], all_pairs: bool = True
) -> Iterator[tuple[int, LinkList, NDArray[np.int64]]]:
    """Yield the number of a search, links that it finds, and how many pairs each stands for."""
    for number, search in enumerate(searches):
        blocks = (
            ((pairs, np.ones(len(pairs.first), np.int64)) for pairs in search.find_pairs())
            if all_pairs
            else search.find_links()
        )
        for (first, second, value), n_alike in blocks:
            of_search = np.full(len(first), number, np.int64)
            strength = search.find_strength(value)
            yield number, LinkList(first, second, value, strength, of_search), n_alike


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
