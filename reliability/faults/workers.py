"""Worker processes that are killed while learners are evaluated."""

from __future__ import annotations

import contextlib
import functools
import os
import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path

from .commands import find
from .forked import import_all
from .places import make_place
from .processes import finish, start
from .verdicts import Fault, Verdict, judge

COMMAND = find("evaluate -o --report --cache")
COMMAND = COMMAND._replace(words=f"{COMMAND.words} --jobs 2 --repeats 4")


def list_faults(rng: random.Random) -> Iterator[Fault]:
    """Yield kills of the first worker, soon and later after it has started."""
    for _ in range(4):
        seconds = rng.random() * 2
        inject = functools.partial(kill_worker, seconds)
        yield Fault("worker killed", f"evaluate --jobs 2, {seconds:.2f} s after its start", inject)


def kill_worker(seconds: float) -> Verdict:
    """Kill a worker some time after it has started."""
    import_all()
    with make_place(COMMAND) as place:
        process = start(COMMAND.words.split(), place.folder, place.variables)
        while process.poll() is None:
            if workers := list_workers(process.pid):
                time.sleep(seconds)
                with contextlib.suppress(ProcessLookupError):
                    os.kill(workers[0], signal.SIGKILL)
                break
            time.sleep(0.01)
        return judge(place, finish(process))


def list_workers(pid: int) -> list[int]:
    """Return the processes that a process has started to fit learners."""
    found = []
    with contextlib.suppress(OSError):
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            if b"popen_loky" in Path(f"/proc/{child}/cmdline").read_bytes():
                found.append(int(child))
    return found
