"""The remarks below a verdict: random splits, effort, sizes, lacking labels, groups."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .._tables.numbers import show_count, show_exact
from .._tables.table import shorten
from ..quality import Quality
from .judged_labels import is_close

_MAX_CLASSES, _MAX_NAMED = 3, 3
# The name of each effort that searches longer than the one before.
_LONGER = {"fast": "normal", "normal": "best"}


def show_share(share: float, rounded: Callable[[float], int] = math.ceil) -> str:
    """Show a share as percent with three digits, rounded up so that "at most" is true.

    Examples
    --------
    >>> show_share(0.12341), show_share(0.12341, math.floor), show_share(0.0000123)
    ('12.4 %', '12.3 %', '0.00123 %')
    """
    if not share:
        return "0 %"
    digits = 2 - math.floor(math.log10(abs(100 * share)))
    # Rounded first, because 100 times a share has rounding errors of its own.
    scaled = rounded(round(100 * share * 10.0**digits, 6)) / 10.0**digits
    return f"{scaled:,.{max(0, digits)}f} %"


def describe_furthest(judged: dict[str, Any]) -> list[str]:
    """Return a sentence that names the labels furthest off; none if all are near their share."""
    named = [_describe_label(line) for line in judged["furthest"][:_MAX_NAMED]]
    return [f"Furthest off: {'; '.join(named)}."] if named else []


def _describe_label(line: dict[str, Any]) -> str:
    direction = "more" if line["off_rows"] > 0 else "fewer"
    return (
        f"“{line['label']}”, {abs(line['off_rows']):,.1f} rows ({abs(line['off_percent']):.1f} %) "
        f"{direction} than its share in {line['part']}"
    )


def describe_size_classes(judged: dict[str, Any]) -> list[str]:
    """Return a sentence on each size class that is not close to its best, the worst first."""
    far = [own for own in judged["size_classes"] if not is_close(own)]
    if len(judged["size_classes"]) < 2:
        return []
    far.sort(key=lambda own: own["bound"] - own["rld"])
    far.sort(key=lambda own: -own["rld"] / own["bound"] if own["bound"] else -math.inf)
    return [
        f"{show_count(own['labels'], 'label')} with {own['size_class']} rows: "
        f"{show_share(own['rld'])} off on average (best not below "
        f"{show_share(own['bound'], math.floor)}{_describe_random_of(own)})."
        for own in far[:_MAX_CLASSES]
    ]


def _describe_random_of(own: dict[str, Any]) -> str:
    if own["random"] is None:
        return ""
    worse = ", which is less" if own["worse_than_random"] else ""
    return f", random {show_share(own['random'])}{worse}"


def describe_random(summary: dict[str, Any]) -> list[str]:
    """Return a sentence on where the split is among random splits; none if there are none."""
    judged, n_splits = summary["judged"], len(summary["random"]["seeds"])
    if not n_splits:
        return []
    span = f"{show_share(judged['random_lowest'])} to {show_share(judged['random_highest'])}"
    if judged["random_lowest"] == judged["random_highest"]:
        span = show_share(judged["random"])
    quantile = judged["random_quantile"]
    if judged["better_than_random"]:
        place = "all of them are less even"
    elif judged["worse_than_random"]:
        place = "all of them are more even"
    elif not quantile:
        place = "none of them is as even as this one, but this can be chance"
    else:
        place = f"{100 * quantile:.0f} % of them are as even as this one or more"
    return [f"{n_splits} random splits of these rows are {span} off: {place}."]


def describe_worse_than_random(summary: dict[str, Any]) -> list[str]:
    """Return a sentence that names what random splits have more even; none if there is nothing."""
    named = [
        f"{_NAMES[line['key']]} ({show_exact(line['value'])}, random {show_exact(line['random'])})"
        for line in summary["measures"]
        if line["key"] in _NAMES and line["worse_than_random"]
    ]
    named += [
        f"“{column['column']}” ({show_share(column['rld'])} off, random "
        f"{show_share(column['random'])})"
        for column in summary["balance"]
        if column["worse_than_random"]
    ]
    groups = summary["groups"]
    if groups is not None and groups["worse_than_random"]:
        named.append(
            f"groups per part ({show_share(groups['off'])} off, random "
            f"{show_share(groups['random'])})"
        )
    return [f"Less even than in random splits: {'; '.join(named)}."] if named else []


_NAMES = {
    "flz": "how often a part lacks a label",
    "rld_pairs": "rLD of label pairs",
    "rld_labelsets": "rLD of labelsets",
}


def describe_effort(origin: dict[str, Any]) -> list[str]:
    """Return a sentence on how long the split was searched for; none if that is not known."""
    if origin["method"] is None:
        return []
    effort = "" if origin["effort"] is None else f", effort {origin['effort']}"
    seconds = "" if origin["seconds"] is None else f", {_show_seconds(origin['seconds'])}"
    said = f"Made by the method {origin['method']}{effort}{seconds}"
    longer = _LONGER.get(origin["effort"] or "")
    if origin["method"] == "even" and longer is not None:
        return [f"{said}; effort {longer} searches longer."]
    return [f"{said}."]


def _show_seconds(seconds: float) -> str:
    return "less than 0.01 s" if seconds < 0.01 else f"{seconds:.3g} s"


def describe_sizes(quality: Quality) -> str:
    """Return a sentence on the part that is furthest off the size asked for."""
    off = quality.per_part.rows - quality.per_part.wanted
    at = int(np.abs(off).argmax())
    # The wanted size need not be a whole number.
    if abs(off[at]) < 1:
        return "Every part has the size asked for, to the row."
    direction = "more" if off[at] > 0 else "fewer"
    return (
        f"Sizes are not those asked for: {shorten(quality.per_part.part[at])} has "
        f"{abs(off[at]):,.1f} rows {direction}."
    )


def describe_lacking(lacking: dict[str, Any]) -> str:
    """Return a sentence on labels that some part lacks."""
    if not lacking["labels"]:
        return "Every part has every label."
    said = f"{show_count(lacking['labels'], 'label')} lacking in some part"
    if not lacking["avoidable_labels"]:
        return f"{said}: too rare to be in every part, so this cannot be avoided."
    n_above = lacking["avoidable_above_half"]
    # The reason of each label; the last one is what a better split may avoid.
    reasons = {
        "too rare to be in every part": lacking["labels"] - lacking["avoidable_labels"],
        "with a share of half a row or less there (cover=True, or --cover 1, asks for a row)": (
            lacking["avoidable_labels"] - n_above
        ),
        "with enough rows and a share of more than half a row there": n_above,
    }
    named = [f"{number:,} {reason}" for reason, number in reasons.items() if number]
    return f"{said}: {'; '.join(named)}."


def describe_balance(columns: list[dict[str, Any]]) -> str:
    """Return a sentence on the least even of the balanced columns."""
    if not columns:
        return "No row has a label, so there is nothing to keep even."
    uneven = max(columns, key=lambda column: column["rld"])
    random = (
        "" if uneven["random"] is None else f"; in random splits, {100 * uneven['random']:.2f} %"
    )
    return (
        f"The least even of {show_count(len(columns), 'balanced column')}, “{uneven['column']}”, "
        f"is {100 * uneven['rld']:.2f} % off its share on average{random}."
    )


def describe_groups(summary: dict[str, Any]) -> list[str]:
    """Return sentences on groups in two parts, and on the part whose groups are most off."""
    groups = summary["groups"]
    if groups is None:
        return []
    n_groups = show_count(groups["number"], "group")
    if groups["straddling"]:
        return [f"{groups['straddling']:,} of {n_groups} in more than one part."]
    return [f"{n_groups}, none in more than one part.", *groups["parts_off"]]
