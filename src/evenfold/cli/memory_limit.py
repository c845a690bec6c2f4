"""The option --max-memory: data that needs more memory is refused before it is taken."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import click

from .option_types import MemorySize

_KEY = "evenfold.max_memory"
_ROOT = Path("/")
# Files of a control group: how much its processes may take, take, and what of that are files that
# can be dropped. Version 2, then version 1.
_FILES_OF_VERSION = {
    2: ("memory.max", "memory.current", "inactive_file"),
    1: ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"),
}


def _keep(ctx: click.Context, param: click.Parameter, value: int | None) -> None:
    ctx.meta[_KEY] = value


max_memory_option = click.option(
    "--max-memory",
    type=MemorySize(),
    metavar="SIZE",
    expose_value=False,
    callback=_keep,
    help="Refuse data that surely needs more memory than this, such as 8G or 500M, before it is "
    "taken. Default: what the machine has available.",
)


def find_limit(ctx: click.Context) -> int | None:
    """Return how many bytes a command may take; None if nothing is known, or if it reads nothing.

    A command that reads data has the option, given or not.
    """
    if _KEY not in ctx.meta:
        return None
    given: int | None = ctx.meta[_KEY]
    return find_available() if given is None else given


def find_available(root: Path = _ROOT) -> int | None:
    """Return how much memory can be taken on this machine, or in this container; None if unknown.

    Parameters
    ----------
    root : Path, default=Path("/")
        The folder that has `proc` and `sys`.
    """
    found = [*_read_meminfo(root), *_read_control_groups(root), *_read_resource_limit(root)]
    if not found and hasattr(os, "sysconf") and "SC_PHYS_PAGES" in os.sysconf_names:
        found = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    return max(0, min(found)) if found else None


def _read_meminfo(root: Path) -> Iterator[int]:
    for line in _read_lines(root / "proc/meminfo"):
        name, _, value = line.partition(":")
        if name == "MemAvailable":
            yield int(value.split()[0]) * 1024


def _read_control_groups(root: Path) -> Iterator[int]:
    """Yield what is left of each limit above this process."""
    for line in _read_lines(root / "proc/self/cgroup"):
        _, controllers, path = line.split(":", 2)
        if controllers and "memory" not in controllers.split(","):
            continue
        version = 1 if controllers else 2
        base = root / ("sys/fs/cgroup/memory" if controllers else "sys/fs/cgroup")
        own = base / path.lstrip("/")
        # In a container, the path may be that of the host, and the files are in the base.
        for folder in (own, *own.parents):
            yield from _read_control_group(folder, version)
            if folder == base:
                break


def _read_control_group(folder: Path, version: int) -> Iterator[int]:
    limit_file, usage_file, dropped = _FILES_OF_VERSION[version]
    limits, used = _read_lines(folder / limit_file), _read_lines(folder / usage_file)
    if limits and used and limits[0].isdecimal() and used[0].isdecimal():
        stat = dict(line.split(" ", 1) for line in _read_lines(folder / "memory.stat"))
        yield int(limits[0]) - int(used[0]) + int(stat.get(dropped, 0))


def _read_resource_limit(root: Path) -> Iterator[int]:
    """Yield what is left of a limit on the address space (ulimit -v)."""
    try:
        import resource
    except ImportError:  # Windows
        return
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    sizes = _read_lines(root / "proc/self/statm")
    if limit != resource.RLIM_INFINITY and sizes:
        yield limit - int(sizes[0].split()[0]) * resource.getpagesize()


def _read_lines(path: Path) -> list[str]:
    try:
        return path.read_text().splitlines()
    except OSError:
        return []
