"""One published value beside ours."""

from __future__ import annotations

from typing import NamedTuple


class PublishedValue(NamedTuple):
    """A published mean of a few runs, and our mean of many runs.

    We expect the mean of a few runs between `low` and `high`. `digits` is the number of digits that
    the paper prints.
    """

    published: float
    ours: float
    low: float
    high: float
    digits: int

    @property
    def agrees(self) -> bool:
        """Whether the published value is in the expected range, rounded as printed."""
        rounding = 0.5 * 10.0**-self.digits
        return self.low - rounding <= self.published <= self.high + rounding


# By data set, measure and method.
PublishedValues = dict[tuple[str, str, str], PublishedValue]
