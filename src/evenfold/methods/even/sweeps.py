"""Sweeps: passes over the units in which they move or swap parts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..._kernels.even import MEND, MOVE, SWAP


class Sweep(NamedTuple):
    """One sweep: its kind, its temperature, and the weight of the sizes."""

    kind: int
    temperature: float
    row_weight: float


# The weight of the sizes grows until all sizes are right, so that the cheapest moves come first.
MENDING = [Sweep(MEND, 0.0, 4.0**step) for step in range(9)] + [Sweep(MEND, 0.0, np.inf)]
# Only moves, or only swaps, that lower the cost.
BETTER_MOVES = Sweep(MOVE, 0.0, 1.0)
BETTER_SWAPS = Sweep(SWAP, 0.0, np.inf)


def cool_moves(first: float, last: float, n_sweeps: int) -> list[Sweep]:
    """Return sweeps of moves at falling temperatures.

    The weight of the sizes grows, so that they are nearly right at the end. With a constant one,
    up to 40 rows were left to mend on delicious, which made labels 1 % less even.
    """
    temperatures = _make_schedule(first, last, n_sweeps)
    return [
        Sweep(MOVE, temperature, float(row_weight))
        for temperature, row_weight in zip(
            temperatures, np.geomspace(0.5, 16.0, n_sweeps), strict=True
        )
    ]


def cool_swaps(first: float, last: float, n_sweeps: int) -> list[Sweep]:
    """Return sweeps of swaps at falling temperatures, which keep the sizes."""
    return [Sweep(SWAP, value, np.inf) for value in _make_schedule(first, last, n_sweeps)]


def _make_schedule(first: float, last: float, n_sweeps: int) -> list[float]:
    return [float(value) for value in np.geomspace(max(first, last), last, n_sweeps)]
