"""Fixtures that several test files share."""

import io
import signal
import sys
from typing import NamedTuple

import pytest


class Done(NamedTuple):
    """The exit code of a command and what it printed."""

    code: int
    stdout: str
    stderr: str


@pytest.fixture
def command(monkeypatch, tmp_path, capfd):
    """Return a function that runs a command in this process, with tmp_path as the folder it is run in."""
    from evenfold.cli.main import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)

    def run(*words, stdin=b""):
        monkeypatch.setattr(sys, "argv", ["evenfold", *map(str, words)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capfd.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        return Done(ended.value.code, *capfd.readouterr())

    return run
