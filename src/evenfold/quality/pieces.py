"""Pieces: the rows of one value, such as a group, that are in one part."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .values import Ints


class Pieces(NamedTuple):
    """The pieces of all values, ordered by value, then by part.

    Attributes
    ----------
    cells : (n_pieces,) array of int
        The number of the value times the number of parts, plus the number of the part.
    n_parts : int
        The number of parts.
    """

    cells: Ints
    n_parts: int

    @property
    def code(self) -> Ints:
        """(n_pieces,) the number of each piece's value."""
        return self.cells // self.n_parts

    @property
    def part(self) -> Ints:
        """(n_pieces,) the part of each piece."""
        return self.cells % self.n_parts

    def count_parts(self, n_values: int = 0) -> Ints:
        """Return in how many parts each value is, for `n_values` values or more."""
        return np.bincount(self.code, minlength=n_values)


def find_pieces(code_of_row: Ints, part_of_row: NDArray[Any], n_parts: int) -> Pieces:
    """Return in which parts each value is; rows without a value (-1) are in no piece."""
    cells = sort_distinct(code_of_row * n_parts + part_of_row)
    return Pieces(cells[np.searchsorted(cells, 0) :], n_parts)


def number_pieces(
    code_of_row: Ints, part_of_row: NDArray[Any], n_parts: int
) -> tuple[Ints, Pieces]:
    """Return the piece of each row, and the pieces; each row must have a value."""
    cells, piece_of_row = np.unique(code_of_row * n_parts + part_of_row, return_inverse=True)
    return piece_of_row, Pieces(cells, n_parts)


def sort_distinct(numbers: Ints) -> Ints:
    """Return each number once, sorted: `np.unique`, whose hash table is slow for many numbers."""
    ordered = np.sort(numbers)
    is_first = np.ones(len(ordered), bool)
    np.not_equal(ordered[1:], ordered[:-1], out=is_first[1:])
    return ordered[is_first]
