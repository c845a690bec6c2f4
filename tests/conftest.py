"""Fixtures that several test files share."""

import io
import os
import shlex
import signal
import sys
from typing import NamedTuple

import hypothesis
import pytest

# An example may take as long as it needs: the machine may be busy. The same examples in every run:
# a change that breaks nothing fails no test. `pytest --hypothesis-profile fresh` draws others.
hypothesis.settings.register_profile("evenfold", deadline=None, derandomize=True)
hypothesis.settings.register_profile("fresh", deadline=None)
hypothesis.settings.load_profile("evenfold")

# Windows has no such terminals, signals and locks.
collect_ignore = (
    [
        "_atomic/test_exchange.py",
        "_atomic/test_leftovers.py",
        "cli/test_scaled_terminal.py",
        "cli/test_signals.py",
        "cli/test_stopping.py",
        "report/test_audit_browser.py",
        "report/test_browser.py",
        "scale/test_driver_killed.py",
    ]
    if os.name == "nt"
    else []
)


class Done(NamedTuple):
    """The exit code of a command and what it printed."""

    code: int
    stdout: str
    stderr: str


@pytest.fixture
def command(monkeypatch, tmp_path, capfd):
    """Return a function that runs a command in this process and in the folder tmp_path.

    Its first argument is cut into words as by a shell; the others are one word each.
    """
    from evenfold.cli.main import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr("evenfold.cli.main.start_quickly", lambda: None)
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)

    def run(line, *words, stdin=b""):
        if os.name == "nt":  # a shell would take the backslashes of paths as escapes
            line = line.replace("\\", "/")
        monkeypatch.setattr(sys, "argv", ["evenfold", *shlex.split(line), *map(str, words)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        return Done(ended.value.code, *capfd.readouterr())

    return run
