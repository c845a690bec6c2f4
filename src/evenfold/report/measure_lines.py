"""The measures of a split, each beside its bound and what random gives."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..quality.deviations import excess_over
from ..quality.placement import Measured
from .baseline import Baseline

# name, level, what it means
MEASURES = {
    "ed": ("ED", "sizes", "rows a part is off its wanted size"),
    "rld": (
        "rLD",
        "labels",
        "difference of a label's share in a part and in all rows, relative to the latter",
    ),
    "ld": ("LD", "labels", "difference of a label's odds in a part and in all rows"),
    "dcp": ("DCP", "labels", "largest surplus of a label's rows in a part, as a share of them"),
    "flz": ("FLZ", "labels", "times that a part lacks a label"),
    "fz": ("FZ", "labels", "parts that lack a label"),
    "kl": ("KL", "labels", "divergence of a part's labels from those of all rows (nats)"),
    "residual": (
        "residual",
        "labels",
        "how much the shares of the labels (without labels: amounts) in a part differ, largest over parts",
    ),
    "rld_pairs": ("rLD of pairs", "pairs", "rLD, each label pair taken as a label"),
    "lpd": ("LPD", "pairs", "LD, each label pair taken as a label"),
    "flpz": ("FLPZ", "pairs", "times that a part lacks a label pair"),
    "fzlp": ("FZLP", "pairs", "parts that lack a label pair"),
    "rld_labelsets": (
        "rLD of labelsets",
        "labelsets",
        "rLD, each distinct labelset taken as a label",
    ),
    "labelset": (
        "labelset",
        "labelsets",
        "difference of a labelset's share in a part and in all rows",
    ),
}
# Without labels, the residual is that of the amounts that were balanced.
_WITHOUT_LABELS = ("ed", "residual")
# Pairs of all rows, and rows, times parts: up to here their pairs and labelsets are measured in a moment.
_MOST_PAIR_WORK = 2_000_000
_MOST_LABELSET_WORK = 5_000_000


def make_measure_lines(quality: Measured, baseline: Baseline) -> tuple[list[dict[str, Any]], str]:
    """Return one record per measure, and in words what was not measured."""
    left_out = _find_left_out(quality)
    labelled = len(quality.placement.labels.indices) > 0
    lines = []
    for key, (name, level, meaning) in MEASURES.items():
        if level in left_out or (not labelled and key not in _WITHOUT_LABELS):
            continue
        value, bound = getattr(quality, key), getattr(quality.bound, key, math.nan)
        excess = excess_over(value, bound)
        lines.append(
            {
                "key": key,
                "name": name,
                "level": level,
                "meaning": meaning,
                "value": value,
                "bound": None if math.isnan(bound) else bound,
                "excess": None
                if math.isnan(excess)
                else "Infinity"
                if math.isinf(excess)
                else excess,
                "random": baseline.mean(key),
                "random_std": baseline.spread(key),
            }
        )
    return lines, " ".join(left_out.values())


def _find_left_out(quality: Measured) -> dict[str, str]:
    """Return the levels that would take long to measure, and what to say of each."""
    number = np.diff(quality.placement.labels.indptr)
    n_parts, n_entries = len(quality.placement.parts), int((number * (number - 1) // 2).sum())
    left_out = {}
    if n_entries * n_parts > _MOST_PAIR_WORK:
        left_out["pairs"] = (
            f"Label pairs are not measured here: the rows hold {n_entries:,}, which would take a while. Quality.rld_pairs and its kind measure them."
        )
    if len(number) * n_parts > _MOST_LABELSET_WORK:
        left_out["labelsets"] = (
            f"Labelsets are not measured here: there are {len(number):,} rows, which would take a while. Quality.rld_labelsets and Quality.labelset do."
        )
    return left_out
