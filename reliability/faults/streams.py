"""Standard streams that are closed, full, or read by nobody, with real processes."""

from __future__ import annotations

import functools
import random
import subprocess
from collections.abc import Iterator

from .commands import Command, find
from .places import make_place, measure
from .processes import PLAIN, Done, make_environment
from .verdicts import Fault, Verdict, judge

COMMAND = find("split -o file --force")
REDIRECTIONS = (">&-", ">/dev/full", "2>&-", "2>/dev/full", ">&- 2>&-", "| true", "<&-")
MORE = ("--json", "--json -q", "")


def list_faults(rng: random.Random) -> Iterator[Fault]:
    """Yield each redirection of a command that prints a table, an object, or both."""
    del rng
    for redirection in REDIRECTIONS:
        for more in MORE:
            title = f"split {more} {redirection}"
            inject = functools.partial(redirect, redirection, more)
            yield Fault("closed or full streams", title, inject)


def redirect(redirection: str, more: str) -> Verdict:
    """Run a command in a shell that redirects its streams."""
    command = Command(
        f"{COMMAND.name} {more}",
        f"{COMMAND.words.replace(' -q', '')} {more}",
        COMMAND.outputs,
        COMMAND.earlier,
    )
    measure(command)
    with make_place(command) as place:
        line = f'"$@" {redirection}; exit ${{PIPESTATUS[0]}}'
        done = subprocess.run(
            ["bash", "-c", line, "bash", *PLAIN, *command.words.split()],
            cwd=place.folder,
            env=make_environment(place.temporary),
            capture_output=True,
            text=True,
            check=False,
        )
        message = done.stderr
        if "2>" in redirection and done.returncode == 1:
            message = "evenfold: (nobody can read what is said)"
        if "|" in redirection and done.returncode == 1:
            message = "evenfold: (its reader has closed the pipe)"
        return judge(place, Done(done.returncode, done.stdout, message), may_be_done=True)
