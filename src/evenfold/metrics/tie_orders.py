"""Orders of labels of equal score: the worst, the average over all orders, or one at random."""

from __future__ import annotations

from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from .._checks.choices import check_choice
from .._checks.seeds import make_rng
from .averaging import divide
from .ties import Ties

TieRule = Literal["worst", "average", "random"]


class TieOrder(Protocol):
    """What rankings need to know of the order within each tie."""

    def count_wrong_pairs(self, ties: Ties) -> NDArray[Any]:
        """Return how many pairs of a true and a false cell have the false one first, (n_ties,)."""

    def count_before_last(self, ties: Ties) -> NDArray[Any]:
        """Return how many false cells are before the last true one, (n_ties,)."""

    def find_first_false(self, ties: Ties) -> NDArray[Any]:
        """Return 1 where the first cell is false and 0 where it is true, (n_ties,)."""


class WorstOrder:
    """False cells are before true ones."""

    def count_wrong_pairs(self, ties: Ties) -> NDArray[Any]:
        """Return the number of all pairs."""
        return np.asarray(ties.n_true * ties.n_false)

    def count_before_last(self, ties: Ties) -> NDArray[Any]:
        """Return the number of false cells."""
        return ties.n_false

    def find_first_false(self, ties: Ties) -> NDArray[Any]:
        """Return 1 where a cell is false."""
        return np.asarray(ties.n_false > 0)


class AverageOrder:
    """Expected values over all orders, which are equally probable."""

    def count_wrong_pairs(self, ties: Ties) -> NDArray[Any]:
        """Return half the number of all pairs."""
        return np.asarray(ties.n_true * ties.n_false / 2)

    def count_before_last(self, ties: Ties) -> NDArray[Any]:
        """Return the expected number: the true cells leave n_true + 1 gaps of equal length."""
        return np.asarray(ties.n_false * (ties.n_true / (ties.n_true + 1)))

    def find_first_false(self, ties: Ties) -> NDArray[Any]:
        """Return the share of the cells that are false."""
        return divide(ties.n_false, ties.n_true + ties.n_false)


class RandomOrder:
    """One order of each tie, drawn from all orders.

    The numbers that are drawn depend on the ties alone. So the order is the same for dense and
    sparse scores and for all metrics.
    """

    def __init__(self, random_state: Any) -> None:
        self._rng = make_rng(random_state)

    def count_wrong_pairs(self, ties: Ties) -> NDArray[Any]:
        """Return the number of pairs in the drawn order."""
        of_tie, n_before = self._draw(ties)
        return np.bincount(of_tie, n_before, len(ties.score))

    def count_before_last(self, ties: Ties) -> NDArray[Any]:
        """Return the number in the drawn order."""
        highest = np.zeros(len(ties.score), np.int64)
        np.maximum.at(highest, *self._draw(ties))
        return highest

    def find_first_false(self, ties: Ties) -> NDArray[Any]:
        """Return 1 where the first cell of the drawn order is false."""
        lowest = ties.n_false.copy()
        np.minimum.at(lowest, *self._draw(ties))
        return lowest > 0

    def _draw(self, ties: Ties) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the tie of each true cell, and how many false cells of its tie are before it.

        The true cells are placed one after the other: the first at one of n_false + 1 places
        between false cells, each further one there or directly after an earlier one. All these
        places are equally probable. Ties that are all true or all false need no draw.
        """
        mixed = np.flatnonzero((ties.n_true > 0) & (ties.n_false > 0))
        n_true, of_tie = ties.n_true[mixed], np.repeat(mixed, ties.n_true[mixed])
        cell = np.arange(len(of_tie))
        first = np.repeat(np.cumsum(n_true) - n_true, n_true)
        n_false = ties.n_false[of_tie]
        drawn = (self._rng.random(len(of_tie)) * (n_false + 1 + cell - first)).astype(np.int64)
        # The cell whose place is taken: an earlier one of the tie, or the cell itself.
        source = np.where(drawn <= n_false, cell, first + drawn - n_false - 1)
        while (source != source[source]).any():
            source = source[source]
        return of_tie, drawn[source]


def check_ties(ties: Any, random_state: Any) -> TieOrder:
    """Return the order of equal scores by its name."""
    check_choice(ties, "ties", ("worst", "average", "random"))
    if ties == "random":
        return RandomOrder(random_state)
    return WorstOrder() if ties == "worst" else AverageOrder()
