"""Quality of a split: measures, their bounds, values per label and per part."""

from .measuring import measure, measure_labels
from .quality import Bound, Quality

__all__ = ["Bound", "Quality", "measure", "measure_labels"]
