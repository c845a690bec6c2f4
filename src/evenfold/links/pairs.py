"""Pairs of rows that are alike, and the contract of every search for them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._tables.numbers import show_count

# Pairs this near to the threshold are linked too: other programs may round their similarity up.
SLACK = 1e-6
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
    packages : tuple of str
        The packages that the search uses, besides those of evenfold.
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
    """

    kind: ClassVar[str]
    packages: ClassVar[tuple[str, ...]] = ()
    n_rows: int
    measure: str
    at: float
    is_distance: bool = False
    recall: Recall | None = None

    @abstractmethod
    def find_pairs(self) -> Iterator[Pairs]:
        """Yield all pairs in blocks that fit into memory.

        Similarities are at least `at - SLACK`, distances at most `at + SLACK`. Values are computed
        in 64 bits, whatever the type of the data.
        """

    @property
    @abstractmethod
    def fingerprint(self) -> str:
        """32 hexadecimal digits that name the content of the data."""

    def is_at(self, value: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Tell which values are at the threshold, without slack."""
        return np.asarray(value <= self.at if self.is_distance else value >= self.at)

    def find_strength(self, value: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how strong links are: 0 at the threshold, 1 for equal rows.

        So links of several searches can be compared.
        """
        span = self.at if self.is_distance else 1.0 - self.at
        over = self.at - value if self.is_distance else value - self.at
        return np.clip(over / span, 0.0, 1.0) if span > 0 else np.ones(len(value))

    def describe(self) -> str:
        """Return the measure, the threshold and the kind of search, such as for a certificate."""
        limit = f"of {self.at:g} or {'less' if self.is_distance else 'more'}"
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
            "measure": self.measure,
            "at": self.at,
            "within": self.is_distance,
            "exact": self.recall is None,
            "recall": None if self.recall is None else self.recall._asdict(),
            "fingerprint": self.fingerprint,
        }
