"""Leftovers: temporary folders of processes that were killed, removed by the next one."""

from __future__ import annotations

import os
import platform
import re
import secrets
import shutil
import tempfile
import zlib
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Literal

from .journal import is_own
from .locks import is_locked, try_to_lock

_NAME = re.compile(r"\..+\.evenfold-(?P<run>[0-9a-f]{16})-\d+", re.DOTALL)
_SCRATCH_NAME = re.compile(r"evenfold-(?:new|stdin|stdout|filled)-(?P<run>[0-9a-f]{16})")


class ScratchFolder:
    """A folder in TMPDIR, which is locked until it is removed, at the latest when a block ends.

    If its process is killed, the next one that makes such a folder removes it.
    """

    def __init__(self, purpose: Literal["new", "stdin", "stdout", "filled"]) -> None:
        # The lock cannot be had before the folder is there, so it gets its name when it is locked.
        begun = Path(tempfile.mkdtemp(prefix="evenfold-begun-"))
        self._lock = ExitStack()
        self.path = begun
        try:
            _remove_unlocked(begun.parent, _SCRATCH_NAME)
            try_to_lock(begun, self._lock)
            self.path = begun.with_name(f"evenfold-{purpose}-{_name_run()}")
            begun.rename(self.path)
        except BaseException:
            shutil.rmtree(begun, ignore_errors=True)
            self.remove()
            raise

    def __enter__(self) -> Path:
        return self.path

    def __exit__(self, *error: object) -> None:
        self.remove()

    def remove(self) -> None:
        """Remove the folder and what is in it."""
        shutil.rmtree(self.path, ignore_errors=True)
        self._lock.close()


def name_temporary(finals: Sequence[Path]) -> list[Path]:
    """Return a new folder beside each target; the names of one run share a number.

    The number begins with that of the machine: the locks of another one may not be seen here.
    """
    run = _name_run()
    return [
        final.with_name(f".{_shorten(final.name)}.evenfold-{run}-{number}")
        for number, final in enumerate(finals)
    ]


def make_temporary(folders: Iterable[Path], locks: ExitStack) -> None:
    """Make temporary folders that only their owner may open.

    The first one beside each other is locked until `locks` ends. Their parents must be locked.
    """
    parents = set()
    for folder in folders:
        folder.mkdir(mode=0o700)
        if folder.parent not in parents:
            parents.add(folder.parent)
            try_to_lock(folder, locks)


def remove_leftovers(parent: Path) -> None:
    """Remove the temporary folders that processes of this user and machine have left.

    Those of a process that is alive are recognised by a lock, so none is removed where the file
    system has no locks. The parent must be locked.
    """
    _remove_unlocked(parent, _NAME)


def _remove_unlocked(parent: Path, names: re.Pattern[str]) -> None:
    folders_of_run: dict[str, list[Path]] = {}
    for path in _list_folders(parent):
        found = names.fullmatch(path.name)
        if found and is_own(path):
            folders_of_run.setdefault(found["run"], []).append(path)
    for run, folders in folders_of_run.items():
        if run.startswith(_number_machine()) and not any(map(is_locked, folders)):
            for folder in folders:
                shutil.rmtree(folder, ignore_errors=True)


def _name_run() -> str:
    return f"{_number_machine()}{secrets.token_hex(4)}"


def _number_machine() -> str:
    return f"{zlib.crc32(platform.node().encode()):08x}"


def _list_folders(parent: Path) -> list[Path]:
    try:
        with os.scandir(parent) as entries:
            return [
                Path(entry.path)
                for entry in entries
                if ".evenfold-" in f".{entry.name}" and entry.is_dir(follow_symlinks=False)
            ]
    except OSError:  # a folder that may be written, but not listed
        return []


def _shorten(name: str) -> str:
    """Return the beginning of a name, so that a longer one fits into the 255 bytes of a name."""
    return os.fsdecode(os.fsencode(name)[:100]).encode(errors="ignore").decode()
