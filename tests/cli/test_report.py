"""`--report`: reports from the command line."""

import json

import pytest

MOVIES = "id,genres,director,fold\n" + "".join(
    f"{at},{['ab', 'a', 'b', 'c', 'a', 'ab'][at % 6]},{at // 2},{'x' if at % 3 else 'y'}\n"
    for at in range(60)
)


@pytest.fixture
def data(tmp_path):
    """A small table with labels, groups and a part column."""
    (tmp_path / "movies.csv").write_text(MOVIES, encoding="utf-8")


SPLIT = (
    "split",
    "movies.csv",
    "--labels",
    "genres",
    "--folds",
    "3",
    "--groups",
    "director",
    "--balance",
    "fold",
)
CHECK = (
    "check",
    "movies.csv",
    "--labels",
    "genres",
    "--part-column",
    "fold",
    "--groups",
    "director",
)


@pytest.mark.parametrize("suffix", ["html", "md", "json"])
def test_split_writes_a_report(data, command, tmp_path, suffix):
    """Its suffix gives its format, and it shows the command."""
    done = command(*SPLIT, "-o", "out.csv", "--report", f"r.{suffix}")
    assert done.code == 0
    assert f"Written: out.csv, r.{suffix}" in done.stderr
    text = (tmp_path / f"r.{suffix}").read_text(encoding="utf-8")
    assert "evenfold split movies.csv --labels genres --folds 3" in text
    assert "30 groups, none in more than one part." in text


def test_the_report_is_that_of_the_split(data, command, tmp_path):
    """The same numbers that --json prints."""
    done = command(*SPLIT, "--report", "r.json", "--json", "--seed", "4")
    printed, written = json.loads(done.stdout), json.loads((tmp_path / "r.json").read_bytes())
    assert written["title"] == "movies.csv"
    assert [part["rows"] for part in written["parts"]] == printed["sizes"]
    assert written["origin"]["random_state"] == 4
    assert written["origin"]["fingerprint"] == printed["fingerprint"]
    assert (
        next(line["value"] for line in written["measures"] if line["key"] == "rld")
        == printed["quality"]["rld"]
    )
    assert written["balance"][0]["column"] == "fold"
    assert written["comparison"] is None


def test_the_report_has_the_date_and_what_was_checked(data, command, tmp_path, monkeypatch):
    """Of `split` and `check`; the date is that of builds if it is set."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1743379200")
    for words, state in ((SPLIT, "ok"), (CHECK, "problem")):
        command(*words, "--id", "id", "--report", "r.json", "--force")
        written = json.loads((tmp_path / "r.json").read_bytes())
        assert written["origin"]["date"] == "2025-03-31"
        states = {own["check"]: own["state"] for own in written["checks"]}
        assert states == {"director": state, "ids": "ok", "copies": "not checked"}


def test_compare_puts_every_method_into_the_report(data, command, tmp_path):
    """With the same groups and seed; without a report it is refused."""
    assert command(*SPLIT, "--report", "r.json", "--compare").code == 0
    methods = [
        own["method"]
        for own in json.loads((tmp_path / "r.json").read_bytes())["comparison"]["methods"]
    ]
    assert methods[:2] == ["even", "iterative"]
    assert "random" in methods
    done = command(*SPLIT, "--compare")
    assert done.code == 2
    assert "--compare is for the report. Name one with --report FILE" in done.stderr


def test_check_writes_a_report_and_what_failed(data, command, tmp_path):
    """The failures are in the report."""
    done = command(*CHECK, "--report", "r.json", "--max-excess", "0.01")
    assert done.code == 1
    report = json.loads((tmp_path / "r.json").read_bytes())
    assert report["groups"]["straddling"] == 20
    assert report["notes"][0].startswith("20 groups are in more than one part, first")
    assert len(report["notes"]) == 2
    assert report["origin"]["call"].startswith("evenfold check movies.csv")
    assert report["origin"]["method"] is None


@pytest.mark.parametrize("words", [SPLIT, CHECK], ids=["split", "check"])
def test_a_report_is_never_overwritten_unasked(data, command, tmp_path, words):
    """Refused before anything is read; --force replaces it."""
    (tmp_path / "r.html").write_text("mine")
    done = command(*words, "--report", "r.html")
    assert done.code == 2
    assert (
        "r.html: exists already. Name another file, or add --force to overwrite it." in done.stderr
    )
    assert (tmp_path / "r.html").read_text() == "mine"
    command(*words, "--report", "r.html", "--force")
    assert (tmp_path / "r.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


@pytest.mark.parametrize("words", [SPLIT, CHECK], ids=["split", "check"])
def test_a_report_of_another_kind_is_refused(data, command, words):
    """The suffix must be that of a report."""
    done = command(*words, "--report", "r.pdf")
    assert done.code == 2
    assert "--report r.pdf: must end in .html, .md or .json." in done.stderr


def test_the_input_is_never_the_report(data, command, tmp_path):
    """Not even with --force: a record of a split is a .json file too."""
    command(*SPLIT, "--manifest", "m.json")
    before = (tmp_path / "m.json").read_bytes()
    done = command("check movies.csv --labels genres --manifest m.json --report m.json --force")
    assert done.code == 2
    assert "m.json: is the input, which is never written." in done.stderr
    assert (tmp_path / "m.json").read_bytes() == before


def test_extend_writes_a_report_too(command, tmp_path):
    """The report is about all rows, old and new."""
    rows = MOVIES.replace("5,y", "5,").splitlines()
    (tmp_path / "movies.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    done = command("extend movies.csv --labels genres --part-column fold --report r.md")
    assert done.code == 0, done.stderr
    assert (tmp_path / "r.md").read_text(encoding="utf-8").startswith("# movies.csv\n")
