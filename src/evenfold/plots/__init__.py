"""Figures of how even a split is: each takes a quality and matplotlib axes, returns the axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._checks.choices import check_choice
from .._checks.numbers import check_whole
from ..exceptions import InputError
from ..quality.measures import MEASURES_OF_EACH_LABEL
from . import drawing, figure_data

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..quality import Quality

__all__ = ["balance", "cardinality", "label_deviation", "label_distribution", "label_evenness"]


def label_evenness(quality: Quality, measure: str = "rld", ax: Axes | None = None) -> Axes:
    """Draw each label's own measure, and the least it could be, against the size of the label.

    LD grows with the size of a label, rLD and DCP do not, which is why LD misleads.

    Parameters
    ----------
    quality : Quality
        The quality of any split: `Split.quality`, or what `evenfold.measure` returns.
    measure : {"rld", "ld", "dcp"}, default="rld"
        The measure; each is the mean of the own values of labels.
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None: on new axes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    Raises
    ------
    InputError
        If the measure is another one.

    Notes
    -----
    Labels that are too close to be distinguished are drawn once.

    Examples
    --------
    >>> quality = evenfold.split([["a"], ["b"], ["a", "b"], []] * 10, 4).quality
    >>> evenfold.plots.label_evenness(quality).get_xlabel()
    'label size (rows)'
    """
    check_choice(measure, "measure", [own.name for own in MEASURES_OF_EACH_LABEL])
    return drawing.draw_evenness(figure_data.find_evenness(quality, measure), _make_axes(ax))


def label_distribution(quality: Quality, ax: Axes | None = None) -> Axes:
    """Draw how often each label occurs, in all rows and in each part.

    Parameters
    ----------
    quality : Quality
        The quality of any split.
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None: on new axes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    Notes
    -----
    More than 30 labels are drawn by rank, more than 8 parts as the range from the lowest to the
    highest.

    Examples
    --------
    >>> quality = evenfold.split([["a"], ["b"], ["a", "b"], []] * 10, 4).quality
    >>> evenfold.plots.label_distribution(quality).get_ylabel()
    'rows that hold the label (%)'
    """
    return drawing.draw_distribution(figure_data.find_distribution(quality), _make_axes(ax))


def cardinality(quality: Quality, ax: Axes | None = None) -> Axes:
    """Draw how many rows hold 0, 1, 2, … labels, in all rows and in each part.

    Parameters
    ----------
    quality : Quality
        The quality of any split.
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None: on new axes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    Examples
    --------
    >>> quality = evenfold.split([["a"], ["b"], ["a", "b"], []] * 10, 4).quality
    >>> evenfold.plots.cardinality(quality).get_xlabel()
    'labels of a row (number)'
    """
    return drawing.draw_cardinality(figure_data.find_cardinality(quality), _make_axes(ax))


def balance(quality: Quality, column: str | None = None, ax: Axes | None = None) -> Axes:
    """Draw how a column that was balanced besides labels is distributed, in all and in each part.

    Parameters
    ----------
    quality : Quality
        The quality of a split with `balance`.
    column : str, default=None
        The name of the column. None: the first one.
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None: on new axes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    Raises
    ------
    InputError
        If nothing was balanced, or there is no such column.

    Notes
    -----
    Numbers of more than 12 values are drawn in steps; of more than 12 other values, the most common
    are drawn.

    Examples
    --------
    >>> y, age = [["a"], ["b"], ["a", "b"], []] * 10, [20, 30, 40, 50, 60] * 8
    >>> quality = evenfold.split(y, 4, balance={"age": age}).quality
    >>> evenfold.plots.balance(quality, "age").get_ylabel()
    'rows (%)'
    """
    names = [own.name for own in quality.placement.balance]
    if not names:
        raise InputError(
            "must be of a split with balanced columns, got one without. "
            "Pass balance= to split or measure.",
            parameter="quality",
        )
    at = 0 if column is None else names.index(check_choice(column, "column", names))
    return drawing.draw_balance(figure_data.find_balance(quality, at), _make_axes(ax))


def label_deviation(quality: Quality, n_labels: int = 40, ax: Axes | None = None) -> Axes:
    """Draw labels against parts, coloured by how many percent each label is off its share.

    Parameters
    ----------
    quality : Quality
        The quality of any split.
    n_labels : int, default=40
        How many labels to draw, the least even first.
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None: on new axes.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    Examples
    --------
    >>> quality = evenfold.split([["a"], ["b"], ["a", "b"], []] * 10, 4).quality
    >>> [text.get_text() for text in evenfold.plots.label_deviation(quality).get_yticklabels()]
    ['a', 'b']
    """
    check_whole(n_labels, "n_labels", "Leave it out for 40.")
    return drawing.draw_deviation(figure_data.find_deviation(quality, n_labels), _make_axes(ax))


def _make_axes(ax: Axes | None) -> Axes:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(layout="constrained")[1]
