"""Runs work in children of this process, on a copy of the tree.

This process has imported what the tests need, but nothing of evenfold. So a child starts fast and
imports evenfold as the copy has it. It may use only so much processor time and memory.
"""

from __future__ import annotations

import importlib
import os
import resource
import shutil
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

PRELOADED = (
    "coverage",
    "hypothesis.extra.numpy",
    "joblib",
    "numba",
    "numpy",
    "pandas",
    "pyarrow.parquet",
    "pytest",
    "scipy.optimize",
    "scipy.sparse.csgraph",
    "sklearn.model_selection",
)
NOT_COPIED = shutil.ignore_patterns(
    ".git", ".venv*", ".hypothesis", ".*_cache", ".cache", "build", "dist"
)
MOST_MEMORY = 8 * 2**30
# Tests that wait for other processes use no processor time: they are stopped by the clock, after
# this time and this many seconds for each second that they may use.
MOST_WAITING = 120.0
PATIENCE = 20
FAILED_ITSELF = 70


def copy_tree(root: Path, tree: Path) -> None:
    """Copy what the tests need into a new folder, with the kernels that are compiled already."""
    shutil.copytree(root, tree, ignore=NOT_COPIED)


def preload(tree: Path, names: Sequence[str]) -> None:
    """Import other packages; this process and its children find evenfold in the copy."""
    for name in names:
        importlib.import_module(name)
    loaded = {name.partition(".")[0] for name in sys.modules}
    assert not loaded & {"evenfold", "tests"}, "they must be imported from the copy"
    sys.path[:0] = [str(tree / "src"), str(tree)]
    os.environ["PYTHONPATH"] = os.pathsep.join([str(tree / "src"), str(tree)])


def run_child(
    work: Callable[[], int], most_seconds: float | None = None, log: Path | None = None
) -> int | None:
    """Return the exit code of some work in a child, minus its signal, or None if it took too long.

    What the child prints goes into the log. It may not print if there is none.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        code = FAILED_ITSELF
        try:
            prepare_child(most_seconds, log)
            code = work()
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    return wait_for_child(child, most_seconds)


def prepare_child(most_seconds: float | None, log: Path | None) -> None:
    """Give a child its output, its limits and a group of its own."""
    os.setsid()
    if log is not None:
        output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        for stream in (1, 2):
            os.dup2(output, stream)
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if most_seconds is not None:
        most = int(most_seconds) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (most, most + 5))


def wait_for_child(child: int, most_seconds: float | None) -> int | None:
    """Return the exit code of a child, or None if it was stopped because it took too long."""
    started = time.monotonic()
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            code = os.waitstatus_to_exitcode(status)
            return None if code in (-signal.SIGXCPU, -signal.SIGKILL) else code
        waited = time.monotonic() - started
        if most_seconds is not None and waited > MOST_WAITING + PATIENCE * most_seconds:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return None
        time.sleep(0.01)


def turn_compiler_off(note: Callable[[str], None] = lambda _: None) -> None:
    """Run all kernels as plain Python, and note the file of each one that is used.

    A changed kernel would have to be compiled.
    """
    from evenfold._kernels import compiler

    def get_function(kernel: Any) -> Any:
        function = kernel.__dict__["function"]
        note(function.__code__.co_filename)
        return function

    def set_function(kernel: Any, function: Any) -> None:
        kernel.__dict__["function"] = function

    compiler.Kernel.function = property(get_function, set_function)
    compiler.Kernel.compiled = property(get_function)
