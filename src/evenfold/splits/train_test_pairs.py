"""Pairs of train and test rows of a split: one for each fold, or one of two named parts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._checks.values import show_some
from ..exceptions import InputError

Pair = tuple[NDArray[np.int64], NDArray[np.int64]]

_TRAIN = "train"
# The part that a learner is scored on, if there are both: the test part is for the end.
_SCORED = ("val", "test")
_MAX_NAMES_SHOWN = 5


def is_train_test(names: tuple[str, ...]) -> bool:
    """Tell whether the parts are train and others, not folds."""
    return _TRAIN in names


def find_train_and_test(names: tuple[str, ...]) -> tuple[str, str]:
    """Return the names of the parts that a learner is fitted to and scored on."""
    others = [name for name in names if name != _TRAIN]
    scored = [name for name in _SCORED if name in others] or others
    if len(scored) > 1 and scored[0] not in _SCORED:
        raise InputError(
            "this split has no part named val or test beside train, so it is not clear which "
            f"part to score on. Parts: {show_some(names, _MAX_NAMES_SHOWN)}. "
            f"Pass cv=[(split['train'], split[{scored[0]!r}])]."
        )
    return _TRAIN, scored[0]


def check_folds(names: tuple[str, ...]) -> None:
    """Check that the parts are folds."""
    if is_train_test(names):
        raise InputError(
            f"this split has no folds. Parts: {show_some(names, _MAX_NAMES_SHOWN)}. "
            "Pass the split itself as cv=, or take its parts by name, such as split['train']."
        )


def make_folds(part_of_row: NDArray[np.int32], n_folds: int) -> Iterator[Pair]:
    """Yield the rows of the other folds and of the fold, for each fold; a holdout is in neither.

    Yields
    ------
    tuple of two ndarrays
        The sorted row indices.
    """
    in_fold = part_of_row < n_folds
    for number in range(n_folds):
        test = part_of_row == number
        yield np.flatnonzero(in_fold & ~test), np.flatnonzero(test)


def check_n_rows(X: Any, y: Any, n_rows: int) -> None:  # noqa: N803 - scikit-learn's name
    """Check that features and labels, if they are given, have the rows of the split."""
    for name, rows in (("X", X), ("y", y)):
        if rows is None:
            continue
        n_given = rows.shape[0] if hasattr(rows, "shape") else len(rows)
        if n_given != n_rows:
            raise InputError(
                f"must have the {n_rows:,} rows of the split, got {n_given:,}. "
                "Pass the rows that were split, or a splitter of evenfold.model_selection, which "
                "splits the rows that it gets.",
                parameter=name,
            )
