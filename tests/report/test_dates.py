"""The date of a report: given, today, or left out."""

import datetime
import re

import pytest

import evenfold
from evenfold.exceptions import InputError

S = evenfold.split([["a"], ["b"]] * 10, 2)


@pytest.mark.parametrize(
    "date",
    [
        "2025-03-31",
        datetime.date(2025, 3, 31),
        datetime.datetime(2025, 3, 31, 23, 59, tzinfo=datetime.UTC),
    ],
)
@pytest.mark.parametrize("suffix", ["html", "md", "json"])
def test_the_date_given_is_shown(date, suffix, tmp_path):
    """In every form of every report."""
    for report in (S.report, S.quality.report, evenfold.audit([["a"]] * 4, [0, 1, 0, 1]).report):
        report(tmp_path / f"r.{suffix}", date=date)
        assert "2025-03-31" in (tmp_path / f"r.{suffix}").read_text(encoding="utf-8")


def test_without_a_date_there_is_none(tmp_path, monkeypatch):
    """Not even if the variable for builds is set: the same split gives the same bytes."""
    S.report(tmp_path / "a.html")
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    S.report(tmp_path / "b.html")
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()
    assert "date of the report" not in (tmp_path / "a.html").read_text(encoding="utf-8")


def test_today_is_that_of_the_build_if_it_has_one(tmp_path, monkeypatch):
    """SOURCE_DATE_EPOCH has seconds; without it the clock is read."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1743379200")
    S.report(tmp_path / "r.md", date="today")
    assert "2025-03-31" in (tmp_path / "r.md").read_text(encoding="utf-8")
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    before = datetime.datetime.now(datetime.UTC).date()
    S.report(tmp_path / "r.md", date="today")
    after = datetime.datetime.now(datetime.UTC).date()
    text = (tmp_path / "r.md").read_text(encoding="utf-8")
    assert any(day.isoformat() in text for day in (before, after))


@pytest.mark.parametrize("date", ["31.3.2025", "tomorrow", 20250331])
def test_other_dates_are_refused(date, tmp_path):
    """And nothing is written."""
    message = f"'date' must be a date such as '2025-03-31', or 'today', got {date!r}."
    with pytest.raises(InputError, match=re.escape(message)):
        S.report(tmp_path / "r.md", date=date)
    assert not list(tmp_path.iterdir())


def test_seconds_that_are_none_are_refused(tmp_path, monkeypatch):
    """The message names the variable."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "now")
    message = "'SOURCE_DATE_EPOCH' must be the seconds since 1970, got 'now'. Unset it, or pass"
    with pytest.raises(InputError, match=message):
        S.report(tmp_path / "r.md", date="today")
