"""Locks of folders: one process at a time renames files in them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows, where a folder cannot be locked
    fcntl = None  # type: ignore[assignment]

# Temporary folders that this process has locked.
_own_folders: set[Path] = set()


@contextmanager
def locked(folders: Sequence[Path]) -> Iterator[None]:
    """Wait until no other process has locked one of the folders, then lock all of them.

    The system unlocks the folders of a process that ends. Where a file system has no locks, the
    block runs without.
    """
    with ExitStack() as held:
        # In one order, so that no two processes wait for each other.
        for folder in sorted(set(folders)):
            _lock(folder, held)
        yield


def _lock(folder: Path, held: ExitStack) -> None:
    # A temporary folder of this process is locked already; waiting for it would never end.
    if fcntl is None or folder in _own_folders:
        return
    opened = os.open(folder, os.O_RDONLY)
    held.callback(os.close, opened)
    with suppress(OSError):
        fcntl.flock(opened, fcntl.LOCK_EX)


def try_to_lock(folder: Path, held: ExitStack) -> None:
    """Lock a folder until `held` ends, unless another process has locked it."""
    if fcntl is None:
        return
    opened = os.open(folder, os.O_RDONLY)
    held.callback(os.close, opened)
    _own_folders.add(folder)
    held.callback(_own_folders.discard, folder)
    with suppress(OSError):
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_locked(folder: Path) -> bool:
    """Tell whether a process has locked a folder, or whether that cannot be known."""
    if fcntl is None:
        return True
    try:
        opened = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        finally:
            os.close(opened)
    except OSError:
        return True
    return False


def flush_folder(folder: Path) -> None:
    """Write the names in a folder to the disk, where the system can do that."""
    if fcntl is None:
        return
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
