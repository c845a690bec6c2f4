"""A report to a file, whose suffix says in which form."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from .._atomic import write_whole
from ..exceptions import InputError
from ..quality import Quality
from ..splits.comparison import Comparison
from ..splits.origin import Origin
from .check_summaries import check_certificate
from .dates import check_date
from .summary import make_summary, to_json

SUFFIXES = (".html", ".md", ".json")


def write_report(
    path: str | PathLike[str],
    quality: Quality,
    call: str,
    *,
    origin: Origin | None = None,
    title: str | None = None,
    notes: Sequence[str] = (),
    comparison: Comparison | None = None,
    certificate: Any = None,
    date: str | datetime.date | None = None,
) -> None:
    """Write the report of a measured split.

    Parameters
    ----------
    path : str or path
        Where to write; ends in .html, .md or .json.
    quality : Quality
        The measured split.
    call : str
        The call or command that made the split.
    origin : Origin, default=None
        How the split was made; None if that is not known.
    title : str, default=None
        The title of the report. None: the number of rows and parts.
    notes : sequence of str, default=()
        Sentences to show beside the verdict.
    comparison : Comparison, default=None
        The results of other methods on the same rows.
    certificate : Certificate, default=None
        What was checked for leaks.
    date : str or date, default=None
        The date to show. None: no date.
    """
    suffix = check_suffix(path)
    summary = make_summary(
        quality,
        call,
        origin=origin,
        title=title,
        notes=notes,
        comparison=comparison,
        certificate=check_certificate(certificate),
        date=check_date(date),
    )
    write_whole(Path(path), _render(summary, suffix).encode())


def check_suffix(path: str | PathLike[str]) -> str:
    """Return the suffix of a report, or raise an error if no form has it."""
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
