"""The verdict on a split, in sentences with the numbers that support them.

It is made of the summary alone, so that every form of the report has the same one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from .._tables.numbers import show_count, show_exact
from .judged_labels import is_close
from .remarks import (
    describe_balance,
    describe_effort,
    describe_furthest,
    describe_groups,
    describe_lacking,
    describe_random,
    describe_size_classes,
    describe_worse_than_random,
    show_share,
)

HEADLINES = {
    "best": "As even as these rows allow",
    "close": "Close to the best these rows allow",
    "average": "Close to the best on average, but not labels of every size",
    "better": "More even than random, but a better split may exist",
    "unclear": "Not clearly more even than a random split",
    "above": "Above the bound, and not compared with random splits",
    "random": "No more even than a random split",
    "unlabelled": "Split without labels",
}
BADGES = {
    "best": "✓",
    "close": "✓",
    "average": "△",
    "better": "△",
    "unclear": "△",
    "above": "△",
    "random": "✗",
    "unlabelled": "·",
}

# Where at most this share of random splits is as even, a split may be more even than random. One of
# unknown method may itself be random, so that no random split may be as even.
_FEW_RANDOM_SPLITS = 0.05


def make_verdict(
    summary: dict[str, Any], sizes: str = "", told: Sequence[str] = ()
) -> dict[str, Any]:
    """Return a level, its headline, the verdict in a few sentences, and remarks.

    `sizes` is a remark on the sizes, `told` are remarks on how the split was made.
    """
    judged = summary["judged"]
    groups = describe_groups(summary)
    if judged is None:
        return {
            "level": "unlabelled",
            "headline": HEADLINES["unlabelled"],
            "sentence": describe_balance(summary["balance"]),
            "remarks": [sizes, *describe_worse_than_random(summary), *groups],
        }
    rld = _take_tight_bound(next(line for line in summary["measures"] if line["key"] == "rld"))
    level = _find_level(rld, judged, summary["origin"]["method"])
    sentences = [_describe_rows(summary, judged), _describe_bound(summary, rld, judged)]
    remarks = [
        *describe_furthest(judged),
        *([] if level in ("best", "close") else describe_size_classes(judged)),
        *describe_random(summary),
        *describe_worse_than_random(summary),
        *([] if level == "best" else describe_effort(summary["origin"])),
        sizes,
        describe_lacking(summary["lacking"]),
        *told,
        *groups,
    ]
    sentence = " ".join(sentences)
    return {"level": level, "headline": HEADLINES[level], "sentence": sentence, "remarks": remarks}


def _take_tight_bound(line: dict[str, Any]) -> dict[str, Any]:
    """Return the record of a measure with the tight bound, which is higher, as its bound."""
    if line["tight_bound"] is None:
        return line
    return {**line, "bound": line["tight_bound"], "excess": line["tight_excess"]}


def _find_level(rld: dict[str, Any], judged: dict[str, Any], method: str | None) -> str:
    if rld["excess"] == 0:
        return "best"
    if is_close(judged):
        return "close" if all(map(is_close, judged["size_classes"])) else "average"
    if judged["random"] is None:
        return "above"
    # One of a thousand random splits is below all others too.
    if method == "random":
        return "random"
    if judged["better_than_random"]:
        return "better"
    few = 0 if method is None else _FEW_RANDOM_SPLITS
    return "unclear" if judged["random_quantile"] <= few else "random"


def _describe_rows(summary: dict[str, Any], judged: dict[str, Any]) -> str:
    """Say how many of the judged labels are near their share."""
    n_labels, n_others = judged["labels"], summary["worst"]["labels"] - judged["labels"]
    if n_labels == judged["within_one_row"] and n_others == judged["others_within_one_row"]:
        return "Every label is within one row of its share in every part."
    named = show_count(n_labels, "label")
    if judged["can_be_divided"]:
        named += " with at least a row for each part" if n_others else ""
    near = "one row of" if n_labels == judged["within_one_row"] else "one row, or 1 %, of"
    if judged["near"] == n_labels:
        return f"All {named} are within {near} their share in every part."
    verb = "is" if judged["near"] == 1 else "are"
    return f"{judged['near']:,} of {named} {verb} within {near} their share in every part."


def _describe_bound(summary: dict[str, Any], rld: dict[str, Any], judged: dict[str, Any]) -> str:
    groups = summary["groups"]
    whole = groups is not None and not groups["straddling"]
    which = "No split that keeps the groups whole" if whole else "No split of these rows"
    if rld["excess"] == 0:
        return f"{which} can be more even (rLD {show_exact(rld['value'])})."
    who = "these labels" if judged["labels"] < summary["worst"]["labels"] else "labels"
    said = f"On average, {who} are {show_share(judged['rld'])} off their share of a part"
    if not judged["bound"]:
        return f"{said}; a split with 0 % may exist."
    if judged["excess"] == 0:
        return f"{said}, and {which[0].lower()}{which[1:]} is below that."
    bound = show_share(judged["bound"], math.floor)
    return f"{said}; {which[0].lower()}{which[1:]} is below {bound}. {_describe_reach(summary)}"


def _describe_reach(summary: dict[str, Any]) -> str:
    """Say why no split may reach the bound."""
    reasons = []
    if summary["groups"] is not None and not summary["groups"]["straddling"]:
        reasons.append("groups stay whole")
    wanted = [part["wanted"] for part in summary["parts"]]
    if max(wanted) - min(wanted) > 1:
        reasons.append("parts have different sizes")
    if summary["origin"]["fixed"]:
        reasons.append("some rows are fixed")
    if not reasons:
        return "This bound may not be reachable."
    *first, last = reasons
    listed = f"{', '.join(first)} and {last}" if first else last
    return f"This bound may not be reachable, because {listed}."
