"""A report by which a person can judge a split: a summary, rendered as HTML, Markdown or JSON."""

from .audit_writing import write_audit
from .card import make_split_card
from .notebook import show_in_notebook
from .writing import write_report

__all__ = ["make_split_card", "show_in_notebook", "write_audit", "write_report"]
