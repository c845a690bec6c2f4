"""Timing of jobs in turns; the minimum of several runs counts."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

Result = TypeVar("Result")

# A job that takes longer is repeated for the first seed only.
MAX_SECONDS_TO_REPEAT = 1.0
# A job that takes longer runs once, for the first seed.
MAX_SECONDS_OF_SEEDS = 3.0


class Runs(NamedTuple):
    """The seconds of a job, mean over seeds, and its result for each seed."""

    seconds: float
    results: list[object]


def time_in_turns(
    jobs: dict[str, Callable[[], object]],
    repeats: int = 5,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, float]:
    """Return the minimum seconds of each job. The jobs run in turns, so that load affects all."""
    least = dict.fromkeys(jobs, float("inf"))
    for _ in range(repeats):
        for name, job in jobs.items():
            gc.collect()
            start = clock()
            job()
            least[name] = min(least[name], clock() - start)
    return least


def read_children_seconds() -> float:
    """Return the processor time of all processes that this one has started and waited for."""
    return os.times().children_user + os.times().children_system


def run_in_turns(
    jobs: dict[str, Callable[[int], tuple[float, object]]], seeds: Sequence[int], repeats: int
) -> dict[str, Runs]:
    """Run jobs in turns for each seed, with fewer runs of slow jobs.

    A job returns its seconds and its result. The seconds of a seed are the minimum of its runs.
    """
    seconds: dict[str, list[float]] = {name: [] for name in jobs}
    results: dict[str, list[object]] = {name: [] for name in jobs}
    for seed in seeds:
        active = {
            name: job
            for name, job in jobs.items()
            if not seconds[name] or seconds[name][0] <= MAX_SECONDS_OF_SEEDS
        }
        least = dict.fromkeys(active, float("inf"))
        for number in range(repeats):
            for name, job in active.items():
                limit = MAX_SECONDS_TO_REPEAT if seconds[name] else MAX_SECONDS_OF_SEEDS
                if number and least[name] > limit:
                    continue
                taken, result = job(seed)
                least[name] = min(least[name], taken)
                if not number:
                    results[name].append(result)
        for name, taken in least.items():
            seconds[name].append(taken)
    return {name: Runs(sum(seconds[name]) / len(seconds[name]), results[name]) for name in jobs}


def time_job(job: Callable[..., Result], *arguments: object) -> tuple[float, Result]:
    """Return the seconds of processor time of a job, and its result."""
    gc.collect()
    start = time.process_time()
    result = job(*arguments)
    return time.process_time() - start, result


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
