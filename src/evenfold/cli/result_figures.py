"""Figures of comparisons and evaluations: each method as a point, with its spread."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._tables.table import shorten
from ..evaluation.results import Evaluation
from ..plots.drawing import PALETTE
from ..quality.measures import find_measure
from ..report.result_findings import list_measures
from ..splits import Comparison

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MARKERS = "os^DvPX*"
# How many panels are beside each other.
_PANELS_PER_ROW = 3
_WIDTH_OF_PANEL, _HEIGHT_OF_LINE, _HEIGHT_OF_PANEL = 3.1, 0.3, 1.1
_WIDTH_OF_NAME = 24
# Methods that a description in words names.
_MAX_METHODS_IN_WORDS = 20
# Right of the farthest point, as a share of the axis.
_MARGIN = 0.04
_DOTS_PER_INCH = 200
_SETTINGS: Any = {
    "font.size": 9,
    # Names with dollar signs are no formulas, and the same result gives the same bytes.
    "text.parse_math": False,
    "svg.hashsalt": "evenfold",
    "svg.fonttype": "none",
}


def write_figure(result: Comparison | Evaluation, path: Path, suffix: str) -> None:
    """Write the figure of a result as png, svg or pdf."""
    kind = suffix.removeprefix(".")
    with _draw(result) as figure:
        figure.savefig(path, format=kind, dpi=_DOTS_PER_INCH, metadata=_make_metadata(kind))


def to_panels(result: Comparison | Evaluation) -> list[str]:
    """Return the panels of the figure, each as an element of a page, so that phones stack them."""
    from matplotlib.figure import Figure

    from ..report.figures import SIZE, to_inline, use_page_style

    names, draw, n_lines = _choose_panels(result)
    width, least_height = SIZE
    height = max(least_height, _HEIGHT_OF_PANEL + _HEIGHT_OF_LINE * n_lines)
    panels = []
    for name in names:
        with use_page_style(name):
            figure = Figure(figsize=(width, height), layout="constrained")
            ax = figure.subplots()
            draw(result, name, ax)
            ax.spines[["top", "right"]].set_visible(False)
            _add_legend(figure, ax, result)
            methods = ", ".join(_list_methods(result)[:_MAX_METHODS_IN_WORDS])
            panels.append(to_inline(figure, f"{ax.get_title()} by method: {methods}."))
    return panels


def _make_metadata(kind: str) -> dict[str, Any]:
    """Leave out the time, so that the same result gives the same bytes."""
    return {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(kind, {})


@contextmanager
def _draw(result: Comparison | Evaluation) -> Iterator[Figure]:
    import matplotlib as mpl
    from matplotlib.figure import Figure

    names, draw, n_lines = _choose_panels(result)
    n_across = min(_PANELS_PER_ROW, len(names))
    n_down = math.ceil(len(names) / n_across)
    size = (
        1 + _WIDTH_OF_PANEL * n_across,
        n_down * (_HEIGHT_OF_PANEL + _HEIGHT_OF_LINE * n_lines) + 0.4,
    )
    with mpl.rc_context(_SETTINGS):
        figure = Figure(figsize=size, layout="constrained")
        panels = figure.subplots(n_down, n_across, squeeze=False).ravel()
        for at, ax in enumerate(panels):
            if at < len(names):
                draw(result, names[at], ax)
                ax.spines[["top", "right"]].set_visible(False)
                if at % n_across:
                    ax.set_yticklabels([])
            else:
                ax.set_axis_off()
        _add_legend(figure, panels[0], result)
        yield figure


def _choose_panels(
    result: Comparison | Evaluation,
) -> tuple[list[str], Callable[[Any, str, Axes], None], int]:
    """Return what the panels show, what draws one, and its number of lines."""
    if isinstance(result, Comparison):
        return list_measures(result), _draw_measure, len(result)
    return list(result.metrics), _draw_metric, len(result.methods) * len(result.learners)


def _list_methods(result: Comparison | Evaluation) -> list[str]:
    if isinstance(result, Comparison):
        return [outcome.title for outcome in result]
    return result.methods


def _add_legend(figure: Figure, ax: Axes, result: Comparison | Evaluation) -> None:
    handles, texts = ax.get_legend_handles_labels()
    title = None if isinstance(result, Comparison) else "pooled estimates, 95 % intervals"
    figure.legend(handles, texts, title=title, loc="outside lower center", ncols=4, frameon=False)


def _draw_measure(result: Comparison, name: str, ax: Axes) -> None:
    """Draw the mean of a measure over repeats, its spread, and the bound."""
    bounds = [outcome.bound(name) for outcome in result if math.isfinite(outcome.bound(name))]
    if bounds:
        ax.axvline(bounds[0], color="#8A8F98", linestyle="--", linewidth=1, label="best possible")
    for at, outcome in enumerate(result):
        spread = outcome.spread(name)
        error = spread if math.isfinite(spread) else None
        label = "mean ± std over repeats" if not at else None
        ax.errorbar(outcome.mean(name), at, xerr=error, fmt="o", color=PALETTE[0], label=label)
    _name_lines(ax, [outcome.title for outcome in result])
    _, right = ax.get_xlim()
    ax.set_xlim(0, right + _MARGIN * right)
    ax.set_title(find_measure(name).title)


def _draw_metric(result: Evaluation, metric: str, ax: Axes) -> None:
    """Draw the estimate of a metric and its 95 % interval, for each learner and method."""
    n_learners = len(result.learners)
    for at, learner in enumerate(result.learners):
        place = [
            line + (at - (n_learners - 1) / 2) / (n_learners + 1)
            for line in range(len(result.methods))
        ]
        own = [result[learner, method] for method in result.methods]
        value = [estimate.pooled(metric) for estimate in own]
        ends = [estimate.interval(metric) for estimate in own]
        error = [
            [max(0, center - low) for center, (low, _) in zip(value, ends, strict=True)],
            [max(0, high - center) for center, (_, high) in zip(value, ends, strict=True)],
        ]
        ax.errorbar(
            value,
            place,
            xerr=error,
            fmt=_MARKERS[at % len(_MARKERS)],
            color=PALETTE[at % len(PALETTE)],
            markersize=5,
            label=shorten(learner, _WIDTH_OF_NAME),
        )
    _name_lines(ax, result.methods)
    ax.set_title(metric.replace("_", " "))


def _name_lines(ax: Axes, names: list[str]) -> None:
    """Name the lines of a panel, the first at the top."""
    ax.set_yticks(range(len(names)), [shorten(name, _WIDTH_OF_NAME) for name in names])
    ax.set_ylim(len(names) - 0.4, -0.6)
