"""Sizes of parts that are percent: they sum to 100."""

from __future__ import annotations

import math
from typing import overload

from .messages import say
from .options import Sizes

_WHOLE = 100


@overload
def settle_sizes(sizes: Sizes, n_rows: int | None, quiet: bool) -> Sizes: ...


@overload
def settle_sizes(sizes: None, n_rows: int | None, quiet: bool) -> None: ...


def settle_sizes(sizes: Sizes | None, n_rows: int | None, quiet: bool) -> Sizes | None:
    """Return sizes that sum to 100 as fractions, and all others as they are; print what was taken.

    Of data of 100 rows they are numbers of rows, which are the same sizes. At scale, the number of
    rows is not known yet (None).
    """
    if sizes is None or isinstance(sizes, int):
        return sizes
    values = list(sizes.values()) if isinstance(sizes, dict) else sizes
    if not math.isclose(sum(values), _WHOLE, abs_tol=1e-6) or min(values) <= 0:
        return sizes
    if n_rows == _WHOLE and all(isinstance(value, int) for value in values):
        say("--parts is read as numbers of rows; as percent, the sizes are the same.", quiet)
        return sizes
    say("--parts is read as percent, because it sums to 100.", quiet)
    if isinstance(sizes, dict):
        return {name: value / _WHOLE for name, value in sizes.items()}
    return [value / _WHOLE for value in sizes]
