"""Pairs of rows that are alike, and the contract of every search for them."""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._tables.numbers import show_count

# Pairs this near to the threshold are linked too: other programs may round their similarity up.
# Of distances, it is a share.
SLACK = 1e-6
# Values of 64 bits are exact to about this; parallel rows may have a cosine just below 1.
ROUNDING = 1e-9
# Pairs of one block of `expand_pairs`: about 100 MB with what is computed on the way.
_BLOCK = 1 << 20
# Up to this many rows, all pairs are compared if nothing else is asked for.
MAX_EXACT_ROWS = 200_000
# Rows whose pairs an approximate search also searches exactly, to measure its recall.
N_CHECKED = 10_000


def find_least(at: float) -> float:
    """Return the least similarity of pairs at a threshold above 0.

    A threshold that is smaller than the slack must stay above 0: otherwise rows that have nothing
    in common would be pairs.
    """
    return max(at - SLACK, at / 2)


class Pairs(NamedTuple):
    """Pairs of rows that are alike.

    Attributes
    ----------
    first : NDArray[np.int64]
        (n_pairs,) a row.
    second : NDArray[np.int64]
        (n_pairs,) another row, larger than `first`. No pair occurs twice in a search.
    value : NDArray[np.float64]
        (n_pairs,) their similarity or distance.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    value: NDArray[np.float64]


class Recall(NamedTuple):
    """The share of the pairs that an approximate search finds, measured on some rows.

    Attributes
    ----------
    share : float
        The share of the pairs of these rows that were found; 1.0 if they have none.
    n_rows : int
        The rows whose pairs were also searched exactly.
    n_pairs : int
        The pairs that these rows have.
    """

    share: float
    n_rows: int
    n_pairs: int


class PairSearch(ABC):
    """A search for pairs of rows at a threshold. It can be repeated, with the same pairs.

    Attributes
    ----------
    kind : str
        The argument of `evenfold.link` that holds the data, such as "similar".
    unit : str
        What follows the threshold in texts, such as " bits".
    packages : tuple of str
        Packages whose version can change what is found; their versions are in certificates.
    n_rows : int
        The number of rows.
    measure : str
        What is compared, such as "cosine similarity".
    at : float
        The threshold.
    is_distance : bool
        Whether pairs are within the threshold, and not at or above it.
    recall : Recall or None
        None if the search is exact. Set at the latest when `find_pairs` has ended.
    number_of_row : NDArray[np.int64] or None
        (n_rows,) equal numbers for rows of equal content, -1 for a row that is in no pair; None if
        rows are not compared for equality.
    """

    kind: str
    packages: tuple[str, ...] = ()
    unit: str = ""
    n_rows: int
    measure: str
    at: float
    is_distance: bool = False
    recall: Recall | None = None
    number_of_row: NDArray[np.int64] | None = None

    @abstractmethod
    def find_different(self) -> Iterator[Pairs]:
        """Find the pairs of different contents, in blocks that fit into memory.

        Contents are the numbers of `number_of_row`, or rows if that is None. Similarities are at
        least `at - SLACK`, distances at most `at * (1 + SLACK)`. Values are computed in 64 bits,
        whatever the type of the data.

        Yields
        ------
        Pairs
            A block of pairs.
        """

    def find_pairs(self, part_of_row: NDArray[Any] | None = None) -> Iterator[Pairs]:
        """Find all pairs of rows; with `part_of_row`, those in one part may be left out.

        Many equal rows have very many pairs. If they are in one part, none of these is needed.

        Yields
        ------
        Pairs
            A block of pairs.
        """
        if self.number_of_row is None:
            yield from self.find_different()
        else:
            yield from expand_pairs(
                self.number_of_row, self.find_different(), self._value_of_equal, part_of_row
            )

    def find_links(self) -> Iterator[tuple[Pairs, NDArray[np.int64]]]:
        """Find pairs that join the same rows as all pairs do, and how many pairs each stands for.

        Of many equal rows, each is paired only with the next one.

        Yields
        ------
        tuple of Pairs and ndarray of int64
            A block of pairs, and the number of pairs for each.
        """
        if self.number_of_row is None:
            for pairs in self.find_different():
                yield pairs, np.ones(len(pairs.first), np.int64)
            return
        rows, start, count = _sort_by_number(self.number_of_row)
        follows = np.flatnonzero(np.diff(self.number_of_row[rows]) == 0)
        place = follows - start[self.number_of_row[rows[follows]]]
        value = np.full(len(follows), self._value_of_equal)
        yield Pairs(rows[follows], rows[follows + 1], value), place + 1
        for one, other, value in self.find_different():
            held = (count[one] > 0) & (count[other] > 0)
            one, other, value = one[held], other[held], value[held]
            ends = rows[start[one]], rows[start[other]]
            yield Pairs(np.minimum(*ends), np.maximum(*ends), value), count[one] * count[other]

    @property
    def _value_of_equal(self) -> float:
        return 0.0 if self.is_distance else 1.0

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """32 hexadecimal digits that name the content of the data."""

    def is_at(self, value: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Tell which values are at the threshold, but for the last digits, which are rounded."""
        if self.is_distance:
            return np.asarray(value <= self.at * (1 + ROUNDING))
        return np.asarray(value >= self.at - ROUNDING)

    def find_strength(self, value: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how strong links are: 0 at the threshold, 1 for equal rows.

        So links of several searches can be compared.
        """
        span = self.at if self.is_distance else 1.0 - self.at
        over = self.at - value if self.is_distance else value - self.at
        return np.clip(over / span, 0.0, 1.0) if span > 0 else np.ones(len(value))

    def describe(self) -> str:
        """Return the measure, the threshold and the kind of search, such as for a certificate."""
        limit = f"of {self.at:g}{self.unit} or {'less' if self.is_distance else 'more'}"
        how = "exact search"
        if self.recall is not None:
            how = (
                f"approximate search, recall {self.recall.share:.4f} on "
                f"{self.recall.n_rows:,} rows checked exactly"
            )
        return f"{self.measure} {limit} ({how})"

    def describe_pairs(self, n_pairs: int) -> str:
        """Return how many pairs were found, and what was searched."""
        return f"{show_count(n_pairs, 'pair')} with {self.describe()}"

    def to_dict(self) -> dict[str, Any]:
        """Return what was searched, as plain data."""
        return {
            "kind": self.kind,
            "description": self.describe(),
            "measure": self.measure,
            "at": self.at,
            "within": self.is_distance,
            "exact": self.recall is None,
            "recall": None if self.recall is None else self.recall._asdict(),
            "fingerprint": self.fingerprint,
        }


def expand_pairs(
    number_of_row: NDArray[np.int64],
    found: Iterable[Pairs],
    value_of_equal: float,
    part_of_row: NDArray[Any] | None = None,
) -> Iterator[Pairs]:
    """Yield the pairs of rows of pairs of numbers, and the pairs of rows with equal numbers.

    Parameters
    ----------
    number_of_row : ndarray of int64
        (n_rows,) the number of each row's content, -1 where it has none.
    found : iterable of Pairs
        Pairs of different numbers.
    value_of_equal : float
        The similarity or distance of rows with the same number.
    part_of_row : ndarray, default=None
        (n_rows,) the part of each row: pairs of numbers that are only in one and the same part are
        left out.

    Yields
    ------
    Pairs
        Blocks of pairs of rows.
    """
    rows, start, count = _sort_by_number(number_of_row)
    only_part = None
    if part_of_row is not None:
        only_part = _find_only_part(number_of_row, part_of_row, len(count))
    repeated = np.flatnonzero(count > 1)
    own = Pairs(repeated, repeated, np.full(len(repeated), value_of_equal))
    for pairs in itertools.chain([own], found):
        if only_part is not None:
            one, other = only_part[pairs.first], only_part[pairs.second]
            is_needed = (one != other) | (one < 0)
            pairs = Pairs(*(column[is_needed] for column in pairs))
        yield from _expand_block(rows, start, count, pairs)


def _sort_by_number(
    number_of_row: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the rows sorted by number, where each number begins, and how many rows it has."""
    rows = np.flatnonzero(number_of_row >= 0)
    rows = rows[np.argsort(number_of_row[rows], kind="stable")]
    # Numbers are below the number of rows; some may have no rows.
    count = np.bincount(number_of_row[rows], minlength=len(number_of_row))
    return rows, np.concatenate(([0], np.cumsum(count)))[:-1], count


def _find_only_part(
    number_of_row: NDArray[np.int64], part_of_row: NDArray[Any], n_numbers: int
) -> NDArray[np.int64]:
    """Return the part of numbers whose rows are all in one part, -1 for the others."""
    held = np.flatnonzero(number_of_row >= 0)
    part = part_of_row[held].astype(np.int64)
    lowest = np.full(n_numbers, np.iinfo(np.int64).max)
    highest = np.full(n_numbers, -1, np.int64)
    np.minimum.at(lowest, number_of_row[held], part)
    np.maximum.at(highest, number_of_row[held], part)
    return np.where(lowest == highest, lowest, -1)


def _expand_block(
    rows: NDArray[np.int64], start: NDArray[np.int64], count: NDArray[np.int64], pairs: Pairs
) -> Iterator[Pairs]:
    """Number all pairs of rows one after another, and make those of `_BLOCK` numbers at a time."""
    ends = np.cumsum(count[pairs.first] * count[pairs.second])
    n_all = int(ends[-1]) if len(ends) else 0
    for begin in range(0, n_all, _BLOCK):
        number = np.arange(begin, min(begin + _BLOCK, n_all))
        pair = np.searchsorted(ends, number, side="right")
        one, other = pairs.first[pair], pairs.second[pair]
        place = number - (ends[pair] - count[one] * count[other])
        one_row = rows[start[one] + place // count[other]]
        other_row = rows[start[other] + place % count[other]]
        # Of a number paired with itself, each pair of rows comes twice, and each row with itself.
        is_kept = (one != other) | (one_row < other_row)
        if is_kept.any():
            yield Pairs(
                np.minimum(one_row, other_row)[is_kept],
                np.maximum(one_row, other_row)[is_kept],
                pairs.value[pair[is_kept]],
            )
