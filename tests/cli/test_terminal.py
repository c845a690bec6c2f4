"""Sentences on a terminal of 80 columns."""

import pytest

from evenfold.cli.progress import show_progress
from evenfold.cli.terminal import fit

from ..files.made_files import write_csv

COMMANDS = [
    "split data.csv --labels genres --folds 2 --groups id --method random --order 2",
    "split data.csv --labels 'title' --folds 2",
    "split data.csv --labels '*' --folds 2 --groups patient --balance age",
    "split data.csv --labels 'genres:nothing' --folds 2",
    "split data.csv --labels genres --parts 80,15",
    "check data.csv --labels genres --part-column part --max-off-rows 0 --max-excess 0",
    "extend data.csv --labels genres --new new.csv -o out.csv --parts 50,50",
    "extend data.csv --new data.csv --part-column no",
    "info data.csv --labels genres --groups id --folds 7",
    "info long_names.csv --labels '*'",
    "split data.csv --labels genres --folds 2 --method evn",
    "split data.csv --labels genres --fold 2",
    "compare data.csv --labels genres --folds 2 --method even,random -o table.csv",
    "sample data.csv --labels genres -n 10 --groups id --json",
]


@pytest.mark.parametrize("words", COMMANDS)
def test_what_is_printed_fits_80_columns(words, command, tmp_path, monkeypatch):
    """Tables, remarks, verdicts and errors; words are not cut."""
    write_csv(tmp_path / "data.csv", extra=("part", ["train", "train", "test", "train"] * 10))
    write_csv(tmp_path / "new.csv", rows=range(7))
    header = ",".join(f"name of column {number}" for number in range(9))
    (tmp_path / "long_names.csv").write_text(f"{header}\n" + "0,1,0,1,0,1,0,1,1\n" * 4)
    plain = command(words)
    (tmp_path / "out.csv").unlink(missing_ok=True)
    (tmp_path / "table.csv").unlink(missing_ok=True)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("evenfold.cli.terminal.sys", FakeTerminal)
    done = command(words)
    lines = [*done.stderr.splitlines(), *([] if "--json" in words else done.stdout.splitlines())]
    assert max(map(len, lines)) <= 80
    assert done.stderr.split() == plain.stderr.split()
    assert done.stdout.split()[:5] == plain.stdout.split()[:5]


class FakeTerminal:
    """What stands for `sys` where stdout and stderr are a terminal."""

    class stderr:  # noqa: N801 - as in sys
        """A terminal."""

        isatty = staticmethod(lambda: True)

    stdout = stderr


def test_checks_fit_80_columns(command, tmp_path, monkeypatch):
    """A check that takes several lines goes on below its text; the verdict is one line."""
    write_csv(tmp_path / "data.csv")
    command("split data.csv --labels genres --folds 8 -o folds.csv --manifest split.json")
    plain = command("check folds.csv --from-manifest split.json").stdout
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("evenfold.cli.terminal.sys", FakeTerminal)
    shown = command("check folds.csv --from-manifest split.json").stdout
    assert max(map(len, plain.splitlines())) > 80
    assert max(map(len, shown.splitlines())) <= 80
    assert shown.split() == plain.split()
    assert "\n       " in shown
    assert shown.splitlines()[-1] == plain.splitlines()[-1]


def test_text_for_programs_is_not_broken(monkeypatch):
    """In a file or a pipe, a sentence is one line; a path without blanks is never broken."""
    text = "word " * 40
    assert fit(text) == text
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setattr("evenfold.cli.terminal.sys", FakeTerminal)
    path = "/" + "folder/" * 20
    assert fit(f"{text}\n{path}").splitlines()[-1] == path
    assert max(map(len, fit(text).splitlines())) <= 80


@pytest.mark.parametrize(
    ("environment", "is_drawn"),
    [
        ({"TERM": "xterm"}, True),
        ({"TERM": "dumb"}, False),
        ({"TERM": "xterm-color", "JPY_PARENT_PID": "7"}, False),
    ],
)
def test_a_bar_is_drawn_only_where_it_can_be_drawn_over(environment, is_drawn, monkeypatch):
    """The cell of a notebook has a terminal, but keeps each state of the bar."""
    monkeypatch.delenv("JPY_PARENT_PID", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("evenfold.cli.progress.sys", FakeTerminal)
    with show_progress("splitting", quiet=False) as draw:
        assert (draw is not None) == is_drawn
    with show_progress("splitting", quiet=True) as draw:
        assert draw is None
