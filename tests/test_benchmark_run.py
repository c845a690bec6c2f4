"""The runner of `make bench`: which sections it measures, and what it leaves in the file."""

import json
import subprocess
from types import SimpleNamespace

import pytest
from benchmarks import records, run
from benchmarks.page_tables.own import make_runs
from benchmarks.pages import read_records


@pytest.fixture
def measured(monkeypatch):
    """The sections that were measured, in place of processes; those in `failing` end with 1."""
    own = SimpleNamespace(names=[], failing=set())

    def measure(command, check):
        given = dict(zip(command[3::2], command[4::2], strict=True))
        name = given["--only"]
        own.names.append(name)
        if name in own.failing:
            return subprocess.CompletedProcess(command, 1)
        if "--json" in given:
            records.write_records(run.Path(given["--json"]), name, [{"time": 1.0}], ["numpy"])
        return subprocess.CompletedProcess(command, 0)

    monkeypatch.setattr(run.subprocess, "run", measure)
    monkeypatch.setattr(records, "run_git", lambda *_: "0123abc")
    return own


def start(monkeypatch, *words):
    """Run the command line."""
    monkeypatch.setattr(run.sys, "argv", ["run.py", *map(str, words)])
    run.main()


def test_a_whole_run_replaces_the_file(tmp_path, monkeypatch, measured):
    """All sections are in it, each with its revision; nothing of the old one is left."""
    path = tmp_path / "results.json"
    path.write_text('{"sections": {"old": {}}}')
    start(monkeypatch, "--data", tmp_path, "--json", path)
    sections = json.loads(path.read_text())["sections"]
    assert list(sections) == list(run.SECTIONS) == measured.names
    assert {own["revision"] for own in sections.values()} == {"0123abc, changed"}
    assert [own.name for own in tmp_path.iterdir()] == ["results.json"]


def test_a_failed_section_fails_the_run_and_the_others_are_kept(tmp_path, monkeypatch, measured):
    """The file is not replaced; a resumed run measures only what is missing, and replaces it."""
    path = tmp_path / "results.json"
    path.write_text('{"sections": {"old": {}}}')
    measured.failing = {"peers"}
    words = ("--data", tmp_path, "--json", path)
    with pytest.raises(SystemExit, match=r"Failed: peers\. The others are in .*results\.new\.json"):
        start(monkeypatch, *words)
    assert json.loads(path.read_text()) == {"sections": {"old": {}}}
    assert measured.names == list(run.SECTIONS)
    measured.names, measured.failing = [], set()
    start(monkeypatch, *words, "--resume")
    assert measured.names == ["peers"]
    assert set(json.loads(path.read_text())["sections"]) == set(run.SECTIONS)


def test_a_new_run_does_not_keep_the_sections_of_a_stopped_one(tmp_path, monkeypatch, measured):
    """Without --resume, all sections are measured again."""
    path = tmp_path / "results.json"
    records.write_records(tmp_path / "results.new.json", "pairs", [{"time": 2.0}], ["numpy"])
    start(monkeypatch, "--data", tmp_path, "--json", path)
    assert measured.names == list(run.SECTIONS)


def test_chosen_sections_replace_those_of_the_file(tmp_path, monkeypatch, measured):
    """The other sections stay as they are."""
    path = tmp_path / "results.json"
    path.write_text('{"sections": {"old": {}, "pairs": {}}}')
    start(monkeypatch, "--only", "pairs,large", "--json", path)
    sections = json.loads(path.read_text())["sections"]
    assert list(sections) == ["old", "pairs", "large"]
    assert sections["old"] == {}
    assert sections["pairs"]["records"] == [{"time": 1.0}]


def test_sections_that_need_data_are_not_measured_without(monkeypatch, measured, capsys):
    """The run says which."""
    start(monkeypatch)
    assert "groups" not in measured.names
    assert "default" in measured.names
    assert "Not measured, because they need --data: packages, groups" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--json", "a.json"], "--json needs --data, for the sections packages, groups"),
        (["--resume"], "--resume needs --json, and no --only"),
        (["--only", "pear"], "--only 'pear' is not one of packages, default"),
        (["--sets", "pear"], "--sets 'pear' is not one of emotions"),
    ],
)
def test_wrong_options_end_the_run(monkeypatch, capsys, words, message):
    """Before anything is measured."""
    with pytest.raises(SystemExit):
        start(monkeypatch, *words)
    assert message in capsys.readouterr().err


def test_a_single_section_is_measured_here_and_recorded(tmp_path, monkeypatch):
    """With the call that measures it again, without folders, and with seeds and versions."""
    path = tmp_path / "results.json"
    section = run.Section(lambda settings: [{"seeds": len(settings.seeds)}], ["pyarrow"])
    monkeypatch.setitem(run.SECTIONS, "pairs", section)
    start(monkeypatch, "--only", "pairs", "--data", tmp_path, "--seeds", 2, "--json", path)
    record = json.loads(path.read_text())["sections"]["pairs"]
    assert record["records"] == [{"seeds": 2}]
    assert record["call"] == "python -m benchmarks.run --only pairs --data DIR --seeds 2"
    assert {"date", "revision", "machine", "python", "numpy", "pyarrow"} <= set(record)
    assert str(tmp_path) not in path.read_text()


def test_the_page_shows_sections_of_other_revisions():
    """One row for each revision; a section that was measured alone is named."""
    section = {
        "date": "2026-11-19 18:00 UTC",
        "revision": "aaaaaaa",
        "tree of src/evenfold": "ccccccc",
        "machine": "1 of 2 cores",
        "python": "3.11",
        "numpy": "2.4",
        "seconds": 60,
    }
    both = {"results": {"sections": {"pairs": section, "large": section}}}
    assert "| aaaaaaa | ccccccc | 1 of 2 cores | 3.11 | 2.4 | all 2 |" in make_runs(both)
    both["results"]["sections"]["large"] = section | {"revision": "bbbbbbb"}
    rows = make_runs(both).splitlines()[2:4]
    assert rows[0] == "| 2026-11-19 | aaaaaaa | ccccccc | 1 of 2 cores | 3.11 | 2.4 | `pairs` |"
    assert rows[1] == "| 2026-11-19 | bbbbbbb | ccccccc | 1 of 2 cores | 3.11 | 2.4 | `large` |"


def test_all_sections_are_recorded():
    """The file of this repository has each section of the runner, and no other."""
    sections = read_records()["results"]["sections"]
    assert set(sections) == set(run.SECTIONS)
    assert all(own["records"] for own in sections.values())
