"""The verdict on a split, in sentences with the numbers that support them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .._tables.numbers import show_count, show_exact
from .._tables.table import shorten
from ..quality import Quality
from ..quality.deviations import Deviations
from ..quality.group_counts import describe_groups_off

# A split at most this far over its bound is called close to the best.
_MAX_EXCESS_OF_CLOSE = 0.05
# A split below this share of the rLD of random splits is called more even than random.
_MAX_SHARE_OF_RANDOM = 0.9

HEADLINES = {
    "best": "As even as these rows allow",
    "close": "Close to the best these rows allow",
    "better": "More even than random, but not the best possible",
    "above": "Above the bound, and not compared with random splits",
    "random": "No more even than a random split",
    "unlabelled": "Split without labels",
}


def make_verdict(
    summary: dict[str, Any], quality: Quality, deviations: Deviations, told: Sequence[str] = ()
) -> dict[str, Any]:
    """Return a level, its headline, the verdict in one or two sentences, and remarks.

    The remarks are on random splits, sizes, lacking labels and groups; `told` are more of them.
    """
    remarks = [_describe_sizes(quality), *_describe_groups(summary["groups"], quality)]
    if not summary["data"]["entries"]:
        return {
            "level": "unlabelled",
            "headline": HEADLINES["unlabelled"],
            "sentence": _describe_balance(summary["balance"]),
            "remarks": remarks,
        }
    rld = _take_tight_bound(next(line for line in summary["measures"] if line["key"] == "rld"))
    level = _find_level(rld)
    sentence = f"{_describe_rows(quality, deviations)} {_describe_bound(rld, summary['groups'])}"
    remarks = [
        *_describe_random(rld),
        remarks[0],
        _describe_lacking(summary["lacking"]),
        *told,
        *remarks[1:],
    ]
    return {"level": level, "headline": HEADLINES[level], "sentence": sentence, "remarks": remarks}


def _take_tight_bound(line: dict[str, Any]) -> dict[str, Any]:
    """Return the record of a measure with the tight bound, which is higher, as its bound."""
    if line["tight_bound"] is None:
        return line
    return {**line, "bound": line["tight_bound"], "excess": line["tight_excess"]}


def _find_level(rld: dict[str, Any]) -> str:
    if rld["excess"] == 0:
        return "best"
    if rld["excess"] != "Infinity" and rld["excess"] <= _MAX_EXCESS_OF_CLOSE:
        return "close"
    if rld["random"] is None:
        return "above"
    if rld["value"] < _MAX_SHARE_OF_RANDOM * rld["random"]:
        return "better"
    return "random"


def _describe_rows(quality: Quality, deviations: Deviations) -> str:
    off = deviations.rows
    part, label = map(int, np.unravel_index(np.abs(off).argmax(), off.shape))
    most, percent = float(off[part, label]), abs(float(deviations.percent[part, label]))
    held = quality.per_label.rows > 0
    near = held & (np.abs(off) <= 1).all(axis=0)
    if near.sum() == held.sum():
        return "Every label is within one row of its share in every part."
    name, where = (
        shorten(quality.part_counts.label_names[label]),
        shorten(quality.part_counts.parts.names[part]),
    )
    direction = "more" if most > 0 else "fewer"
    own = "is within one row of its" if near.sum() == 1 else "are within one row of their"
    return (
        f"{near.sum():,} of {show_count(int(held.sum()), 'label')} {own} share in every part; "
        f"the one furthest off, “{name}”, has {abs(most):,.1f} rows ({percent:.1f} %) {direction} "
        f"than its share in {where}."
    )


def _describe_bound(rld: dict[str, Any], groups: dict[str, Any] | None) -> str:
    which = (
        "No split of these rows"
        if groups is None or groups["straddling"]
        else "No split that keeps the groups whole"
    )
    if rld["excess"] == 0:
        return f"{which} can be more even (rLD {show_exact(rld['value'])})."
    if rld["excess"] == "Infinity":
        return f"Its rLD is {show_exact(rld['value'])}; a split with rLD 0 may exist."
    # Rounded up, so that the sentence is true.
    better = math.ceil(1000 * (1 - rld["bound"] / rld["value"])) / 10
    return (
        f"{which} can be more than {better:.1f} % more even "
        f"(rLD {show_exact(rld['value'])}, not below {show_exact(rld['bound'])})."
    )


def _describe_balance(columns: list[dict[str, Any]]) -> str:
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


def _describe_random(rld: dict[str, Any]) -> list[str]:
    if rld["random"] is None:
        return []
    said = f"Random splits of these rows have an rLD of {show_exact(rld['random'])}"
    if not rld["value"]:
        return [f"{said}."]
    return [f"{said}, {rld['random'] / rld['value']:.3g} times that of this one."]


def _describe_sizes(quality: Quality) -> str:
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


def _describe_lacking(lacking: dict[str, Any]) -> str:
    if not lacking["labels"]:
        return "Every part has every label."
    said = f"{show_count(lacking['labels'], 'label')} lacking in some part"
    if not lacking["avoidable_labels"]:
        return f"{said}: too rare to be in every part, so this cannot be avoided."
    return (
        f"{said}; for {lacking['avoidable_labels']:,} of them this could have been avoided, "
        "at least in part."
    )


def _describe_groups(groups: dict[str, Any] | None, quality: Quality) -> list[str]:
    if groups is None:
        return []
    n_groups = show_count(groups["number"], "group")
    if groups["straddling"]:
        return [f"{groups['straddling']:,} of {n_groups} in more than one part."]
    off = describe_groups_off(quality.per_part)
    return [f"{n_groups}, none in more than one part.", *off]
