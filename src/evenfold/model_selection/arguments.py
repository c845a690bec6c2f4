"""Arguments of splitters and of the functions that split arrays: rows and sizes of parts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._checks.numbers import is_whole
from ..exceptions import InputError, InputTypeError
from ..labels.hugging_face import join_splits

# Numbers of rows.
Indices = NDArray[np.int64]


def check_n_rows(X: Any, n_rows_of_y: int) -> None:
    """Check that X, unless it is None, has as many rows as y."""
    if X is None:
        return
    rows = join_splits(X, "X")
    n_rows = rows.shape[0] if hasattr(rows, "shape") else len(rows)
    if n_rows != n_rows_of_y:
        raise InputError(
            "and 'y' must have the same number of rows, "
            f"got {n_rows:,} and {n_rows_of_y:,}. Check that both come from the same data.",
            parameter="X",
        )


def check_sizes(n_rows: int, sizes: Mapping[str, Any], default: float) -> list[int]:
    """Return sizes in rows, in the order of `sizes`; rows of no part, if any, come last.

    `sizes` has train first. Fractions are rounded as in scikit-learn: train down, the others up.
    A size of None is the number of rows that the others leave. If all sizes are None, `default`
    is the test size.
    """
    given = {
        name: _check_size(name, size, n_rows) for name, size in sizes.items() if size is not None
    }
    if not given and len(sizes) == 2:
        given = {"test_size": math.ceil(default * n_rows)}
    n_left = n_rows - sum(given.values())
    if n_left < 0 and _are_fractions_of_all(sizes):
        # Val and test were both rounded up: train has as many rows fewer.
        given["train_size"] += n_left
        n_left = 0
    open_sizes = [name for name in sizes if name not in given]
    if len(open_sizes) > 1:
        raise InputError(
            f"must be given, got None: {' and '.join(open_sizes)} cannot both be what is left. "
            f"Try {open_sizes[1]}=0.2.",
            parameter=open_sizes[1],
        )
    if n_left < 0 or (open_sizes and n_left < 1) or 0 in given.values():
        passed = [f"{name}={sizes[name]}" for name in given if sizes[name] is not None]
        raise InputError(
            f"{', '.join(passed) or f'test_size={default}'} must leave every part a row, "
            f"got {n_rows:,} rows to share. Ask for other sizes."
        )
    whole = [given.get(name, n_left) for name in sizes]
    return [*whole, n_left] if n_left and not open_sizes else whole


def _are_fractions_of_all(sizes: Mapping[str, Any]) -> bool:
    """Tell whether all sizes are given as fractions whose sum is at most 1."""
    are_fractions = all(isinstance(size, float) for size in sizes.values())
    return are_fractions and sum(sizes.values()) <= 1 + 1e-9


def _check_size(name: str, size: Any, n_rows: int) -> int:
    if isinstance(size, bool) or not isinstance(size, int | float | np.number):
        raise InputTypeError(
            "must be a fraction or a number of rows, "
            f"got {size!r}, a {type(size).__name__}. Try {name}=0.2.",
            parameter=name,
        )
    if is_whole(size):
        if not 0 < size < n_rows:
            raise InputError(
                f"must be between 1 and {n_rows - 1:,} rows, got {size}. Ask for another size.",
                parameter=name,
            )
        return int(size)
    if not 0 < size < 1:
        raise InputError(
            "must be a fraction between 0 and 1, or a whole number of rows, "
            f"got {size}. Try {name}=0.2.",
            parameter=name,
        )
    # Rounded exactly as in scikit-learn: 0.55 of 100 rows is 56, because 0.55 * 100 is a little
    # above 55 in floating point.
    return math.floor(size * n_rows) if name == "train_size" else math.ceil(size * n_rows)
