"""Ranks of the methods of Sechidis et al. 2011, for data with few and with many labelsets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from scipy.stats import rankdata

from . import figures
from .experiments import TITLE_OF_MEASURE
from .markdown import to_figure, to_page, to_table
from .published_values import PublishedValues

SMALL_RATIO, LARGE_RATIO = 0.1, 0.39
NAMES = ("random", "labelset", "iterative")

Even = Mapping[tuple[str, str], float]


def write_ranks(
    values: PublishedValues, methods: Sequence[str], even: Even, ratio: Mapping[str, float]
) -> str:
    """Return the average ranks of the methods.

    `even` has the values of that method by data set and measure. `ratio` has the labelsets per row
    as the paper prints them.
    """
    groups = {
        f"≤ {SMALL_RATIO}": [name for name in ratio if ratio[name] <= SMALL_RATIO],
        f"≥ {LARGE_RATIO}": [name for name in ratio if ratio[name] >= LARGE_RATIO],
        "all": list(ratio),
    }
    rows = []
    for measure in ("ld", "ed", "flz"):
        for title, group in groups.items():
            ranks = [
                rank(values, methods, even, name, measure)
                for name in group
                if (name, measure) in even
            ]
            if ranks:
                rows.append(
                    [
                        TITLE_OF_MEASURE[measure],
                        title,
                        str(len(ranks)),
                        *(f"{own:.1f}" for own in np.mean(ranks, axis=0)),
                    ]
                )
    heading = [
        "measure",
        "labelsets / rows",
        "sets",
        *(f"{name}, {who}" for name in NAMES for who in ("paper", "ours")),
    ]
    return to_page(
        "### Average ranks by labelsets per row",
        "Rank 1 is best. Values that are printed the same share their ranks. The first columns "
        "rank three methods, by the published values and by ours. The last columns rank four "
        "methods, by ours. The result of the paper holds. With few distinct labelsets, "
        "`labelset` is about as good as `iterative`. With many, it is hardly better than "
        "`random`. The ranks in the paper's Tables 4 and 5 are those of the scores of learners; "
        "the next section has them.",
        to_table(
            [*heading, *(f"of four: {name}" for name in (*NAMES, "even"))], rows, n_text_columns=2
        ),
    )


def rank(
    values: PublishedValues, methods: Sequence[str], even: Even, name: str, measure: str
) -> list[float]:
    """Return the ranks on one data set: the paper's and ours of three methods, ours of four."""
    own = [values[name, measure, method] for method in methods]
    ours = [round(value.ours, value.digits) for value in own]
    three = np.stack((rankdata([value.published for value in own]), rankdata(ours)), axis=1)
    return [*three.ravel(), *rankdata([*ours, round(even[name, measure], own[0].digits)])]


def draw_ratios(
    values: PublishedValues,
    methods: Sequence[str],
    even: Even,
    ratio: Mapping[str, float],
    folder: Path,
) -> str:
    """Draw LD divided by the LD of random, against labelsets per row."""
    if not ratio:
        return ""
    series = {}
    for who in ("published", "ours"):
        random, *others = (
            np.array([getattr(values[name, "ld", method], who) for name in ratio])
            for method in methods
        )
        series |= {
            f"{title}, {who}": own / random for title, own in zip(NAMES[1:], others, strict=True)
        }
    series["even"] = np.array([even[name, "ld"] for name in ratio]) / random
    figures.draw_ratios(folder / "sechidis_ld.svg", list(ratio.values()), series)
    return to_figure(
        "sechidis_ld.svg",
        "LD against labelsets per row",
        "LD divided by the LD of random. The more distinct labelsets there are, the less it "
        "helps to stratify by them. Open marks are published values.",
    )
