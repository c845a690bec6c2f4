"""A report by which a person can judge a split: a summary, rendered as HTML, Markdown or JSON."""

from .audit_writing import write_audit
from .writing import write_report

__all__ = ["write_audit", "write_report"]
