"""Limits of `evenfold check`: how uneven a split may be."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import click

from .._tables.numbers import show_count, show_rows
from .number_types import Limit, PercentLimit, RowLimit, WholeNumber
from .options import bundle

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ..quality import Quality
    from ..quality.deviations import Deviations
    from .recorded_checks import Line

# Off by less than a row is as near as whole rows come, whatever the limit.
_WHOLE_ROW = 1 - 1e-9
_ROUNDING = 1e-9


class Limits(NamedTuple):
    """The limits that are given."""

    max_excess: float | None
    max_off_rows: float | None
    max_off_percent: float | None
    max_empty: int | None


limit_options = bundle(
    Limits,
    "limits",
    click.option(
        "--max-off-rows",
        type=RowLimit(min=0),
        metavar="N",
        help="Fail if the count of a label in a part is more than N rows off its share. Less than "
        "one row off never fails.",
    ),
    click.option(
        "--max-off-percent",
        type=PercentLimit(min=0),
        metavar="P",
        help="Fail if the count of a label in a part is more than P percent of its share off. "
        "Counted are shares of one row or more; less than one row off never fails.",
    ),
    click.option(
        "--max-excess",
        type=Limit(min=0),
        metavar="X",
        help="Fail if rLD is more than this share above the best possible: 0.05 for 5 %. Choose a "
        "limit of rows or percent for labels that are nearly even: near 0, rLD doubles easily.",
    ),
    click.option(
        "--max-empty",
        type=WholeNumber(min=0),
        metavar="N",
        help="Fail if more than N times a part lacks a label that it could have: FLZ minus its "
        "bound.",
    ),
)


def compare_with_limits(quality: Quality, limits: Limits) -> list[Line]:
    """Return what was found for each limit that is given."""
    lines = []
    if limits.max_off_rows is not None:
        lines.append(_compare_rows(quality, limits.max_off_rows))
    if limits.max_off_percent is not None:
        lines.append(_compare_percent(quality, limits.max_off_percent))
    if limits.max_excess is not None:
        lines.append(_compare_excess(quality, limits.max_excess))
    if limits.max_empty is not None:
        lines.append(_compare_empty(quality, limits.max_empty))
    return lines


def _compare_rows(quality: Quality, limit: float) -> Line:
    from ..quality.deviations import find_deviations

    found = find_deviations(quality.placement)
    return _compare_off(quality, found, found.rows, f"{limit:g} {'row' if limit == 1 else 'rows'}")


def _compare_percent(quality: Quality, limit: float) -> Line:
    import numpy as np

    from ..quality.deviations import find_deviations

    found = find_deviations(quality.placement)
    percent = np.where(found.share >= _WHOLE_ROW, found.percent, 0)
    return _compare_off(quality, found, percent, f"{limit:g} %")


def _compare_off(quality: Quality, found: Deviations, off: NDArray[np.float64], limit: str) -> Line:
    """Compare the largest deviation, of those of a row or more, with a limit such as `5 rows`."""
    import numpy as np

    from .._tables.table import shorten
    from .recorded_checks import Line

    number, unit = limit.split()
    distance = np.where(np.abs(found.rows) >= _WHOLE_ROW, np.abs(off), 0)
    if not distance.any():
        return Line(f"labels: every count is within a row of its share; limit {limit}")
    part, label = np.unravel_index(int(distance.argmax()), distance.shape)
    by = f"{show_rows(distance[part, label])} {'%' if unit == '%' else 'rows'}"
    more = "more" if off[part, label] > 0 else "fewer"
    names = quality.placement.parts.names
    name = shorten(quality.placement.label_names[int(label)], 30)
    n_rows, share = int(found.count[part, label]), show_rows(found.share[part, label])
    text = (
        f"labels: at most {by} off ({name} in {names[part]}: {n_rows:,} of {share}); limit {limit}"
    )
    n_beyond = int((distance > float(number) + _ROUNDING).sum())
    if not n_beyond:
        return Line(text)
    others = f" {show_count(n_beyond, 'count')} of labels are beyond it." if n_beyond > 1 else ""
    return Line(
        text,
        f"label {name!r} has {show_count(n_rows, 'row')} in {names[part]}, {by} {more} than its "
        f"share ({share}); the limit is {limit}.{others}",
    )


def _compare_excess(quality: Quality, limit: float) -> Line:
    from .recorded_checks import Line

    over = f"{100 * quality.excess:.1f} % over" if quality.excess < float("inf") else "above"
    best = f"{over} the best possible ({quality.bound.rld:.5f})"
    text = f"rLD: {quality.rld:.5f}, {best}; limit {100 * limit:.1f} %"
    failure = f"rLD is {quality.rld:.5f}, {best}; the limit is {100 * limit:.1f} %."
    return Line(text, failure if quality.excess > limit else "")


def _compare_empty(quality: Quality, limit: int) -> Line:
    from .recorded_checks import Line

    n_empty = quality.flz - quality.bound.flz
    text = f"{n_empty:,} times a part lacks a label that it could have had; the limit is {limit:,}"
    return Line(text, f"{text}." if n_empty > limit else "")
