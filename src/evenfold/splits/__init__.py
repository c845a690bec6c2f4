"""Splits: make one, extend one, save one, check one, draw a sample, compare methods."""

from .certificate import Certificate
from .check_split import check
from .compare_methods import compare
from .comparison import Comparison, Outcome
from .draw_sample import sample
from .extend_split import extend
from .make_split import split
from .saved_split import load_split
from .split_result import Split

__all__ = [
    "Certificate",
    "Comparison",
    "Outcome",
    "Split",
    "check",
    "compare",
    "extend",
    "load_split",
    "sample",
    "split",
]
