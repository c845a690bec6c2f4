"""How the methods of Sechidis et al. 2011 rank, for data with few and with many distinct labelsets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from scipy.stats import rankdata

from . import figures
from .cells import Cells
from .markdown import to_figure, to_page, to_table
from .runs import TITLE_OF_MEASURE

SMALL_RATIO, LARGE_RATIO = 0.1, 0.39
NAMES = ("random", "labelset", "iterative")

Even = Mapping[tuple[str, str], float]


def write_ranks(
    cells: Cells, methods: Sequence[str], even: Even, ratio: Mapping[str, float]
) -> str:
    """Return the average rank of the methods; `even` has its figures by data and measure, `ratio` labelsets per row as the paper prints them."""
    groups = {
        f"≤ {SMALL_RATIO}": [name for name in ratio if ratio[name] <= SMALL_RATIO],
        f"≥ {LARGE_RATIO}": [name for name in ratio if ratio[name] >= LARGE_RATIO],
        "all": list(ratio),
    }
    rows = []
    for measure in ("ld", "ed", "flz"):
        for title, group in groups.items():
            ranks = [
                rank(cells, methods, even, name, measure)
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
        "1 is best; figures that print the same share their ranks. First three methods, by the published figures and by ours; then four, "
        "by ours. The paper's finding holds: where there are few distinct labelsets, `labelset` keeps up with `iterative`; where there "
        "are many, it is hardly better than `random`. (The ranks in the paper's Tables 4 and 5 are those of the spread of learners' "
        "scores, which has a section of its own.)",
        to_table(
            [*heading, *(f"of four: {name}" for name in (*NAMES, "even"))], rows, n_text_columns=2
        ),
    )


def rank(cells: Cells, methods: Sequence[str], even: Even, name: str, measure: str) -> list[float]:
    """Return the ranks on one set: the paper's and ours for each of the three methods, then ours for four."""
    own = [cells[name, measure, method] for method in methods]
    ours = [round(cell.ours, cell.digits) for cell in own]
    three = np.stack((rankdata([cell.published for cell in own]), rankdata(ours)), axis=1)
    return [*three.ravel(), *rankdata([*ours, round(even[name, measure], own[0].digits)])]


def draw_ratios(
    cells: Cells, methods: Sequence[str], even: Even, ratio: Mapping[str, float], folder: Path
) -> str:
    """Draw LD as a share of random's against labelsets per row."""
    if not ratio:
        return ""
    series = {}
    for who in ("published", "ours"):
        random, *others = (
            np.array([getattr(cells[name, "ld", method], who) for name in ratio])
            for method in methods
        )
        series |= {
            f"{title}, {who}": own / random for title, own in zip(NAMES[1:], others, strict=True)
        }
    series["even"] = np.array([even[name, "ld"] for name in ratio]) / random
    figures.draw_ratios(folder / "sechidis_ld.svg", list(ratio.values()), series)
    return to_figure(
        "sechidis_ld.svg",
        "LD as a share of random's. The more distinct labelsets, the less it helps to stratify by them. Open marks are the published figures.",
    )
