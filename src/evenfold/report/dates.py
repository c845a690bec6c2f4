"""The date that a report shows."""

from __future__ import annotations

import datetime
import os

from .._checks.values import show_value
from ..exceptions import InputError

_EPOCH = "SOURCE_DATE_EPOCH"


def check_date(date: str | datetime.date | None) -> str | None:
    """Return a date as text, such as "2025-03-31"; None for none.

    "today" is the date of the environment variable SOURCE_DATE_EPOCH if it is set, by which builds
    that must give the same bytes set their clock, or else that of the clock in UTC.

    Examples
    --------
    >>> check_date("2025-03-31"), check_date(datetime.date(2025, 3, 31)), check_date(None)
    ('2025-03-31', '2025-03-31', None)
    """
    if date is None:
        return None
    if date == "today":
        return _find_today().isoformat()
    if isinstance(date, datetime.datetime):
        return date.date().isoformat()
    if isinstance(date, datetime.date):
        return date.isoformat()
    try:
        return datetime.date.fromisoformat(date).isoformat()
    except (TypeError, ValueError):
        raise InputError(
            f"must be a date such as '2025-03-31', or 'today', got {show_value(date)}. "
            "Leave it out for no date.",
            parameter="date",
        ) from None


def _find_today() -> datetime.date:
    given = os.environ.get(_EPOCH)
    if not given:
        return datetime.datetime.now(datetime.UTC).date()
    try:
        return datetime.datetime.fromtimestamp(int(given), datetime.UTC).date()
    except (ValueError, OverflowError, OSError):
        raise InputError(
            f"'{_EPOCH}' must be the seconds since 1970, got {show_value(given)}. Unset it, or "
            "pass a date."
        ) from None
