"""Whether a split is good, in words, each claim with the number that supports it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .._tables.table import shorten
from ..quality.deviations import Deviations
from ..quality.placement import Measured
from .numbers import count, show

# Up to this far above the bound, a split is called close to the best.
_CLOSE = 0.05
# At least this much below random, it is called better.
_BETTER = 0.9

HEADLINES = {
    "best": "As even as these rows allow",
    "close": "Close to the best these rows allow",
    "better": "More even than random, not as even as could be",
    "random": "No more even than a random split",
    "unlabelled": "Split without labels",
}


def make_verdict(
    summary: dict[str, Any], quality: Measured, deviations: Deviations
) -> dict[str, Any]:
    """Return a level, its headline, the verdict in a sentence or two, and remarks on sizes, lacking labels and groups."""
    remarks = [_say_sizes(quality), *_say_groups(summary["groups"])]
    if not summary["data"]["entries"]:
        return {
            "level": "unlabelled",
            "headline": HEADLINES["unlabelled"],
            "sentence": _say_balance(summary["balance"]),
            "remarks": remarks,
        }
    rld = next(line for line in summary["measures"] if line["key"] == "rld")
    level = _find_level(rld)
    sentence = f"{_say_rows(quality, deviations)} {_say_bound(rld, summary['groups'])}"
    remarks = [*_say_random(rld), remarks[0], _say_lacking(summary["lacking"]), *remarks[1:]]
    return {"level": level, "headline": HEADLINES[level], "sentence": sentence, "remarks": remarks}


def _find_level(rld: dict[str, Any]) -> str:
    if rld["excess"] == 0:
        return "best"
    if rld["excess"] != "Infinity" and rld["excess"] <= _CLOSE:
        return "close"
    return "better" if rld["random"] is None or rld["value"] < _BETTER * rld["random"] else "random"


def _say_rows(quality: Measured, deviations: Deviations) -> str:
    off = deviations.rows
    part, label = map(int, np.unravel_index(np.abs(off).argmax(), off.shape))
    most, percent = float(off[part, label]), abs(float(deviations.percent[part, label]))
    held = quality.per_label.rows > 0
    near = held & (np.abs(off) <= 1).all(axis=0)
    if near.sum() == held.sum():
        return "Every label is within one row of its share in every part."
    name, where = (
        shorten(quality.placement.labels.names[label]),
        shorten(quality.placement.parts.names[part]),
    )
    direction = "more" if most > 0 else "fewer"
    own = "is within one row of its" if near.sum() == 1 else "are within one row of their"
    return (
        f"{near.sum():,} of {count(int(held.sum()), 'label')} {own} share in every part; "
        f"the one furthest off, “{name}”, has {abs(most):,.1f} rows ({percent:.1f} %) {direction} than its share in {where}."
    )


def _say_bound(rld: dict[str, Any], groups: dict[str, Any] | None) -> str:
    which = (
        "No split of these rows"
        if groups is None or groups["straddling"]
        else "No split that keeps the groups whole"
    )
    if rld["excess"] == 0:
        return f"{which} can be more even (rLD {show(rld['value'])})."
    if rld["excess"] == "Infinity":
        return f"Its rLD is {show(rld['value'])}; nothing excludes a split with 0."
    # Rounded up, so that it holds.
    better = math.ceil(1000 * (1 - rld["bound"] / rld["value"])) / 10
    return f"{which} can be more than {better:.1f} % more even (rLD {show(rld['value'])}, not below {show(rld['bound'])})."


def _say_balance(columns: list[dict[str, Any]]) -> str:
    if not columns:
        return "No row has a label, so that there is nothing to be even."
    uneven = max(columns, key=lambda column: column["rld"])
    random = (
        "" if uneven["random"] is None else f"; in random splits, {100 * uneven['random']:.2f} %"
    )
    return f"The least even of {count(len(columns), 'balanced column')}, “{uneven['column']}”, is {100 * uneven['rld']:.2f} % off its share on average{random}."


def _say_random(rld: dict[str, Any]) -> list[str]:
    if rld["random"] is None:
        return []
    if not rld["value"]:
        return [f"Random splits of these rows have an rLD of {show(rld['random'])}."]
    return [
        f"Random splits of these rows have an rLD of {show(rld['random'])}, {rld['random'] / rld['value']:.3g} times that of this one."
    ]


def _say_sizes(quality: Measured) -> str:
    off = quality.per_part.rows - quality.per_part.wanted
    at = int(np.abs(off).argmax())
    # What is wanted need not be a whole number.
    if abs(off[at]) < 1:
        return "Every part has the size asked for, to the row."
    direction = "more" if off[at] > 0 else "fewer"
    return f"Sizes are not those asked for: {shorten(quality.per_part.part[at])} has {abs(off[at]):,.1f} rows {direction}."


def _say_lacking(lacking: dict[str, Any]) -> str:
    if not lacking["labels"]:
        return "Every part has every label."
    said = f"{count(lacking['labels'], 'label')} lacking in some part"
    if not lacking["avoidable_labels"]:
        return f"{said}: too rare to be in every part, so that this cannot be avoided."
    return f"{said}; for {lacking['avoidable_labels']:,} of them that could have been avoided, at least in part."


def _say_groups(groups: dict[str, Any] | None) -> list[str]:
    if groups is None:
        return []
    if groups["straddling"]:
        return [
            f"{groups['straddling']:,} of {count(groups['number'], 'group')} in more than one part."
        ]
    return [f"{count(groups['number'], 'group')}, none in more than one part."]
