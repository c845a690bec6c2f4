"""Values in error messages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def show_value(value: Any, width: int = 60) -> str:
    """Show a value as Python writes it, on one line of at most `width` characters."""
    text = " ".join(repr(value).split())
    return text if len(text) <= width else text[: width - 1] + "…"


def show_some(names: Iterable[str], most: int) -> str:
    """Show the first names of many, with commas between them.

    Examples
    --------
    >>> show_some(["a", "b", "c"], 2)
    'a, b, …'
    """
    names = list(names)
    return ", ".join(names[:most]) + (", …" if len(names) > most else "")
