"""Values in error messages."""

from __future__ import annotations

from typing import Any


def shorten(value: Any, width: int = 60) -> str:
    """Show a value as Python writes it, on one line of at most `width` characters."""
    text = " ".join(repr(value).split())
    return text if len(text) <= width else text[: width - 1] + "…"
