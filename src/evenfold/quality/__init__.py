"""Quality of a split: measures, their bounds, values per label and per part."""

from .measuring import match_parts, measure, measure_counts, measure_labels
from .quality import Bound, Quality, TightBound

__all__ = [
    "Bound",
    "Quality",
    "TightBound",
    "match_parts",
    "measure",
    "measure_counts",
    "measure_labels",
]
