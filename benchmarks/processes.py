"""Processor time and memory of a process and all its descendants, from /proc (Linux)."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import numpy as np

_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
_SECONDS_BETWEEN_SAMPLES = 0.5


class Watched(NamedTuple):
    """What a finished process printed, and the peak memory and disk of it and its descendants.

    `shared_out` counts a page of n processes as one n-th in each of them (PSS), `resident` as one
    in each (RSS). Both are sums over all processes at one time, in bytes. `disk` is the size of
    the files in the folder it writes.
    """

    output: str
    shared_out: int
    resident: int
    disk: int


def run_watched(command: Sequence[str], folder: Path, written: Path | None = None) -> Watched:
    """Run a command in a folder, and sample memory and the folder it writes until it ends."""
    peaks = np.zeros(2, np.int64)
    disk = 0
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        # The output is one short line, which the pipe holds until it is read.
        while process.poll() is None:
            own = np.sum([_read_memory(number) for number in find_tree(process.pid)], axis=0)
            peaks = np.maximum(peaks, own)
            disk = max(disk, count_bytes(written))
            time.sleep(_SECONDS_BETWEEN_SAMPLES)
        output = process.stdout.read() if process.stdout else ""
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command, output)
    return Watched(output, *peaks.tolist(), disk)


def count_bytes(folder: Path | None) -> int:
    """Return the size of all files in a folder, 0 if it is not there."""
    n_bytes = 0
    for path, _, names in os.walk(folder) if folder else ():
        for name in names:
            # Temporary files may be renamed meanwhile.
            with suppress(OSError):
                n_bytes += (Path(path) / name).stat().st_size
    return n_bytes


def find_tree(root: int) -> list[int]:
    """Return the numbers of a process and all its descendants."""
    children: dict[int, list[int]] = {}
    for path in Path("/proc").iterdir():
        if path.name.isdigit() and (fields := _read_stat(int(path.name))):
            children.setdefault(int(fields[1]), []).append(int(path.name))
    tree = [root]
    for number in tree:
        tree.extend(children.get(number, ()))
    return tree


def read_processor_seconds(root: int) -> float:
    """Return the processor time of a process and its descendants, also of those that ended."""
    ticks = 0
    for number in find_tree(root):
        if fields := _read_stat(number):
            # utime, stime, and those of children that ended and were waited for.
            ticks += sum(map(int, fields[11:15]))
    return ticks / _TICKS_PER_SECOND


def _read_stat(number: int) -> list[str]:
    """Return the fields of a process from its state on, none if it has ended."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return []


def _read_memory(number: int) -> tuple[int, int]:
    """Return PSS and RSS of a process in bytes, 0 if it has ended."""
    try:
        lines = Path(f"/proc/{number}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0, 0
    sizes = {line.split(":")[0]: line.split()[1] for line in lines[1:]}
    return int(sizes.get("Pss", 0)) * 1024, int(sizes.get("Rss", 0)) * 1024


class PassClock:
    """Wall and processor time of each pass, as the argument `progress` of a split.

    A pass tells its progress when it begins and when it ends. What is between two passes is kept
    as "after" the first of them.
    """

    def __init__(self) -> None:
        self.passes: dict[str, dict[str, float]] = {}
        self._last = ""
        self._begin = self._read()

    def __call__(self, name: str, n_done: int, n_all: int) -> None:
        """Add the time since the last call to the pass, or to what was before it."""
        self._add(name if name == self._last else self._name_between())
        self._last = name

    def finish(self) -> None:
        """Add the time since the last pass."""
        self._add(self._name_between())

    def _name_between(self) -> str:
        return f"after {self._last}" if self._last else "start"

    def _add(self, name: str) -> None:
        end = self._read()
        own = self.passes.setdefault(name, dict.fromkeys(end, 0.0))
        for key in own:
            own[key] += end[key] - self._begin[key]
        self._begin = end

    @staticmethod
    def _read() -> dict[str, float]:
        return {"wall": time.perf_counter(), "CPU": read_processor_seconds(os.getpid())}
