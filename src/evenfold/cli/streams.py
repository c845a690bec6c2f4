"""Standard streams that are closed or full."""

from __future__ import annotations

import os
import sys


def reopen_closed_streams() -> None:
    """Open streams that are closed, so that no other file gets their numbers.

    Reading and writing them fails, as it would if they were closed: stdin can only be written,
    stdout only be read. Messages on a closed stderr are lost.
    """
    for number, flags in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, flags)  # gets the lowest free number, which is this one
    # A stream must not close its number when it is collected.
    if sys.stdin is None:
        sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    if sys.stdout is None:
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)


def drop_stdout() -> None:
    """Drop what could not be written to stdout, which Python would try again when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
