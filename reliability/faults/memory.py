"""Limits of the address space that fall step by step."""

from __future__ import annotations

import functools
import random
import resource
from collections.abc import Iterator
from pathlib import Path

from .commands import Command, find
from .forked import run_forked
from .places import make_place
from .verdicts import Fault, Verdict, judge

NAMES = ("split -o file --force", "split -o folder, parquet", "evaluate -o --report --cache")
# What a command may take beyond what it has after its imports.
STEPS = (512, 256, 128, 64, 32, 16, 8, 4, 2, 1)


def list_faults(rng: random.Random) -> Iterator[Fault]:
    """Yield falling limits for three commands."""
    del rng
    for name in NAMES:
        for step in STEPS:
            inject = functools.partial(limit_memory, find(name), step)
            yield Fault("limit on memory", f"{name}, {step} MB more", inject)


def limit_memory(command: Command, step: int) -> Verdict:
    """Allow a command a number of megabytes after its imports."""

    def set_limit() -> None:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        limit = pages * resource.getpagesize() + (step << 20)
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))

    with make_place(command) as place:
        done = run_forked(command.words.split(), place.folder, place.variables, set_limit)
        return judge(place, done)
