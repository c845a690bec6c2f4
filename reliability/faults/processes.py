"""Processes of evenfold: how they are started, and what is left to read of them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

# No run of these small data takes as long, unless it hangs.
LONGEST = 600
ROOT = Path(__file__).parent.parent.parent
PLAIN = (sys.executable, "-m", "evenfold")


class Done(NamedTuple):
    """How a process ended, and what it printed."""

    code: int
    stdout: str
    stderr: str


def make_environment(temporary: Path, **others: str | None) -> dict[str, str]:
    """Return the variables of a child: the sources of this folder, and a TMPDIR of its own."""
    variables: dict[str, str | None] = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)]),
        "PYTHONDONTWRITEBYTECODE": "1",
        "SOURCE_DATE_EPOCH": "1700000000",  # so that two reports of one split are equal
        "TMPDIR": str(temporary),
        "COLUMNS": "100",
        **others,
    }
    return {name: value for name, value in variables.items() if value is not None}


def start(
    words: Sequence[str],
    folder: Path,
    variables: Mapping[str, str],
    *,
    launcher: Sequence[str] = PLAIN,
    **others: Any,
) -> subprocess.Popen[str]:
    """Start a command in a folder."""
    return subprocess.Popen(
        [*launcher, *words],
        cwd=folder,
        env=dict(variables),
        **{
            "stdin": subprocess.DEVNULL,
            "stdout": subprocess.PIPE,
            "stderr": subprocess.PIPE,
            "text": True,
            **others,
        },
    )


def finish(process: subprocess.Popen[str]) -> Done:
    """Wait for a process; one that hangs is killed, and has the code of SIGALRM."""
    try:
        stdout, stderr = process.communicate(timeout=LONGEST)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return Done(-14, "", "it hung")
    return Done(process.returncode, stdout or "", stderr or "")


def run(words: Sequence[str], folder: Path, variables: Mapping[str, str], **others: Any) -> Done:
    """Start a command in a folder, and wait for it."""
    return finish(start(words, folder, variables, **others))
