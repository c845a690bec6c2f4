"""Ranges of columns, by the first and the last: first:last."""

from __future__ import annotations

from collections.abc import Sequence

from .._checks.choices import find_close, suggest

_TO = ":"


def find_range(pattern: str, names: Sequence[str]) -> list[str]:
    """Return the columns of a range, both ends included; none if it is no range.

    Examples
    --------
    >>> from evenfold.files.column_ranges import find_range
    >>> find_range("b:c", ["a", "b", "c", "d"])
    ['b', 'c']
    """
    for first, last in _cut(pattern):
        if first in names and last in names:
            return list(names[names.index(first) : names.index(last) + 1])
    return []


def explain_range(pattern: str, names: Sequence[str]) -> tuple[str, str | None]:
    """Return what is wrong with a range that matches nothing, and the end that is no column.

    Nothing is wrong if the text is no range: no end of it is like a column, or the whole text is.
    """
    if find_close(pattern, [name for name in names if _TO in name]):
        return "", None
    for first, last in _cut(pattern):
        if first in names and last in names:
            return f"a range from a later column to an earlier one. Write '{last}:{first}'.", None
    for first, last in _cut(pattern):
        if first in names or last in names:
            end = last if first in names else first
            return f"a range of columns, but no column is '{end}'. {suggest(end, names)}", end
    for first, last in _cut(pattern):
        if find_close(first, names) and find_close(last, names):
            return f"a range of columns, but no column is '{first}'. {suggest(first, names)}", first
    return "", None


def _cut(pattern: str) -> list[tuple[str, str]]:
    """Return both ends of a range; a name of a column may have a colon too."""
    pieces = pattern.split(_TO)
    return [
        (_TO.join(pieces[:at]).strip(), _TO.join(pieces[at:]).strip())
        for at in range(1, len(pieces))
    ]
