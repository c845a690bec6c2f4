"""How even a split is, and how even it could be."""

from .measuring import measure, measure_labels
from .quality import Bound, Quality

__all__ = ["Bound", "Quality", "measure", "measure_labels"]
