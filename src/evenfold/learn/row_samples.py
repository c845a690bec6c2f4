"""Samples of rows that the members of an ensemble are fitted to."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._checks.numbers import check_number, check_whole, is_whole
from ..exceptions import InputError


def draw_rows(
    n_rows: int,
    n_members: int,
    rng: np.random.Generator,
    *,
    bagging: bool,
    max_samples: Any,
    bootstrap: bool,
) -> list[NDArray[np.int64] | None]:
    """Return the rows of each member; None, all rows, without bagging."""
    n_drawn = find_sample_size(max_samples, n_rows)
    if not bagging:
        if is_whole(max_samples) or max_samples != 1:
            raise InputError(
                f"must be 1.0 with bagging=False, got {max_samples}. "
                "Pass bagging=True, or leave it out.",
                parameter="max_samples",
            )
        return [None] * n_members
    if bootstrap:
        return [rng.integers(n_rows, size=n_drawn) for _ in range(n_members)]
    return [rng.permutation(n_rows)[:n_drawn] for _ in range(n_members)]


def find_sample_size(max_samples: Any, n_rows: int) -> int:
    """Return how many rows a sample has: a whole number is a number of rows, others a share."""
    advice = "Try max_samples=0.5 for half of the rows."
    if is_whole(max_samples):
        return check_whole(max_samples, "max_samples", advice, most=n_rows)
    share = check_number(max_samples, "max_samples", advice, most=1, above=True)
    return max(1, int(share * n_rows))
