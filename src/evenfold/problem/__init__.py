"""The problem that a method solves, built step by step.

`parts` (how many rows each part wants) and `criteria` (what must come out even, per row) come
first; `groups` turns groups of rows into units; `problem` puts them together as `Problem`.
`labelsets` and `combinations` make criteria of label combinations, `criteria_order` shuffles
criteria, `residuals` measures how unevenly they are placed.
"""

from .problem import Problem

__all__ = ["Problem"]
