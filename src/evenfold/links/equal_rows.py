"""Rows with equal content: put back into pairs that were found without copies."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from .pairs import Pairs

# Pairs of one block: about 100 MB with what is computed on the way.
_BLOCK = 1 << 20


def expand_pairs(
    number_of_row: NDArray[np.int64], found: Iterable[Pairs], value_of_equal: float
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

    Yields
    ------
    Pairs
        Blocks of pairs of rows.
    """
    rows = np.flatnonzero(number_of_row >= 0)
    rows = rows[np.argsort(number_of_row[rows], kind="stable")]
    count = np.bincount(number_of_row[rows])
    start = np.concatenate(([0], np.cumsum(count)))
    repeated = np.flatnonzero(count > 1)
    own = Pairs(repeated, repeated, np.full(len(repeated), value_of_equal))
    for pairs in itertools.chain([own], found):
        yield from _expand_block(rows, start, count, pairs)


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
