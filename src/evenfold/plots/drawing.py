"""Figure data drawn on axes.

Parts differ in colour and in marker, so that they can be distinguished with any colour vision and
in print.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ..quality.measures import find_measure
from .figure_data import is_wide

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

# The first six are Okabe and Ito's colours, which differ for every kind of colour vision.
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9", "#8C6D31", "#999933")
_MARKERS = "os^DvPX*"
GREY = "#8A8F98"
_PART = "part "
# So many characters of names fit level below an axis.
_MAX_LEVEL_COLUMNS = 36
# More names below an axis are written smaller.
_MAX_LARGE_NAMES, _SIZE_OF_SMALL_NAMES = 16, 7


def draw_evenness(data: dict[str, Any], ax: Axes) -> Axes:
    """Draw label size against a measure of each label, beside the least it could be."""
    name = find_measure(data["measure"]).title
    rows, value = np.array(data["rows"]), np.array(data["value"])
    bound = np.array([np.nan if own is None else own for own in data["bound"]], dtype=np.float64)
    ax.plot(
        rows,
        bound,
        "o",
        markersize=8,
        markerfacecolor="none",
        markeredgecolor=GREY,
        markeredgewidth=0.9,
        label="best possible",
    )
    ax.plot(
        rows, value, "o", markersize=4.5, color=PALETTE[0], markeredgewidth=0, label="this split"
    )
    _scale_by_powers(ax, "x", rows)
    both = np.concatenate((value, bound[~np.isnan(bound)]))
    if is_wide(both):
        _scale_by_powers(ax, "y", both)
    else:
        _write_in_full(ax.yaxis)
    _set_height(ax, both)
    ax.set_title(f"{name} of each label by its size")
    ax.set_xlabel("label size (rows)")
    ax.set_ylabel(f"{name} of the label (no unit)")
    ax.legend(frameon=False, loc="upper left" if data["measure"] == "ld" else "upper right")
    return _hide_frame(ax)


def draw_distribution(data: dict[str, Any], ax: Axes) -> Axes:
    """Draw the percentage of rows that hold each label.

    All rows are bars or a line, parts are markers or a band.
    """
    if data["names"]:
        _draw_whole_and_parts(data, ax, np.arange(len(data["names"])))
        _name_ticks(ax, data["names"])
        ax.set_xlabel("label, most common first")
    else:
        ax.plot(data["ranks"], data["all"], color=GREY, linewidth=4, alpha=0.5, label="all rows")
        _draw_parts(data, ax, np.array(data["ranks"]))
        _scale_by_powers(ax, "x", np.array(data["ranks"]))
        ax.set_xlabel("rank of the label, most common first")
    if is_wide(np.array(data["all"])):
        _scale_by_powers(ax, "y", np.array(data["all"]))
    _set_height(ax, np.array([*data["all"], *data["highest"]]))
    ax.set_title("How often each label occurs, in all rows and in each part")
    ax.set_ylabel("rows that hold the label (%)")
    _add_legend(data, ax)
    return _hide_frame(ax)


def draw_cardinality(data: dict[str, Any], ax: Axes) -> Axes:
    """Draw the percentage of rows that hold 0, 1, 2, … labels."""
    at = np.arange(len(data["numbers"]))
    _draw_whole_and_parts(data, ax, at)
    ticks = [f"{number}" for number in data["numbers"]]
    if data["or_more"]:
        ticks[-1] += "+"
    every = 1 + len(ticks) // 17
    ax.set_xticks(at[::every], ticks[::every])
    _set_height(ax, np.array([*data["all"], *data["highest"]]))
    ax.set_title("Labels per row (cardinality), in all rows and in each part")
    ax.set_xlabel(
        "labels of a row (number)"
        if data["width"] == 1
        else f"labels of a row (number, in steps of {data['width']})"
    )
    ax.set_ylabel("rows (%)")
    _add_legend(data, ax)
    return _hide_frame(ax)


def draw_balance(data: dict[str, Any], ax: Axes) -> Axes:
    """Draw the percentage of rows with each value of a balanced column."""
    at = np.arange(len(data["names"]))
    _draw_whole_and_parts(data, ax, at)
    if data["is_number"]:
        every = 1 + len(at) // 9
        ax.set_xticks(at[::every], data["names"][::every], parse_math=False)
    else:
        _name_ticks(ax, data["names"])
    _set_height(ax, np.array([*data["all"], *data["highest"]]))
    ax.set_title(f"{data['column']}, in all rows and in each part", parse_math=False)
    ax.set_xlabel(f"{data['column']}{' (from)' if data['is_number'] else ''}", parse_math=False)
    ax.set_ylabel("rows (%)")
    _add_legend(data, ax)
    return _hide_frame(ax)


def draw_deviation(data: dict[str, Any], ax: Axes) -> Axes:
    """Draw labels × parts, coloured by how many percent a label is off its share."""
    percent = np.array(data["percent"]).reshape(len(data["names"]), len(data["parts"]))
    most = float(np.abs(percent).max(initial=0)) or 1.0
    mesh = ax.pcolormesh(percent, cmap="PuOr_r", vmin=-most, vmax=most)
    ax.set_xticks(
        np.arange(len(data["parts"])) + 0.5,
        data["parts"],
        rotation=50,
        ha="right",
        rotation_mode="anchor",
        parse_math=False,
    )
    ax.set_yticks(np.arange(len(data["names"])) + 0.5, data["names"], parse_math=False)
    ax.invert_yaxis()
    figure = ax.get_figure()
    if figure is not None:
        figure.colorbar(mesh, ax=ax, label="rows off the label's share (%)")
    ax.set_title("The least even labels")
    ax.set_xlabel("part")
    ax.set_ylabel("label, least even first")
    return ax


def _draw_whole_and_parts(
    data: dict[str, Any], ax: Axes, at: np.ndarray[Any, np.dtype[np.int64]]
) -> None:
    """Draw bars for all rows and, beside each other, a marker for each part."""
    ax.bar(at, data["all"], width=0.8, color=GREY, alpha=0.35, label="all rows")
    n_parts = len(data["parts"])
    for number, part in enumerate(data["parts"]):
        # Side by side, because in an even split the markers would cover each other.
        ax.plot(
            at + 0.6 * ((number + 0.5) / n_parts - 0.5),
            part["share"],
            _MARKERS[number],
            markersize=4,
            color=PALETTE[number],
            linestyle="",
            label=_PART + part["part"],
        )
    if not n_parts:
        middle = (np.array(data["lowest"]) + data["highest"]) / 2
        reach = (np.array(data["highest"]) - data["lowest"]) / 2
        ax.errorbar(
            at,
            middle,
            reach,
            fmt="none",
            ecolor=PALETTE[0],
            elinewidth=2,
            capsize=3,
            label="lowest to highest part",
        )


def _draw_parts(data: dict[str, Any], ax: Axes, at: np.ndarray[Any, np.dtype[np.int64]]) -> None:
    for number, part in enumerate(data["parts"]):
        ax.plot(
            at,
            part["share"],
            _MARKERS[number],
            markersize=3,
            markeredgewidth=0,
            color=PALETTE[number],
            label=_PART + part["part"],
        )
    if not data["parts"]:
        ax.fill_between(
            at,
            data["lowest"],
            data["highest"],
            color=PALETTE[0],
            alpha=0.45,
            label="lowest to highest part",
        )


def is_level(names: Sequence[str]) -> bool:
    """Return whether names fit beside each other below an axis."""
    return sum(len(name) + 2 for name in names) <= _MAX_LEVEL_COLUMNS and all(
        name.isascii() for name in names
    )


def _name_ticks(ax: Axes, names: list[str]) -> None:
    """Write names below the axis: level if they are short, smaller where there are many."""
    if is_level(names):
        ax.set_xticks(np.arange(len(names)), names, parse_math=False)
        return
    ax.set_xticks(
        np.arange(len(names)),
        names,
        rotation=50,
        ha="right",
        rotation_mode="anchor",
        parse_math=False,
    )
    if len(names) > _MAX_LARGE_NAMES:
        ax.tick_params(axis="x", labelsize=_SIZE_OF_SMALL_NAMES)


def _add_legend(data: dict[str, Any], ax: Axes) -> None:
    handles, titles = ax.get_legend_handles_labels()
    legend = ax.legend(
        handles, titles, frameon=False, loc="upper right", ncols=2 if len(data["parts"]) > 1 else 1
    )
    for text, title in zip(legend.get_texts(), titles, strict=True):
        # A name is not a formula. The prefix is removed only now, because matplotlib leaves names
        # that begin with _ out of the legend.
        text.set_parse_math(False)
        text.set_text(title.removeprefix(_PART))


def _scale_by_powers(
    ax: Axes, axis: Literal["x", "y"], values: np.ndarray[Any, np.dtype[Any]]
) -> None:
    """Make an axis logarithmic.

    x only if it spans a power of ten; y down to the power of ten below the least value, and linear
    from there to 0.
    """
    from matplotlib.ticker import LogLocator, NullLocator, SymmetricalLogLocator

    positive = values[values > 0]
    if not len(positive):
        return
    if axis == "x":
        if positive.max() < 10 * positive.min():
            return
        ax.set_xscale("log")
        # Powers of ten alone would be one or two ticks.
        ax.xaxis.set_major_locator(
            LogLocator(subs=(1, 2, 5) if positive.max() < 300 * positive.min() else (1,))
        )
    else:
        least = 10.0 ** np.floor(np.log10(positive.min()))
        ax.set_yscale("symlog", linthresh=least)
        ax.yaxis.set_major_locator(SymmetricalLogLocator(base=10, linthresh=least))
    scaled = ax.xaxis if axis == "x" else ax.yaxis
    scaled.set_minor_locator(NullLocator())
    _write_in_full(scaled)


def _write_in_full(axis: Axis) -> None:
    """Write every number in full, not as a power or with a factor at the end of the axis."""
    from matplotlib.ticker import FuncFormatter

    axis.set_major_formatter(FuncFormatter(lambda number, _: _show_in_full(number)))


def _show_in_full(number: float) -> str:
    """Return a number of at most six digits, without a power of ten unless it is very small."""
    if 1e-6 < abs(number) < 1e-4:
        return np.format_float_positional(number, precision=6, fractional=False, trim="-")
    return f"{number:,.6g}"


def _set_height(ax: Axes, values: np.ndarray[Any, np.dtype[np.float64]]) -> None:
    """Start the axis at 0, and leave space for the legend above what is drawn."""
    ax.set_ylim(
        0, (8 if ax.get_yscale() == "symlog" else 1.35) * (float(values.max(initial=0)) or 1)
    )


def _hide_frame(ax: Axes) -> Axes:
    """Hide the lines above and to the right of what is drawn."""
    ax.spines[["top", "right"]].set_visible(False)
    return ax
