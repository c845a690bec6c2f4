"""Numbers as text."""

from __future__ import annotations


def show(value: float | str | None) -> str:
    """Show a number in about five characters; what is not known as a dash."""
    if value is None:
        return "–"
    if isinstance(value, str):
        return "infinite"
    if isinstance(value, int):
        return f"{value:,}"
    if value == 0:
        return "0"
    if abs(value) >= 100:
        return f"{value:,.0f}" if abs(value) >= 1000 or value.is_integer() else f"{value:.1f}"
    return f"{value:.4g}" if abs(value) >= 1e-4 else f"{value:.2e}"


def show_percent(share: float | str | None) -> str:
    """Show a share as percent."""
    return show(share) if share is None or isinstance(share, str) else f"{100 * share:,.1f} %"


def show_signed(value: float, digits: int = 1) -> str:
    """Show a number with its sign, 0 without."""
    text = f"{value:+,.{digits}f}"
    return "0" if not text.strip("+-0.,") else text.replace("-", "−")


def count(number: int, noun: str) -> str:
    """Say how many."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
