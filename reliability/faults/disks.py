"""Full disks: a small file system, a limit on the size of files, and errors of single calls."""

from __future__ import annotations

import errno
import functools
import os
import random
import resource
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .commands import COMMANDS, Command
from .forked import run_forked
from .injected import Injector, count_changes
from .places import make_place, measure
from .verdicts import Fault, Verdict, judge

# The small file system, and how many bytes of it the data, and some room for names, need.
SIZE = 2 << 20
# Messages are written to files too, and each output is larger.
LEAST = 500
ERRORS = (errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EROFS)


def list_faults(rng: random.Random) -> Iterator[Fault]:
    """Yield full disks at several stages of each command."""
    can_mount = try_to_mount()
    if not can_mount:
        print("No small file system: this user may not mount one.")
    for command in COMMANDS:
        for share in (0.0, rng.random()):
            if can_mount:
                inject = functools.partial(fill_disk, command, share)
                yield Fault("full disk", f"{command.name}, {share:.2f} of the bytes free", inject)
            inject = functools.partial(limit_files, command, share)
            yield Fault("limit on files", f"{command.name}, {share:.2f} of the bytes", inject)
        for code in rng.sample(ERRORS, 2):
            share = rng.random()
            inject = functools.partial(fail_at_change, command, code, share)
            title = f"{command.name}, {errno.errorcode[code]} after {share:.2f}"
            yield Fault("error of the system", title, inject)


def try_to_mount() -> bool:
    """Tell whether a file system can be mounted."""
    try:
        with mounted():
            return True
    except (OSError, subprocess.CalledProcessError):
        return False


@contextmanager
def mounted() -> Iterator[Path]:
    """Mount a small file system."""
    folder = Path(tempfile.mkdtemp(prefix="faults-disk-"))
    try:
        words = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", folder]
        subprocess.run(words, check=True, capture_output=True)
        try:
            yield folder
        finally:
            subprocess.run(["umount", folder], check=True)
    finally:
        folder.rmdir()


def fill_disk(command: Command, share: float) -> Verdict:
    """Leave only a share of the bytes free that the outputs need."""
    wanted = count_bytes(command)
    with mounted() as disk, make_place(command, disk) as place:
        filler = disk / "filler"
        state = os.statvfs(disk)
        filler.write_bytes(bytes(max(state.f_bavail * state.f_frsize - int(share * wanted), 0)))
        done = run_forked(command.words.split(), place.folder, place.variables)
        return judge(place, done, repair=filler.unlink)


def limit_files(command: Command, share: float) -> Verdict:
    """Allow no file to be larger than a share of the largest output."""
    limit = int(share * max(list_sizes(command)))

    def set_limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (max(limit, LEAST), resource.RLIM_INFINITY))

    with make_place(command) as place:
        done = run_forked(command.words.split(), place.folder, place.variables, set_limit)
        return judge(place, done)


def fail_at_change(command: Command, code: int, share: float) -> Verdict:
    """Let a call fail that opens, renames, links or makes something."""

    def fail() -> None:
        raise OSError(code, os.strerror(code))

    number = 1 + int(share * count_changes(command, removals=False))
    injector = Injector(number, fail, removals=False)
    with make_place(command) as place:
        done = run_forked(command.words.split(), place.folder, place.variables, injector.begin)
        return judge(place, done, may_leave=True)


def count_bytes(command: Command) -> int:
    """Return how many bytes the outputs take on a disk, in whole pages."""
    return sum(-(-size // 4096) * 4096 for size in list_sizes(command))


def list_sizes(command: Command) -> list[int]:
    """Return the sizes of all files that a command writes."""
    sizes = []
    for content in measure(command).outputs.values():
        files = [content] if isinstance(content, bytes) else list((content or {}).values())
        sizes += [len(own) for own in files]
    return sizes
