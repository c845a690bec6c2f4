"""Whether a split is good, for a person to see: a summary, rendered as a page, Markdown or JSON."""

from .making import Making, write_call
from .writing import write_report

__all__ = ["Making", "write_call", "write_report"]
