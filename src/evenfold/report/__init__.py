"""A report by which a person can judge a split: a summary, rendered as HTML, Markdown or JSON."""

from .writing import write_report

__all__ = ["write_report"]
