"""A report to a file: its suffix says in which form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from .._atomic import write_whole
from ..exceptions import InputError
from ..quality.placement import Measured
from .making import Making
from .summary import make_summary, to_json

SUFFIXES = (".html", ".md", ".json")


def write_report(
    path: str | PathLike[str],
    quality: Measured,
    making: Making,
    title: str | None = None,
    notes: Sequence[str] = (),
    comparison: Mapping[str, Any] | None = None,
) -> None:
    """Write the report of a measured split; the parameters are those of `make_summary`."""
    suffix = check_suffix(path)
    summary = make_summary(quality, making, title, notes, comparison)
    write_whole(Path(path), _render(summary, suffix).encode())


def check_suffix(path: str | PathLike[str]) -> str:
    """Return the suffix of a report, or refuse it."""
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise InputError(
            f"must end in .html, .md or .json, got {str(path)!r}. Name the report after its form.",
            parameter="path",
        )
    return suffix


def _render(summary: dict[str, Any], suffix: str) -> str:
    if suffix == ".json":
        return to_json(summary)
    if suffix == ".md":
        from .markdown import to_markdown

        return to_markdown(summary)
    from .page import to_html

    return to_html(summary)
