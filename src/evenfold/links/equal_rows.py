"""Rows with equal content, numbered."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray


def number_values(values: Iterable[Any]) -> tuple[NDArray[np.int64], list[Any]]:
    """Number hashable values by first appearance; None is -1.

    Parameters
    ----------
    values : iterable
        One value per row.

    Returns
    -------
    numbers : ndarray of int64
        (n_rows,) the number of each row's value.
    different : list
        The different values by their numbers.
    """
    number_of: dict[Any, int] = {}
    numbers = [
        -1 if value is None else number_of.setdefault(value, len(number_of)) for value in values
    ]
    return np.array(numbers, np.int64), list(number_of)
