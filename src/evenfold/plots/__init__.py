"""Figures of how even a split is: each takes a quality and axes of matplotlib, and returns the axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ..plots import drawing, figure_data

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ..quality.placement import Measured

__all__ = ["cardinality", "label_deviation", "label_distribution", "label_evenness"]


def label_evenness(
    quality: Measured, measure: Literal["rld", "ld", "dcp"] = "rld", ax: Axes | None = None
) -> Axes:
    """Draw the size of each label against its own measure, and the least that could be.

    LD grows with the size of a label, rLD and DCP do not: why LD misleads.

    Parameters
    ----------
    quality : of any split: `Split.quality`, or what `evenfold.measure` returns
    measure : "rld", "ld" or "dcp"
    ax : where to draw; default new axes

    Notes
    -----
    Labels too close to be told apart are drawn once.

    Examples
    --------
    >>> quality = evenfold.split([["a"], ["b"], ["a", "b"], []] * 10, 4).quality
    >>> evenfold.plots.label_evenness(quality).get_xlabel()
    'label size (rows)'
    """
    return drawing.draw_evenness(figure_data.find_evenness(quality, measure), _axes(ax))


def label_distribution(quality: Measured, ax: Axes | None = None) -> Axes:
    """Draw how often each label occurs in all rows and in each part.

    Parameters
    ----------
    quality, ax : as for `label_evenness`

    Notes
    -----
    More than 30 labels are drawn by rank, more than 8 parts as the span from the lowest to the highest.

    Examples
    --------
    >>> quality = evenfold.split([["a"], ["b"], ["a", "b"], []] * 10, 4).quality
    >>> evenfold.plots.label_distribution(quality).get_ylabel()
    'rows that hold the label (%)'
    """
    return drawing.draw_distribution(figure_data.find_distribution(quality), _axes(ax))


def cardinality(quality: Measured, ax: Axes | None = None) -> Axes:
    """Draw how many rows hold 0, 1, 2, … labels, in all rows and in each part.

    Parameters
    ----------
    quality, ax : as for `label_evenness`

    Examples
    --------
    >>> quality = evenfold.split([["a"], ["b"], ["a", "b"], []] * 10, 4).quality
    >>> evenfold.plots.cardinality(quality).get_xlabel()
    'labels of a row (number)'
    """
    return drawing.draw_cardinality(figure_data.find_cardinality(quality), _axes(ax))


def label_deviation(quality: Measured, n_labels: int = 40, ax: Axes | None = None) -> Axes:
    """Draw the least even labels against the parts, coloured by how many percent each is off its share.

    Parameters
    ----------
    quality, ax : as for `label_evenness`
    n_labels : how many labels

    Examples
    --------
    >>> quality = evenfold.split([["a"], ["b"], ["a", "b"], []] * 10, 4).quality
    >>> [text.get_text() for text in evenfold.plots.label_deviation(quality).get_yticklabels()]
    ['a', 'b']
    """
    return drawing.draw_deviation(figure_data.find_deviation(quality, n_labels), _axes(ax))


def _axes(ax: Axes | None) -> Axes:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(layout="constrained")[1]
