"""Quality of a split: measures, their bounds, values per label and per part."""

from .least_values import Bound, TightBound
from .measuring import match_parts, measure, measure_counts, measure_labels
from .quality import Quality

__all__ = [
    "Bound",
    "Quality",
    "TightBound",
    "match_parts",
    "measure",
    "measure_counts",
    "measure_labels",
]
