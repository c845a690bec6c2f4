"""Blocks of shell lines: commands of evenfold in this process, everything else by bash."""

import os
import re
import shlex
import subprocess
import sys
from typing import NamedTuple

# Lines that change what the next lines see, or that span lines: bash runs the block as a whole.
NEEDS_ONE_SHELL = re.compile(
    r"^\s*(cd|export|source|set|for|if|while|function|mkdir|\w+=)\b|<<", re.MULTILINE
)
QUOTED = re.compile(r"'[^']*'|\"[^\"$`]*\"|\\.")
SHELL_SIGNS = set("|&;<>()$`*?[]{}~#")
EXIT_CODE = re.compile(r"\s+# exit code (\d+)$")


class Printed(NamedTuple):
    """A line of a block, what it printed, and its exit code."""

    line: str
    code: int
    stdout: str
    stderr: str


def run_shell(code, command, folder):
    """Run a block in a folder and return what its last line printed.

    A line that ends in `# exit code 1` must have that exit code, and all others 0.
    """
    if NEEDS_ONE_SHELL.search(code):
        return _run_by_bash("set -euo pipefail\n" + code, folder, 0)
    done = None
    for line in code.replace("\\\n", " ").splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            done = _run_line(line.strip(), command, folder)
    return done


def _run_line(line, command, folder):
    expected = EXIT_CODE.search(line)
    line = EXIT_CODE.sub("", line)
    line, wanted = re.sub(r"\s+# .*$", "", line), int(expected[1]) if expected else 0
    if not line.startswith("evenfold ") or SHELL_SIGNS & set(QUOTED.sub("", line)):
        return _run_by_bash(line, folder, wanted)
    done = command(*shlex.split(line)[1:])
    assert done.code == wanted, (line, done)
    return Printed(line, *done)


def _run_by_bash(code, folder, wanted):
    """Run lines in a new bash, where `evenfold` and `python` are those of this process."""
    programs = folder / ".programs"
    if not programs.exists():
        programs.mkdir()
        for name, words in (("evenfold", " -m evenfold"), ("python", "")):
            (programs / name).write_text(f'#!/bin/sh\nexec "{sys.executable}"{words} "$@"\n')
            (programs / name).chmod(0o755)
    path = os.pathsep.join([str(programs), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-c", code],
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == wanted, (code, done.stdout, done.stderr)
    return Printed(code, done.returncode, done.stdout, done.stderr)
