"""A fault at the n-th change of a file: a signal, an error of the system, or anything else."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .commands import Command
from .forked import run_forked
from .places import make_place

_CHANGES = {"open", "os.rename", "os.link", "os.mkdir", "os.chmod"}
_REMOVALS = {"os.remove", "os.rmdir"}


class Injector:
    """Counts the calls that change or open files in the folder of a command, and acts at one.

    Each call counts that opens, renames, links, removes or makes something below the working folder
    or TMPDIR, and each call of fsync.

    Parameters
    ----------
    number : int
        At which call it acts; 0 for never.
    act : callable
        What it does then.
    removals : bool, default=True
        Whether calls count that remove something.
    log : Path, optional
        A file that gets one byte for each call.
    """

    def __init__(
        self,
        number: int,
        act: Callable[[], object],
        *,
        removals: bool = True,
        log: Path | None = None,
    ) -> None:
        self._number = number
        self._act = act
        self._events = _CHANGES | _REMOVALS if removals else _CHANGES
        self._log = log
        self._count = 0

    def begin(self) -> None:
        """Begin to count, in the process of the command and in its folder."""
        roots = (os.getcwd(), os.environ["TMPDIR"])  # noqa: PTH109
        opened = None if self._log is None else os.open(self._log, os.O_WRONLY | os.O_CREAT)
        plain_fsync = os.fsync

        def tick() -> None:
            self._count += 1
            if opened is not None:
                os.write(opened, b".")
            if self._count == self._number:
                self._act()

        def hear(event: str, given: tuple[Any, ...]) -> None:
            if event not in self._events or isinstance(given[0], int):
                return
            if os.path.abspath(os.fsdecode(given[0])).startswith(roots):  # noqa: PTH100
                tick()

        def fsync(number: int) -> None:
            tick()
            plain_fsync(number)

        os.fsync = fsync
        sys.addaudithook(hear)


@functools.cache
def count_changes(command: Command, removals: bool = True) -> int:
    """Return how many calls of an undisturbed run an `Injector` counts."""
    with make_place(command) as place:
        log = place.folder.parent / "log"
        injector = Injector(0, lambda: None, removals=removals, log=log)
        run_forked(command.words.split(), place.folder, place.variables, injector.begin)
        return log.stat().st_size
