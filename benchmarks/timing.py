"""Fair timing: interleaved, in one process, the least of several runs."""

from __future__ import annotations

import gc
import subprocess
import sys
import time
from collections.abc import Callable


def time_together(jobs: dict[str, Callable[[], object]], repeats: int = 5) -> dict[str, float]:
    """Return the least seconds of each job, run in turns so that a slow minute hits all of them."""
    least = dict.fromkeys(jobs, float("inf"))
    for _ in range(repeats):
        for name, job in jobs.items():
            gc.collect()
            start = time.perf_counter()
            job()
            least[name] = min(least[name], time.perf_counter() - start)
    return least


def time_python(*arguments: str, repeats: int = 9) -> Callable[[], object]:
    """Return a job that starts a fresh Python with these arguments."""
    import os

    environment = {
        name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"
    }
    return lambda: subprocess.run(
        [sys.executable, *arguments], check=True, capture_output=True, env=environment
    )
