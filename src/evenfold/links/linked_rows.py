"""Links: groups of rows that belong together, and what joined them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._tables.numbers import show_count
from ..exceptions import InputError
from .chains import describe_largest
from .group_columns import GroupColumn, describe_column
from .joining import Joined, LinkList
from .pairs import Pairs, PairSearch

# The name of the groups that searches have linked, where columns are listed.
LINKED_GROUPS = "linked groups"
_N_WEAKEST = 3
_WIDTH = 80


class WeakLink(NamedTuple):
    """A link between two rows.

    Attributes
    ----------
    first : int
        A row.
    second : int
        Another row.
    kind : str
        The argument of `evenfold.link` that holds the data, such as "similar".
    value : float
        The similarity or distance of the two rows.
    """

    first: int
    second: int
    kind: str
    value: float


class CutSearch(PairSearch):
    """The pairs of a search whose links `max_group` cut; all others are within groups.

    Parameters
    ----------
    search : PairSearch
        The search that found them.
    cut : LinkList
        The pairs.
    """

    def __init__(self, search: PairSearch, cut: LinkList) -> None:
        self.kind, self.measure, self.at = search.kind, search.measure, search.at
        self.unit, self.packages, self.n_rows = search.unit, search.packages, search.n_rows
        self.is_distance, self.recall = search.is_distance, search.recall
        self._search, self._cut = search, cut

    @property
    def fingerprint(self) -> str:
        """That of the search."""
        return self._search.fingerprint

    def describe(self) -> str:
        """Return what the search says."""
        return self._search.describe()

    def find_different(self) -> Iterator[Pairs]:
        """Find the pairs that were cut.

        Yields
        ------
        Pairs
            All of them.
        """
        yield Pairs(self._cut.first, self._cut.second, self._cut.value)


class Links:
    """Groups of rows that belong together. Made by `evenfold.link`, for `groups=`.

    Parameters
    ----------
    columns : sequence of GroupColumn
        The columns whose values keep rows together.
    searches : sequence of PairSearch
        The searches for pairs of rows that are alike.
    joined : Joined
        The groups, and the links that made them.
    max_group : int or None
        The largest number of rows that links may join.

    Attributes
    ----------
    group_of_row : ndarray of int64, shape (n_rows,)
        The number of each row's group. `np.asarray(links)` is the same.
    columns : tuple of GroupColumn
        The columns whose values keep rows together.
    searches : tuple of PairSearch
        The searches for pairs of rows that are alike.
    max_group : int or None
        The largest number of rows that links may join.
    n_pairs : list of int
        The pairs that each search found.
    cut : LinkList
        The pairs in two groups, because `max_group` cut their links.

    Examples
    --------
    >>> links = evenfold.link(groups={"patient": [1, 1, 2, 3], "study": ["a", "b", "b", "c"]})
    >>> links.group_of_row.tolist(), links.sizes.tolist()
    ([0, 0, 0, 1], [3, 1])
    """

    def __init__(
        self,
        columns: Sequence[GroupColumn],
        searches: Sequence[PairSearch],
        joined: Joined,
        max_group: int | None,
    ) -> None:
        self.group_of_row = joined.group_of_row
        self.group_of_row.flags.writeable = False
        self.columns = tuple(columns)
        self.searches = tuple(searches)
        self.max_group = max_group
        self.n_pairs = joined.n_pairs
        self.cut = joined.cut
        self._used = joined.used

    @property
    def n_groups(self) -> int:
        """Number of groups."""
        return int(self.group_of_row.max()) + 1

    @property
    def sizes(self) -> NDArray[np.int64]:
        """(n_groups,) rows of each group."""
        return np.bincount(self.group_of_row)

    def __len__(self) -> int:
        return len(self.group_of_row)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        return np.array(self.group_of_row, dtype=dtype, copy=copy)

    def find_weakest(self, n: int = _N_WEAKEST) -> list[WeakLink]:
        """Return the weakest links that hold the largest group together, the weakest first.

        Parameters
        ----------
        n : int, default=3
            How many.

        Returns
        -------
        list of WeakLink
            At a threshold stricter than the first of them, the group is no longer one.
        """
        largest = int(self.sizes.argmax())
        links = self._used.take(self.group_of_row[self._used.first] == largest)
        weakest = links.take(np.argsort(links.strength, kind="stable")[:n])
        return [
            WeakLink(int(first), int(second), self.searches[search].kind, float(value))
            for first, second, search, value in zip(
                weakest.first, weakest.second, weakest.search, weakest.value, strict=True
            )
        ]

    def check_rows(self, n_rows: int, parameter: str) -> None:
        """Refuse links of another number of rows.

        Parameters
        ----------
        n_rows : int
            The number of rows that there should be.
        parameter : str
            The argument that the links came as.
        """
        if len(self) != n_rows:
            raise InputError(
                f"must link the {n_rows:,} rows of the labels, got links of {len(self):,}. "
                "Check that both come from the same data.",
                parameter=parameter,
            )

    def list_sources(self) -> tuple[list[GroupColumn], list[PairSearch]]:
        """Return what a check of a split needs: columns that must be whole, and pairs.

        Returns
        -------
        columns : list of GroupColumn
            The columns of groups, and the groups that searches have linked.
        searches : list of PairSearch
            The pairs that are in two groups; all other pairs are in one of the linked groups.
        """
        linked = [GroupColumn(LINKED_GROUPS, self.group_of_row)] if self.searches else []
        cut: list[PairSearch] = [
            CutSearch(search, self.cut.take(self.cut.search == number))
            for number, search in enumerate(self.searches)
        ]
        return [*self.columns, *linked], cut

    def find_across(self, part_of_row: NDArray[Any]) -> LinkList:
        """Return the pairs whose links `max_group` cut and that a split has in two parts.

        Parameters
        ----------
        part_of_row : ndarray of shape (n_rows,)
            The part of each row.

        Returns
        -------
        LinkList
            The pairs.
        """
        return self.cut.take(part_of_row[self.cut.first] != part_of_row[self.cut.second])

    def remarks(self) -> list[str]:
        """Return what a user should know of the groups, as sentences.

        Returns
        -------
        list of str
            What holds the largest group together, and what was cut.
        """
        chain = describe_largest(self.columns, self.group_of_row)
        weakest = ", ".join(
            f"rows {link.first:,} and {link.second:,} ({link.kind} {link.value:.4g})"
            for link in self.find_weakest()
        )
        sentences = [
            chain,
            f"The weakest links of the largest group: {weakest}." if weakest else "",
            f"Links that would make groups of more than {self.max_group:,} rows were cut: "
            f"{show_count(len(self.cut), 'pair')} at the threshold "
            f"{'is' if len(self.cut) == 1 else 'are'} in two groups, and may come into two parts."
            if len(self.cut)
            else "",
        ]
        return [sentence for sentence in sentences if sentence]

    def to_dict(self) -> dict[str, Any]:
        """Return what was linked, as plain data.

        Returns
        -------
        dict
            Columns, searches, numbers of pairs and of groups; not the rows.
        """
        return {
            "columns": [
                {"name": column.name, "values": column.n_values, "missing": column.n_missing}
                for column in self.columns
            ],
            "searches": [
                {**search.to_dict(), "pairs": n_pairs}
                for search, n_pairs in zip(self.searches, self.n_pairs, strict=True)
            ],
            "groups": self.n_groups,
            "largest_group": int(self.sizes.max()),
            "max_group": self.max_group,
            "cut_pairs": len(self.cut),
        }

    def __str__(self) -> str:
        sources = [describe_column(column) for column in self.columns]
        for search, n_pairs in zip(self.searches, self.n_pairs, strict=True):
            sources.append(f"{search.kind}: {search.describe_pairs(n_pairs)}")
        title = (
            f"{show_count(len(self), 'row')} in {show_count(self.n_groups, 'group')}; "
            f"the largest has {show_count(int(self.sizes.max()), 'row')}"
        )
        lines = [title, *(f"- {source}" for source in sources), *self.remarks()]
        return "\n".join(textwrap.fill(line, _WIDTH, subsequent_indent="  ") for line in lines)

    def __repr__(self) -> str:
        return f"<Links: {len(self):,} rows in {self.n_groups:,} groups>"
