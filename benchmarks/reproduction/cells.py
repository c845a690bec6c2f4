"""One published figure beside ours."""

from __future__ import annotations

from typing import NamedTuple


class Cell(NamedTuple):
    """A published mean of a few runs and ours of many; a mean of as few is expected between `low` and `high`."""

    published: float
    ours: float
    low: float
    high: float
    digits: int

    @property
    def agrees(self) -> bool:
        """Whether the published figure is one that such a mean could be printed as."""
        rounding = 0.5 * 10.0**-self.digits
        return self.low - rounding <= self.published <= self.high + rounding


# By data, measure and method.
Cells = dict[tuple[str, str, str], Cell]
