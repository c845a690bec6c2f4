"""The summary of an audit: all that its report shows, as one dict of plain data."""

from __future__ import annotations

from typing import Any

from .._tables.numbers import show_count
from .._tables.table import shorten
from ..splits.audit_result import Audit
from .origin_summary import clean_call
from .summary import WIDTH_OF_TITLE, make_summary

# Of the summary of a quality, what a report of an audit shows.
_OF_QUALITY = ("data", "parts", "judged", "measures", "random", "groups", "size_classes", "verdict")
# Names come from data, and texts hold names.
_WIDTH_OF_TEXT = 400


def make_audit_summary(
    audit: Audit, call: str, title: str | None = None, date: str | None = None
) -> dict[str, Any]:
    """Return the summary of an audit.

    Parameters
    ----------
    audit : Audit
        The audit.
    call : str
        The call or command that made it.
    title : str, default=None
        The title of the report. None: the number of rows and parts.
    date : str, default=None
        The date to show.

    Returns
    -------
    dict
        What `Audit.to_dict` returns, with `title`, `call`, `date`, and `evenness` as in a report of
        the split, None without labels.
    """
    record = audit.to_dict()
    default = f"{show_count(record['rows'], 'row')} in {show_count(len(record['parts']), 'part')}"
    evenness = None
    if audit.quality is not None:
        whole = make_summary(audit.quality, call)
        evenness = {key: whole[key] for key in _OF_QUALITY}
    summary: dict[str, Any] = _clean({**record, "evenness": evenness})
    summary["title"] = shorten(title or default, WIDTH_OF_TITLE)
    summary["call"] = clean_call(call)
    summary["date"] = date
    return summary


def _clean(value: Any) -> Any:
    """Return plain data with all texts on one line, without control characters."""
    if isinstance(value, str):
        return shorten(value, _WIDTH_OF_TEXT)
    if isinstance(value, dict):
        return {_clean(key): _clean(own) for key, own in value.items()}
    return [_clean(own) for own in value] if isinstance(value, list) else value
