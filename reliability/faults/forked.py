"""Runs of the command in copies of this process, which has imported what most commands need.

A start takes most of the time of a small command. The copies skip it, so that more faults fit into
an hour. Nothing of evenfold has run in this process before.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import gc
import importlib
import os
import signal
import sys
import tempfile
import time
import traceback
import weakref
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from .processes import LONGEST, Done

IMPORTED = (
    "evenfold.cli.main",
    "evenfold.cli.writing",
    "evenfold.evaluation.evaluate_learners",
    "evenfold.files.formats.delimited",
    "evenfold.learn.binary_relevance",
    "evenfold.report.page",
    "evenfold.scale.make_split",
    "evenfold.splits.make_split",
    "email.parser",
    "encodings.cp437",
    "encodings.unicode_escape",
    "encodings.utf_8_sig",
    "evenfold.cli.evaluate",
    "evenfold.cli.result_writer",
    "evenfold.cli.split_writer",
    "fsspec.implementations.local",
    "jinja2",
    "matplotlib.pyplot",
    "matplotlib.backends.backend_svg",
    "mpl_toolkits.mplot3d",
    "numba",
    "pyarrow.csv",
    "pyarrow.parquet",
    "scipy.optimize",
    "scipy.sparse",
    "sklearn.tree",
)


_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Copy:
    """A copy of this process that runs a command."""

    def __init__(
        self,
        words: Sequence[str],
        folder: Path,
        variables: Mapping[str, str],
        before: Callable[[], object] = lambda: None,
    ) -> None:
        import_all()
        self._printed = [tempfile.TemporaryFile(), tempfile.TemporaryFile()]  # noqa: SIM115
        sys.stdout.flush()
        sys.stderr.flush()
        # A signal waits until the copy handles signals as a new process does.
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        self.pid = os.fork()
        self.code: int | None = None
        if not self.pid:
            numbers = [file.fileno() for file in self._printed]
            run_in_copy(words, folder, variables, before, numbers)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)

    def is_over(self, seconds: float) -> bool:
        """Wait, and tell whether it has ended."""
        end = time.monotonic() + seconds
        while self.code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.code = os.waitstatus_to_exitcode(status)
            elif time.monotonic() > end:
                return False
            else:
                time.sleep(0.002)
        return True

    def send(self, number: int) -> None:
        """Send it a signal; it has not been waited for, so its number is still its own."""
        os.kill(self.pid, number)

    def finish(self) -> Done:
        """Wait for the end; a copy that hangs is killed."""
        if not self.is_over(LONGEST):
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            return Done(-14, "", "it hung")
        printed = []
        for file in self._printed:
            file.seek(0)
            printed.append(file.read().decode(errors="replace"))
            file.close()
        return Done(self.code or 0, *printed)


def run_forked(
    words: Sequence[str],
    folder: Path,
    variables: Mapping[str, str],
    before: Callable[[], object] = lambda: None,
) -> Done:
    """Run a command in a copy of this process; `before` is called in it first."""
    return Copy(words, folder, variables, before).finish()


@functools.cache
def import_all() -> None:
    """Import what most commands need."""
    for name in IMPORTED:
        importlib.import_module(name)
    gc.freeze()  # so that the search for garbage does not write into the memory that copies share


def run_in_copy(
    words: Sequence[str],
    folder: Path,
    variables: Mapping[str, str],
    before: Callable[[], object],
    printed: Sequence[int],
) -> None:
    """Run the command and end the process; it must not go back to the code of its parent."""
    code = 1
    try:
        # What the parent will clean up at its end is not for its copy to remove.
        atexit._clear()
        weakref.finalize._registry.clear()
        weakref.finalize._registered_with_atexit = False
        for number, own in enumerate((os.open(os.devnull, os.O_RDONLY), *printed)):
            os.dup2(own, number)
        for name in ("stdin", "stdout", "stderr"):
            number = ("stdin", "stdout", "stderr").index(name)
            stream = open(number, "w" if number else "r", closefd=False, encoding="utf-8")  # noqa: SIM115
            setattr(sys, name, stream)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(variables)
        tempfile.tempdir = None
        for number in _SIGNALS:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
        sys.argv = ["evenfold", *words]
        from evenfold.cli.main import main

        before()
        main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
    except BaseException:
        traceback.print_exc()
    finally:
        with contextlib.suppress(BaseException):
            atexit._run_exitfuncs()
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)
