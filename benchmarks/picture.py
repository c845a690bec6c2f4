"""The picture of the README: rows of labels in five folds, of a random split and of `even`.

    python -m benchmarks.picture

Writes docs/figures/before_after.svg, from made-up movies. The file has no background, and its
colours are between light and dark, so that it can be on a page of either kind.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

import numpy as np

import evenfold
from evenfold.labels import make_labels

PATH = Path("docs/figures/before_after.svg")
N_MOVIES = 1_000
N_FOLDS = 5
SHOWN = (
    "drama",
    "comedy",
    "romance",
    "action",
    "adventure",
    "war",
    "music",
    "documentary",
    "history",
    "film-noir",
)
CELL, ROW, LEFT, GAP, TOP = 38, 25, 104, 22, 62
WIDTH = LEFT + 2 * N_FOLDS * CELL + GAP
HEIGHT = TOP + ROW * len(SHOWN) + 46
TOO_MANY, TOO_FEW, GREY = "#c8501b", "#2f6fb3", "#7d8590"
# From this deviation on, a cell has the full colour; below it, one that grey can be read on.
STRONG, LIGHT = 0.25, 0.2
STYLE = (
    f'font-family="system-ui, -apple-system, Segoe UI, Helvetica, Arial, sans-serif" fill="{GREY}"'
)


class Panel(NamedTuple):
    """A split: its title, its rLD, and the rows of each shown label in each fold."""

    title: str
    remark: str
    count: np.ndarray


def main() -> None:
    """Write the picture."""
    PATH.write_text(make_picture(), encoding="utf-8")


def make_picture() -> str:
    """Return the picture as SVG."""
    panels = make_panels()
    of_label = panels[0].count.sum(axis=0)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
        f'height="{HEIGHT}" role="img" {STYLE} font-size="13">',
        f"<title>{escape(describe(panels))}</title>",
        *(
            f'<text x="{LEFT - 10}" y="{TOP + ROW * at + 17}" text-anchor="end">{name}</text>'
            for at, name in enumerate(SHOWN)
        ),
    ]
    for number, panel in enumerate(panels):
        lines += draw_panel(panel, of_label, LEFT + number * (N_FOLDS * CELL + GAP))
    lines += draw_legend()
    return "\n".join([*lines, "</svg>", ""])


def make_panels() -> list[Panel]:
    """Return the two splits of the movies."""
    genres = evenfold.datasets.make_movies(N_MOVIES, random_state=1).genres
    labels = make_labels(genres)
    y = labels.to_csr().toarray()[:, [list(labels.names).index(name) for name in SHOWN]]
    panels = []
    for title, method in (("random folds", "random"), ("folds by evenfold", "even")):
        s = evenfold.split(genres, N_FOLDS, method=method, random_state=0)
        count = np.array([y[s.part_of_row == fold].sum(axis=0) for fold in range(N_FOLDS)])
        least = ", the least possible" if s.quality.excess == 0 else ""
        panels.append(Panel(title, f"rLD {s.quality.rld:.3f}{least}", count))
    return panels


def draw_panel(panel: Panel, of_label: np.ndarray, left: int) -> list[str]:
    """Return the elements of one split: a title, and a cell for each label and fold."""
    lines = [
        f'<text x="{left}" y="18" font-size="15" font-weight="600">{escape(panel.title)}</text>',
        f'<text x="{left}" y="38">{escape(panel.remark)}</text>',
    ]
    for fold in range(N_FOLDS):
        x = left + fold * CELL
        lines.append(
            f'<text x="{x + CELL / 2:g}" y="{TOP - 7}" text-anchor="middle" font-size="11">'
            f"fold {fold}</text>"
        )
        for at, rows in enumerate(panel.count[fold]):
            lines += draw_cell(x, TOP + at * ROW, int(rows), of_label[at] / N_FOLDS)
    return lines


def draw_cell(x: int, y: int, rows: int, fair: float) -> list[str]:
    """Return a rectangle in the colour of the deviation from the fair share, and the rows.

    Less than a row off is no deviation: rows cannot be cut.
    """
    off = rows / fair - 1 if abs(rows - fair) >= 1 else 0.0
    is_strong = abs(off) >= STRONG
    colour = TOO_MANY if off > 0 else TOO_FEW
    fill = f'fill="{colour}" fill-opacity="{1 if is_strong else LIGHT}"' if off else 'fill="none"'
    text = ' fill="#ffffff" font-weight="600"' if is_strong else ""
    return [
        f'<rect x="{x + 1}" y="{y + 1}" width="{CELL - 2}" height="{ROW - 2}" rx="3" {fill} '
        f'stroke="{GREY}" stroke-opacity="0.35"/>',
        f'<text x="{x + CELL / 2:g}" y="{y + 17}" text-anchor="middle" font-size="12"{text}>'
        f"{rows}</text>",
    ]


def draw_legend() -> list[str]:
    """Return what the colours stand for, below the cells."""
    y = HEIGHT - 14
    entries = ((0, TOO_FEW, "fewer rows than the fair share"), (232, TOO_MANY, "more"))
    return [
        element
        for x, colour, text in entries
        for element in (
            f'<rect x="{LEFT + x + 1}" y="{y - 12}" width="14" height="14" rx="3" '
            f'fill="{colour}"/>',
            f'<text x="{LEFT + x + 22}" y="{y}">{text}</text>',
        )
    ]


def describe(panels: list[Panel]) -> str:
    """Return what the picture shows, for those who do not see it."""
    return (
        f"Rows of ten genres in five folds of {N_MOVIES:,} made-up movies. "
        + ". ".join(f"{panel.title}: {panel.remark}" for panel in panels)
        + "."
    )


if __name__ == "__main__":
    main()
