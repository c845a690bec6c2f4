"""What reports say of leaks: groups, copies, ids, and what was not checked."""

import json

import numpy as np
import pytest

import evenfold
from evenfold.exceptions import InputTypeError, LeakError
from evenfold.report.check_summaries import summarize_checks

Y = [["a"], ["b"]] * 20
PATIENT = np.arange(40) // 4


def find(certificate, name):
    """Return the record of a check."""
    return next(own for own in summarize_checks(certificate) if own["check"] == name)


def test_groups_of_the_split_are_checked_without_being_asked():
    """The report of a split says that its groups are whole, and what was not checked."""
    s = evenfold.split(Y, 2, groups={"patient": PATIENT})
    checks = summarize_checks(s.certificate())
    assert [(own["check"], own["state"]) for own in checks] == [
        ("patient", "ok"),
        ("copies", "not checked"),
        ("ids", "not checked"),
    ]
    assert checks[0]["text"] == "10 values; each value is in one part"
    assert checks[1]["text"] == (
        "exact copies of rows were not looked for; `evenfold audit` does, and so does "
        "`Split.certificate(copies=features)`"
    )


def test_exact_copies_in_two_parts_are_counted():
    """Sets of equal rows and their rows are those counted by hand."""
    s = evenfold.split(Y, 2)
    features = np.arange(40) % 25
    own = find(s.certificate(copies=features[:, None]), "copies")
    parts = [{int(s.part_of_row[row]) for row in np.flatnonzero(features == v)} for v in range(25)]
    leaking = [value for value in range(25) if len(parts[value]) > 1]
    n_rows = int(np.isin(features, leaking).sum())
    assert leaking
    assert (own["state"], own["leaking"], own["rows"]) == ("problem", len(leaking), n_rows)
    assert own["text"].startswith(
        f"{len(leaking)} sets of equal rows are in more than one part, first "
    )
    assert own["text"].endswith(f"; {n_rows} rows in all")
    whole = find(s.certificate(copies=np.arange(40)[:, None]), "copies")
    assert (whole["state"], whole["leaking"], whole["rows"]) == ("ok", 0, 0)


def test_ids_and_similar_rows_are_reported():
    """A certificate of `check`, also that of its error, has every kind of check."""
    s = evenfold.split(Y, 2)
    with pytest.raises(LeakError, match="the split leaks") as caught:
        evenfold.check(s, ids=PATIENT, text=[f"text of row {at // 2}" for at in range(40)], at=0.9)
    states = {own["check"]: own["state"] for own in summarize_checks(caught.value.certificate)}
    assert states == {"text": "problem", "ids": "problem", "copies": "not checked"}


def test_groups_that_were_not_given_again_are_said_to_be_unchecked(tmp_path):
    """A split that was loaded without its groups."""
    evenfold.split(Y, 2, groups={"patient": PATIENT}).save(tmp_path / "s.json")
    s = evenfold.load_split(tmp_path / "s.json", Y)
    assert find(s.certificate(), "patient")["text"] == "not given, so not checked"


@pytest.mark.parametrize("suffix", ["html", "md", "json"])
def test_every_form_of_the_report_has_the_checks(suffix, tmp_path):
    """With a mark for the state."""
    s = evenfold.split(Y, 2)
    path = tmp_path / f"r.{suffix}"
    s.report(path, certificate=s.certificate(copies=["same"] * 40))
    text = path.read_text(encoding="utf-8")
    assert "1 set of equal rows is in more than one part" in text
    if suffix == "json":
        assert json.loads(text)["checks"][0]["rows"] == 40
    else:
        assert "✗ problem" in text
        assert "· not checked" in text


def test_a_certificate_of_another_kind_is_refused(tmp_path):
    """The error says where certificates come from."""
    s = evenfold.split(Y, 2)
    with pytest.raises(
        InputTypeError,
        match=r"'certificate' must be a Certificate, got bool\. "
        r"Take that of Split\.certificate or evenfold\.check\.",
    ):
        s.report(tmp_path / "r.md", certificate=True)
    assert not list(tmp_path.iterdir())
