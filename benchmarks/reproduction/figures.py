"""The figures of the page. The same numbers give the same bytes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator

# The colours of Okabe and Ito, which colour-blind readers can distinguish.
COLOURS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"]
MARKS = ["o", "s", "^", "D", "v", "P", "X"]
STYLE = {
    "svg.hashsalt": "evenfold",
    "svg.fonttype": "none",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "legend.frameon": False,
    "axes.grid": True,
    "grid.color": "#e5e5e5",
}


def save(figure: Figure, path: Path) -> None:
    """Write a figure as SVG, without the date, which would change the file every time."""
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, format="svg", bbox_inches="tight", metadata={"Date": None})


def draw_ratios(path: Path, ratio: Sequence[float], series: Mapping[str, Sequence[float]]) -> None:
    """Draw LD divided by the LD of random, against labelsets per row.

    Published values have open marks.
    """
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(6, 3.6))
        axes = figure.subplots()
        methods = list(dict.fromkeys(title.split(",")[0] for title in series))
        for title, share in series.items():
            at = methods.index(title.split(",")[0])
            face = "none" if "published" in title else COLOURS[at]
            axes.plot(ratio, share, MARKS[at], color=COLOURS[at], markerfacecolor=face, label=title)
        axes.set(
            xscale="log",
            yscale="log",
            xlabel="distinct labelsets / rows",
            ylabel="LD / LD of random",
        )
        axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
        save(figure, path)


def draw_class_sizes(
    path: Path,
    size: Mapping[str, Sequence[int]],
    value: Mapping[str, Mapping[str, Sequence[float]]],
) -> None:
    """Draw the value of each label against its size: one panel per measure, one line per split.

    `size` has the sizes by split, `value` the values by measure and split.
    """
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(9, 2.8))
        panels = figure.subplots(1, len(value))
        for axes, (measure, by_kind) in zip(panels, value.items(), strict=True):
            for at, (kind, own) in enumerate(by_kind.items()):
                axes.plot(size[kind], own, color=COLOURS[at], label=kind)
            axes.set(xlabel="rows of the label", ylabel=measure)
        panels[-1].legend(loc="center left", bbox_to_anchor=(1, 0.5))
        figure.tight_layout()
        save(figure, path)


def draw_tries(
    path: Path,
    tries: Sequence[int],
    panels: Mapping[str, Mapping[str, Sequence[float]]],
    flat: Mapping[str, float],
) -> None:
    """Draw the residual against the tries, one panel per table.

    `flat` has the values of `even`, which has no tries.
    """
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(9, 2.6))
        every = figure.subplots(1, len(panels), sharey=True)
        for axes, (title, series) in zip(every, panels.items(), strict=True):
            for at, (name, residual) in enumerate(series.items()):
                axes.plot(
                    tries,
                    residual,
                    "o" if "published" in name else "-",
                    color=COLOURS[at // 2],
                    markerfacecolor="none",
                    label=name,
                )
            axes.axhline(flat[title], color=COLOURS[2], linestyle="--", label="even")
            axes.set(xscale="log", title=title, xlabel="tries")
        every[0].set(ylabel="residual", ylim=(0, None))
        every[-1].legend(loc="center left", bbox_to_anchor=(1, 0.5))
        figure.tight_layout()
        save(figure, path)


def draw_distributions(
    path: Path, panels: Mapping[str, Mapping[str, Sequence[float]]], reference: Sequence[str]
) -> None:
    """Draw class distributions, and below each panel how far they are from one of them.

    `panels` has the shares of the classes by panel and line, `reference` the line of each panel
    from which the others' relative difference is shown.
    """
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(10, 4.6))
        rows = figure.subplots(2, len(panels), sharex=True, height_ratios=(3, 2), squeeze=False)
        for upper, lower, (title, lines), base in zip(
            *rows, panels.items(), reference, strict=True
        ):
            for at, (name, share) in enumerate(lines.items()):
                # The lines cover each other: the first is wide and pale, the others are dashed.
                look = {"linewidth": 4, "alpha": 0.35} if not at else {"linestyle": (at, (4, 2))}
                upper.plot(np.array(share) * 100, color=COLOURS[at], label=name, **look)
                if name != base:
                    off = np.array(share) / np.array(lines[base]) - 1
                    lower.plot(off * 100, color=COLOURS[at], linewidth=1)
            upper.set(title=title, ylim=(0, None))
            upper.legend()
            lower.set(xlabel="class", ylabel="")
        rows[0, 0].set(ylabel="% of all labels")
        rows[1, 0].set(ylabel="difference, %")
        figure.tight_layout()
        save(figure, path)


def draw_over_bound(
    path: Path, names: Sequence[str], ratio: Mapping[str, Sequence[float | None]]
) -> None:
    """Draw rLD divided by its bound, one line per data set and one mark per method.

    The marks of the first method are on top.
    """
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(7, 0.5 + 0.3 * len(names)))
        axes = figure.subplots()
        for at, (method, own) in enumerate(ratio.items()):
            colour, mark = COLOURS[at % len(COLOURS)], MARKS[at % len(MARKS)]
            face = colour if at < len(COLOURS) else "none"
            axes.plot(
                np.array(own, dtype=float),
                np.arange(len(names)),
                mark,
                color=colour,
                markerfacecolor=face,
                label=method,
                zorder=2.9 - 0.01 * at,
            )
        axes.set(
            xscale="log", xlabel="rLD / bound", yticks=np.arange(len(names)), yticklabels=names
        )
        axes.xaxis.set(
            major_locator=LogLocator(subs=(1, 2, 5)),
            major_formatter="{x:g}",
            minor_locator=NullLocator(),
        )
        axes.invert_yaxis()
        axes.legend(loc="center left", bbox_to_anchor=(1, 0.5))
        save(figure, path)
