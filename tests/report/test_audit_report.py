"""Reports of audits: safe whatever the names, the same in every form."""

import json

import numpy as np
import pytest
from markdown_it import MarkdownIt

import evenfold
from evenfold.exceptions import InputError

from .test_report import NAMES, SCRIPT, Page

N_ROWS = 280
Y = [[NAMES[at % 14], NAMES[(at * 5 + 1) % 14]] for at in range(N_ROWS)]
PARTS = [NAMES[0] if at % 3 else NAMES[7] for at in range(N_ROWS)]


@pytest.fixture(scope="module")
def audit():
    """An audit with problems, in data with wild names."""
    return evenfold.audit(
        Y,
        PARTS,
        groups={name: np.arange(N_ROWS) // (2 + at) for at, name in enumerate(NAMES[:4])},
        copies=[f"{NAMES[at % 14]} {at % 200}" for at in range(N_ROWS)],
        ids=[f"{NAMES[at % 14]} {at % 250}" for at in range(N_ROWS)],
    )


def test_page_is_safe_and_whole(audit, tmp_path):
    """Names are escaped, and the page allows no script but its own."""
    audit.report(tmp_path / "audit.html", title=SCRIPT, call="evenfold audit a.csv b.csv")
    text = (tmp_path / "audit.html").read_text(encoding="utf-8")
    page = Page(text)
    tags = [tag for tag, _ in page.elements]
    assert tags.count("script") == 1
    assert not any(name == "style" for _, attrs in page.elements for name in attrs)
    assert not {"img", "iframe", "object", "link"} & set(tags)
    assert "evenfold audit a.csv b.csv" in text
    seen = " ".join(page.texts)
    for heading in ("Checks", "Matches between parts", "Evenness", "How it was made"):
        assert heading in seen
    assert "problems" in seen


def test_forms_show_the_same_findings(audit, tmp_path):
    """JSON has what the page shows, Markdown has a table of the checks."""
    for suffix in ("html", "md", "json"):
        audit.report(tmp_path / f"audit.{suffix}")
    record = json.loads((tmp_path / "audit.json").read_text(encoding="utf-8"))
    assert record["format"] == "evenfold audit"
    assert len(record["checks"]) == len(audit.findings)
    assert record["title"] == "280 rows in 2 parts"
    assert record["evenness"]["verdict"]["headline"]
    markdown = (tmp_path / "audit.md").read_text(encoding="utf-8")
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown)
    assert not any(token.type.startswith("html") for token in tokens)
    html = (tmp_path / "audit.html").read_text(encoding="utf-8")
    assert html.count("✗ problem") == markdown.count("✗ problem") == len(audit.problems)


def test_report_is_the_same_each_time(audit, tmp_path):
    """The same audit gives the same bytes."""
    for suffix in ("html", "md", "json"):
        audit.report(tmp_path / f"first.{suffix}")
        audit.report(tmp_path / f"second.{suffix}")
        first, second = (tmp_path / f"{name}.{suffix}" for name in ("first", "second"))
        assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize("suffix", ["html", "md", "json"])
def test_audit_without_labels_has_a_report(suffix, tmp_path):
    """There is no section on evenness then."""
    path = tmp_path / f"audit.{suffix}"
    evenfold.audit(None, ["train", "test"] * 5, copies=list("abcdefghij")).report(path)
    text = path.read_text(encoding="utf-8")
    assert "No problem found in what was checked" in text
    assert "Evenness" not in text
    evenfold.audit(None, ["train", "test"] * 5).report(path)
    assert "Nothing was checked" in path.read_text(encoding="utf-8")


def test_other_suffixes_are_refused(audit, tmp_path):
    """And nothing is written."""
    with pytest.raises(InputError, match=r"must end in \.html, \.md or \.json, got .*audit\.pdf"):
        audit.report(tmp_path / "audit.pdf")
    assert list(tmp_path.iterdir()) == []
