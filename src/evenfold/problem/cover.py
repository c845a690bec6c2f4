"""Cover: how many rows of each label a part should hold at least."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._checks.numbers import is_whole
from ..exceptions import InputError, InputTypeError

Cover = bool | int | None

# What a row that a part lacks costs, as a multiple of any other row. The default rule asks for what
# is nearly even anyway: a high price would only hinder the search. A cover that the caller asks for
# comes before evenness.
_PRICE_BY_DEFAULT = 1
_PRICE_OF_COVER = 10

_MOST_ROWS = 2**62


def check_cover(cover: Any) -> int | None:
    """Return the rows of each label that every part should hold; None stands for the default rule.

    True is 1; False and 0 ask for no cover.
    """
    if cover is None:
        return None
    if isinstance(cover, bool | np.bool_):
        return int(cover)
    if not is_whole(cover):
        raise InputTypeError(
            f"must be True, False or a number of rows, got {cover!r}. Leave it out for the "
            "default: one row wherever the share of the part is more than half a row.",
            parameter="cover",
        )
    if cover < 0:
        raise InputError(
            f"must be 0 or more rows of each label in every part, got {cover!r}. "
            "Leave it out for the default rule.",
            parameter="cover",
        )
    # No label has more rows, and arrays hold no larger number.
    return min(int(cover), _MOST_ROWS)


def find_least(
    cover: int | None,
    weights: NDArray[np.int64],
    total_of_criterion: NDArray[np.int64],
    n_units_of_criterion: NDArray[np.int64],
    is_label: NDArray[np.bool_],
    turn_of_criterion: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Return (n_criteria, n_parts) how many rows of each label every part should hold at least.

    By default, a part should hold one row of a label if its share is more than half a row and the
    label has at least as many units as there are parts. Equal parts need no such rule. With a
    number n, every part should hold n rows, or the number of units per part if that is less. A
    label with fewer units than parts should be in as many parts as it has units: the largest ones,
    in which it deviates least. The result is empty if no part should hold anything.

    Parameters
    ----------
    cover : int | None
        Rows of each label in every part; None for the default rule.
    weights : NDArray[np.int64]
        (n_parts,) wanted shares as whole numbers.
    total_of_criterion : NDArray[np.int64]
        (n_criteria,) rows that hold each criterion.
    n_units_of_criterion : NDArray[np.int64]
        (n_criteria,) units that hold each criterion.
    is_label : NDArray[np.bool_]
        (n_criteria,) True for labels.
    turn_of_criterion : NDArray[np.int64]
        (n_criteria,) any numbers: they choose between parts of the same size, if a label has too
        few units for all of them.

    Returns
    -------
    NDArray[np.int64]
        Rows to hold, 0 where none must be held.
    """
    n_parts = len(weights)
    are_equal = (weights == weights[0]).all()
    if cover is not None:
        least = np.minimum(n_units_of_criterion // n_parts, cover) * is_label
        least = np.repeat(least[:, None], n_parts, axis=1)
        # Wherever its only unit is, a label is lacking in all other parts.
        scarce = is_label & (n_units_of_criterion > 1) & (n_units_of_criterion < n_parts)
        if cover and scarce.any():
            rank = _rank_parts(weights, turn_of_criterion[scarce])
            least[scarce] = are_equal | (rank < n_units_of_criterion[scarce, None])
    elif are_equal:
        return np.empty((0, 0), np.int64)
    else:
        has_enough = is_label & (n_units_of_criterion >= n_parts)
        share, whole = total_of_criterion[:, None] * weights, weights.sum()
        # With one row or more as its share, a part gets one if labels do not compete.
        least = (has_enough[:, None] & (2 * share > whole) & (share < whole)).astype(np.int64)
    return least if least.any() else np.empty((0, 0), np.int64)


def _rank_parts(weights: NDArray[np.int64], turn: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return (len(turn), n_parts) the rank of each part, the largest first; equal ones in turn."""
    n_larger = (weights > weights[:, None]).sum(axis=1)
    are_tied = weights == weights[:, None]
    n_tied_before = np.tril(are_tied, -1).sum(axis=1)
    return np.asarray(n_larger + (n_tied_before + turn[:, None]) % are_tied.sum(axis=1))


def find_price_of_lacking(cover: int | None) -> int:
    """Return what a row that a part lacks costs, as a multiple of any other row."""
    return _PRICE_BY_DEFAULT if cover is None else _PRICE_OF_COVER
