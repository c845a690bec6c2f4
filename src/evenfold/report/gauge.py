"""The gauge beside a verdict: how far labels are off, here, at best and in random splits.

It is plain text, so that a notebook shows it without loading what draws figures.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from html import escape
from typing import Any, NamedTuple

from .remarks import show_share

_WIDTH, _HEIGHT_OF_BAR = 300, 46
# A shorter line from the lowest to the highest value cannot be told from one at the mean.
_LEAST_SPAN = 10
_TITLE = "How far labels are off their share, on average"
_FILL = {"best": "#8a8f98", "this": "#0072b2", "random": "#d98a00"}


class Bar(NamedTuple):
    """One bar; with the lowest and highest of several values, and whether a bound is reached."""

    kind: str
    name: str
    value: float
    lowest: float | None = None
    highest: float | None = None
    is_reached: bool = False


def draw_gauge(summary: Mapping[str, Any], width: int | None = None) -> str:
    """Return an SVG element; empty without labels. All text in it is escaped.

    Without a width, in pixels, it is as wide as the page makes it.
    """
    bars = _list_bars(summary)
    if not bars:
        return ""
    longest = max(bar.highest or bar.value for bar in bars) or 1.0
    text = f"{_TITLE}: " + ", ".join(f"{bar.name} {_show(bar)}" for bar in bars)
    height = 20 + _HEIGHT_OF_BAR * len(bars)
    size = "" if width is None else f' width="{width}" height="{width * height // _WIDTH}"'
    drawn = [
        f'<svg viewBox="0 0 {_WIDTH} {height}"{size} role="img" '
        f'font-size="13" aria-label="{escape(text)}">',
        f'<text x="0" y="12" class="axis" font-size="12" fill="currentColor">{_TITLE}</text>',
    ]
    for at, bar in enumerate(bars):
        drawn += _draw_bar(bar, 34 + _HEIGHT_OF_BAR * at, longest)
    return "".join([*drawn, "</svg>"])


def _list_bars(summary: Mapping[str, Any]) -> list[Bar]:
    judged = summary["judged"]
    if judged is None:
        return []
    # A bound is rounded down and what was reached up, unless they are equal.
    bars = [
        Bar("best", "best possible", judged["bound"], is_reached=judged["excess"] == 0),
        Bar("this", "this split", judged["rld"]),
    ]
    if judged["random"] is not None:
        n_splits = len(summary["random"]["seeds"])
        span = (judged["random_lowest"], judged["random_highest"])
        bars.append(Bar("random", f"{n_splits} random splits", judged["random"], *span))
    return bars


def _show(bar: Bar) -> str:
    if bar.lowest is None or bar.highest is None or bar.lowest == bar.highest:
        is_bound = bar.kind == "best" and not bar.is_reached
        return show_share(bar.value, math.floor if is_bound else math.ceil)
    return f"{show_share(bar.lowest).removesuffix(' %')} to {show_share(bar.highest)}"


def _draw_bar(bar: Bar, y: int, longest: float) -> list[str]:
    """Return the name, the value, the bar, and a line from the lowest to the highest value."""
    width, middle = _scale(bar.value, longest), y + 11.5
    drawn = [
        f'<text x="0" y="{y}" fill="currentColor">{escape(bar.name)}</text>',
        f'<text x="{_WIDTH}" y="{y}" text-anchor="end" class="value" font-weight="600" '
        f'fill="currentColor">{escape(_show(bar))}</text>',
        f'<rect x="0" y="{y + 7}" width="{_WIDTH}" height="9" rx="4.5" class="track" '
        'fill="currentColor" fill-opacity="0.1"/>',
        f'<rect x="0" y="{y + 7}" width="{width}" height="9" rx="{min(4.5, width / 2)}" '
        f'class="bar-{bar.kind}" fill="{_FILL[bar.kind]}"/>',
    ]
    low, high = (_scale(end or 0.0, longest) for end in (bar.lowest, bar.highest))
    if high - low > _LEAST_SPAN:
        path = f"M{low} {y + 4}V{y + 19}M{low} {middle}H{high}M{high} {y + 4}V{y + 19}"
        drawn.append(f'<path d="{path}" fill="none" stroke="currentColor" stroke-width="1.5"/>')
    return drawn


def _scale(value: float, longest: float) -> float:
    return round((_WIDTH - 1) * value / longest, 1)
