"""Timing of jobs in turns; the minimum of several runs counts."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from collections.abc import Callable


def time_in_turns(jobs: dict[str, Callable[[], object]], repeats: int = 5) -> dict[str, float]:
    """Return the minimum seconds of each job. The jobs run in turns, so that load affects all."""
    least = dict.fromkeys(jobs, float("inf"))
    for _ in range(repeats):
        for name, job in jobs.items():
            gc.collect()
            start = time.perf_counter()
            job()
            least[name] = min(least[name], time.perf_counter() - start)
    return least


def make_python_job(
    *arguments: str, folder: str | None = None
) -> Callable[[], subprocess.CompletedProcess[bytes]]:
    """Return a job that runs a new Python process with these arguments, in a folder."""
    # Without bytecode files, every start would compile the modules again.
    environment = {
        name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
    }
    return lambda: subprocess.run(
        [sys.executable, *arguments], check=True, capture_output=True, env=environment, cwd=folder
    )
