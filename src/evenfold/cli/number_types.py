"""Types of options that are plain numbers: whole numbers, limits, numbers of jobs."""

from __future__ import annotations

import math
from typing import Any

import click

from .option_types import ParamType


class WholeNumber(click.IntRange):
    """A whole number in a range."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number."""
        try:
            int(value)
        except ValueError:
            self.fail(f"{value!r} is not a whole number. Try 5.", param, ctx)
        return super().convert(value, param, ctx)


class Limit(click.FloatRange):
    """A number in a range; NaN is refused, because no value is larger than NaN."""

    example = "0.05"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number."""
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if math.isnan(number):
            self.fail(f"{value!r} is not a number. Try {self.example}.", param, ctx)
        return super().convert(value, param, ctx)


class RowLimit(Limit):
    """A number of rows."""

    example = "5"


class PercentLimit(Limit):
    """A number of percent: 5 or 5%."""

    example = "5"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number."""
        number = value.strip().removesuffix("%") if isinstance(value, str) else value
        return super().convert(number, param, ctx)


class Jobs(ParamType):
    """A number of jobs that run at once; joblib reads -1 as all processors, and refuses 0."""

    name = "N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number."""
        number: int = WholeNumber().convert(value, param, ctx)
        if number == 0:
            self.fail("0 fits nothing. Pass 1 or more, or -1 for all processors.", param, ctx)
        return number
