"""Lists of numbers that are the rows of a 0/1 matrix with a few wrong values."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .column_rules import UNKNOWN, WRONG

# The largest share of wrong values at which lists are taken for a matrix. Chosen by judgement.
_MAX_WRONG_SHARE = 1 / 5


class WrongValue(NamedTuple):
    """A value that a 0/1 matrix cannot hold.

    Attributes
    ----------
    value : Any
        The value.
    row : int
        Its row.
    label : int
        Its place in the list.
    """

    value: Any
    row: int
    label: int


class MatrixEvidence:
    """Whether lists are the rows of a 0/1 matrix with wrong values, from one batch or several.

    They are if all of them have the same length, at most a fifth of their known values are not 0 or
    1, and 0 or 1 is twice in some list, which does not happen in a list of labels.
    """

    def __init__(self) -> None:
        self.n_wrong = 0
        self._n_rows = 0
        self._n_known = 0
        self._width: int | None = None
        self._is_rectangular = True
        self._repeats = False
        self._first_wrong: WrongValue | None = None

    def add(self, lengths: NDArray[Any], flags: NDArray[np.int8], values: Any) -> None:
        """Add lists.

        Parameters
        ----------
        lengths : ndarray of int
            (n_lists,) the lengths of the lists.
        flags : ndarray of int8
            (n_values,) 0, 1, UNKNOWN or WRONG for each value.
        values : sequence
            (n_values,) the values of all lists, one list after the other.
        """
        if not self._is_rectangular or not len(lengths):
            return
        width = int(lengths[0]) if self._width is None else self._width
        self._width = width
        self._is_rectangular = width > 0 and bool((lengths == width).all())
        if not self._is_rectangular:
            return
        table = flags.reshape(-1, width)
        self._repeats |= any(((table == flag).sum(axis=1) > 1).any() for flag in (0, 1))
        wrong = np.flatnonzero(flags == WRONG)
        if wrong.size and self._first_wrong is None:
            row, label = divmod(int(wrong[0]), width)
            self._first_wrong = WrongValue(values[int(wrong[0])], self._n_rows + row, label)
        self.n_wrong += wrong.size
        self._n_known += int((flags != UNKNOWN).sum())
        self._n_rows += len(lengths)

    def find_wrong(self) -> WrongValue | None:
        """Return the first wrong value if the lists are a matrix, else None."""
        is_matrix = (
            self._is_rectangular
            and self._repeats
            and self.n_wrong <= _MAX_WRONG_SHARE * self._n_known
        )
        return self._first_wrong if is_matrix else None
