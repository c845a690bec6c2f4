"""Labels by their number of rows, so that labels too rare to be divided do not hide the others."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .measure_record import excess_over
from .measures import MEASURES
from .records import Records, make_records

# The fewest rows of each class above the labels that have fewer rows than there are parts.
_FEWEST_ROWS = (10, 50, 200, 1000)


def name_size_classes(rows: NDArray[np.int64], n_parts: int) -> NDArray[Any]:
    """Return (n_labels,) the size class of each label, such as "10-49"; "0" without rows.

    Examples
    --------
    >>> name_size_classes(np.array([0, 1, 4, 5, 49, 5000]), 5).tolist()
    ['0', '1-4', '1-4', '5-9', '10-49', '1,000+']
    """
    fewest = _find_fewest_rows(n_parts)
    ranges = [
        f"{first:,}" if after == first + 1 else f"{first:,}-{after - 1:,}"
        for first, after in itertools.pairwise(fewest)
    ]
    names = np.array(["0", *ranges, f"{fewest[-1]:,}+"])
    return np.asarray(names[_number_size_classes(rows, n_parts)])


def measure_size_classes(per_label: Records, n_parts: int) -> Records:
    """Return one record for each size class that has labels, the rarest labels first."""
    number_of_label = _number_size_classes(per_label.rows, n_parts)
    numbers = np.unique(number_of_label[per_label.rows > 0])
    classes = [per_label[number_of_label == number] for number in numbers]
    columns: dict[str, NDArray[Any]] = {
        "size_class": np.array(
            [own.size_class[0] for own in classes], per_label.dtype["size_class"]
        ),
        "labels": np.array([len(own) for own in classes], dtype=np.int64),
    }
    measures = [measure for measure in MEASURES if measure.is_own_of_label]
    for measure in measures:
        values = [measure.combine(own[measure.name]) for own in classes]
        columns[measure.name] = np.array(values, dtype=per_label.dtype[measure.name])
    for measure in measures:
        if measure.bound is not None:
            name = f"{measure.name}_bound"
            bounds = [measure.combine_bound(own[name], n_parts) for own in classes]
            columns[name] = np.array(bounds, dtype=per_label.dtype[name])
    excess = map(excess_over, columns["rld"], columns["rld_bound"])
    largest = [own.rld.max() for own in classes]
    return make_records(
        **columns,
        excess=np.array(list(excess), dtype=np.float64),
        largest_rld=np.array(largest, dtype=np.float64),
    )


def _find_fewest_rows(n_parts: int) -> list[int]:
    """Return the fewest rows of each class, at most six classes.

    The first class has the labels with fewer rows than parts. A second class that would end below
    twice the number of parts is joined to the next one.
    """
    above = [fewest for fewest in _FEWEST_ROWS if fewest >= 2 * n_parts]
    return sorted({1, n_parts, *above})


def _number_size_classes(rows: NDArray[np.int64], n_parts: int) -> NDArray[np.int64]:
    """Return (n_labels,) the number of each label's class, from 1; 0 without rows."""
    return np.searchsorted(_find_fewest_rows(n_parts), rows, side="right")
