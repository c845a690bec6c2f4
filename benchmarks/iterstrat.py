"""Splits of the package iterative-stratification."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np


def split_by_iterstrat(
    dense: np.ndarray, parts: int | Sequence[float], seed: int = 0
) -> np.ndarray:
    """Return the part of each row, for folds as the README of that package makes them.

    For unequal parts, its function `IterativeStratification` is called. That function needs a
    boolean array, which its folds make of any array.
    """
    from iterstrat.ml_stratifiers import IterativeStratification, MultilabelStratifiedKFold

    if not isinstance(parts, int):
        return IterativeStratification(dense, np.array(parts), np.random.RandomState(seed))
    splitter = MultilabelStratifiedKFold(parts, shuffle=True, random_state=seed)
    return join_folds(len(dense), (test for _, test in splitter.split(dense, dense)))


def join_folds(n_rows: int, folds: Iterable[np.ndarray]) -> np.ndarray:
    """Return the fold of each row."""
    part_of_row = np.empty(n_rows, np.int64)
    for number, rows in enumerate(folds):
        part_of_row[rows] = number
    return part_of_row
