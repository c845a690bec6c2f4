"""Limits that a user sets: bytes of memory, and label entries that are gathered."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import numpy as np

from .._checks.numbers import is_whole
from .._checks.values import show_value
from ..exceptions import InputError
from .in_memory import BYTES_OF_ENTRY, BYTES_OF_ROW

_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_BINARY = {"KI": 2**10, "MI": 2**20, "GI": 2**30, "TI": 2**40}
# The default budget: this share of all label entries, or as many as give each label this many
# rows, if that is more, but not more than take about 4 GB.
_SHARE_OF_ENTRIES = 0.05
_ROWS_OF_LABEL = 10
_MOST_ENTRIES = 60_000_000


def check_memory(memory: Any) -> int:
    """Return a number of bytes, given as such or as text such as "4GB"."""
    if is_whole(memory) and memory >= 0:
        return int(memory)
    text = memory.upper() if isinstance(memory, str) else ""
    match = re.fullmatch(r"\s*(\d+\.?\d*|\.\d+)\s*([KMGT]I?)?B?\s*", text)
    if match is None:
        raise InputError(
            f"must be a number of bytes, got {show_value(memory)}. Try memory='4GB'.",
            parameter="memory",
        )
    return int(Decimal(match[1]) * (_UNITS | _BINARY)[match[2] or ""])


def check_budget(budget: Any) -> int | float | None:
    """Return a number of label entries as int, or a share of them as float; None: the default.

    Text such as "5%" or "0.05" is a share, text such as "100000" a number of entries.
    """
    if budget is None:
        return None
    value = budget
    if isinstance(budget, str):
        match = re.fullmatch(r"\s*(\d+|\d*\.\d+|\d+\.)\s*(%?)\s*", budget.replace(",", ""))
        value = None
        if match is not None:
            value = float(match[1]) / 100 if match[2] else float(match[1])
            if not match[2] and match[1].isdigit():
                value = int(match[1])
    if is_whole(value) and value >= 0:
        return int(value)
    if isinstance(value, float | np.floating) and 0 <= value <= 1:
        return float(value)
    raise InputError(
        f"must be a number of label entries or a share of them, got {show_value(budget)}. "
        "Try budget=0.05 or budget=5_000_000.",
        parameter="budget",
    )


def fits_in_memory(n_rows: int, n_entries: int, memory: int) -> bool:
    """Tell whether the labels of all rows can be split in memory."""
    return BYTES_OF_ENTRY * n_entries + BYTES_OF_ROW * n_rows <= memory


def choose_budget(budget: int | float | None, n_rows: int, n_entries: int, n_labels: int) -> int:
    """Return the number of label entries to gather."""
    if isinstance(budget, int):
        return budget
    if budget is not None:
        return round(budget * n_entries)
    per_row = n_entries / max(1, n_rows)
    wanted = max(_SHARE_OF_ENTRIES * n_entries, _ROWS_OF_LABEL * n_labels * per_row)
    return int(min(wanted, n_entries, _MOST_ENTRIES))
