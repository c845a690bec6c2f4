"""Boxes: the boxes around what images show, as labels, counts and areas of the images."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...labels.labels import Labels
from ..own_labels import label_entries

BOX_COLUMNS = ("n_boxes", "box_area")
_Numbers = NDArray[np.float64]


class Boxes(NamedTuple):
    """The boxes of all images, in any order.

    Attributes
    ----------
    row : ndarray of int64
        (n_boxes,) the image of each box.
    label : ndarray of int64
        (n_boxes,) its label.
    area : ndarray of float64
        (n_boxes,) its share of the area of the image; NaN where it is not known.
    weight : ndarray of float64
        (n_boxes,) how often it counts: a half if it is from one of two annotations of the image.
    """

    row: NDArray[np.int64]
    label: NDArray[np.int64]
    area: _Numbers
    weight: _Numbers

    def to_labels(self, names: Sequence[str], n_rows: int) -> Labels:
        """Return which labels each image shows."""
        return label_entries(self.row, self.label, names, n_rows)

    def count_labels(self, names: Sequence[str], n_rows: int) -> dict[str, _Numbers]:
        """Return how many boxes of each label every image has, by label."""
        cell = self.row * len(names) + self.label
        counts = np.bincount(cell, self.weight, n_rows * len(names)).astype(np.float64)
        of_label = np.ascontiguousarray(counts.reshape(n_rows, len(names)).T)
        return dict(zip(names, of_label, strict=True))

    def measure(self, column: str, n_rows: int) -> _Numbers:
        """Return the number of boxes of each image, or their total share of its area.

        What several boxes cover counts several times.
        """
        of_box = self.weight if column == "n_boxes" else self.weight * self.area
        return np.bincount(self.row, of_box, n_rows).astype(np.float64)
