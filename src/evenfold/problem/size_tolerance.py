"""Size tolerance: by how many rows the size of a part may be off."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._checks.numbers import is_whole
from .._checks.values import show_value
from ..exceptions import InputError, InputTypeError

SizeTolerance = int | float | None

_ADVICE = "Try size_tolerance=0.05 for 5 % of each part, or a whole number of rows."


def check_size_tolerance(size_tolerance: Any) -> int | float | None:
    """Return a number of rows as an int, a share of each part below 1 as a float, or None."""
    if size_tolerance is None:
        return None
    is_number = isinstance(size_tolerance, int | float | np.integer | np.floating)
    if not is_number or isinstance(size_tolerance, bool):
        raise InputTypeError(
            f"must be a number of rows or a share below 1, got {show_value(size_tolerance)}. "
            f"{_ADVICE}",
            parameter="size_tolerance",
        )
    number = size_tolerance.item() if isinstance(size_tolerance, np.generic) else size_tolerance
    if is_whole(number) and number >= 0:
        return int(number)
    if not math.isfinite(number) or number < 0 or (number >= 1 and not number.is_integer()):
        raise InputError(
            f"must be 0 or more rows, or a share from 0 to below 1, got {number!r}. {_ADVICE}",
            parameter="size_tolerance",
        )
    return int(number) if number >= 1 else float(number)


def find_size_slack(
    size_tolerance: int | float | None, sizes: NDArray[np.int64] | NDArray[np.float64]
) -> NDArray[np.int64]:
    """Return (n_parts,) by how many rows each size may be off; a part keeps at least one row."""
    if size_tolerance is None:
        return np.zeros(len(sizes), np.int64)
    if isinstance(size_tolerance, int):
        slack = np.minimum(min(size_tolerance, int(sizes.max())), sizes - 1)
    else:
        # A thousandth of a row, for shares such as 0.07 that are not exact in binary.
        slack = np.floor(size_tolerance * sizes + 1e-3)
    return np.asarray(slack, dtype=np.int64)
