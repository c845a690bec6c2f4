"""Regions and choices of a Label Studio annotation: their labels and areas."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..._checks.values import show_value
from ...exceptions import InputError

_CHOICES = "choices"
# Coordinates are in percent of the width and the height.
_WHOLE = 100 * 100


class Mark(NamedTuple):
    """A label that an annotation gives to an image.

    Attributes
    ----------
    control : str
        The name of the control that it was chosen with.
    label : str
        The label.
    area : float or None
        The share of the image in the box around the region; NaN if it is not known. None for a
        choice, which has no region.
    """

    control: str
    label: str
    area: float | None


def read_value(control: str, value: Any, place: str) -> Iterator[Mark]:
    """Yield the labels in a value of a result; one that has none is an answer of another kind.

    Parameters
    ----------
    control : str
        The name of the control.
    value : any
        What the result says.
    place : str
        The file and the task, for messages.

    Yields
    ------
    Mark
        Each label, of a choice or of a region.
    """
    if not isinstance(value, dict):
        return
    for key, labels in value.items():
        if key != _CHOICES and not key.endswith("labels"):
            continue
        if not isinstance(labels, list) or not all(isinstance(own, str) for own in labels):
            raise InputError(
                f"{place}: {key!r} of '{control}' must be a list of names, "
                f"got {show_value(labels)}. Correct it."
            )
        area = None if key == _CHOICES else _measure(value, place)
        for label in labels:
            yield Mark(control, label, area)


def _measure(value: dict[str, Any], place: str) -> float:
    """Return the share of the image in the box around a region."""
    if "points" in value:
        corners = value["points"]
        if not isinstance(corners, list) or not all(
            isinstance(point, list) and len(point) == 2 for point in corners
        ):
            raise InputError(
                f"{place}: 'points' of a region must be pairs of numbers, "
                f"got {show_value(corners)}. Correct it."
            )
        sides = [
            [_read_number(number, "points", place) for number in axis]
            for axis in zip(*corners, strict=True)
        ]
        return math.prod(max(side) - min(side) for side in sides) / _WHOLE
    for names, factor in ((("width", "height"), 1), (("radiusX", "radiusY"), 4)):
        if all(name in value for name in names):
            lengths = [_read_number(value[name], name, place) for name in names]
            return factor * math.prod(lengths) / _WHOLE
    # Points have no area. That of brushes is not known without their pixels.
    return 0.0 if "keypointlabels" in value else math.nan


def _read_number(number: Any, name: str, place: str) -> float:
    if isinstance(number, bool) or not isinstance(number, int | float) or not math.isfinite(number):
        raise InputError(
            f"{place}: '{name}' of a region must be a number, got {show_value(number)}. Correct it."
        )
    return float(number)
