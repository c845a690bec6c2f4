"""Splits: make one, extend one, save one, draw a sample, compare methods."""

from .compare_methods import compare
from .comparison import Comparison, Outcome
from .draw_sample import sample
from .extend_split import extend
from .make_split import split
from .saved_split import load_split
from .split_result import Split

__all__ = [
    "Comparison",
    "Outcome",
    "Split",
    "compare",
    "extend",
    "load_split",
    "sample",
    "split",
]
