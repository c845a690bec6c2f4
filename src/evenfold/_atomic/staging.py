"""Staging: outputs are written to temporary paths, which are renamed when all are complete."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from pathlib import Path

from .exchange import Move, exchange, finish_killed_exchange
from .journal import list_journals
from .leftovers import make_temporary, name_temporary, remove_leftovers
from .locks import locked
from .targets import check_target

# More files than this are written to the disk all together, not one after the other.
_MANY_FILES = 1000


@contextmanager
def staged(
    targets: Sequence[Path],
    *,
    force: bool = False,
    inputs: Sequence[Path] = (),
    hold_signals: Callable[[], AbstractContextManager[object]] = nullcontext,
) -> Iterator[list[Path]]:
    """Give a temporary path for each target; rename all to their targets when the block ends.

    If the block or a renaming fails, no target is changed. A temporary path has the name of its
    target and is in a new folder beside it, which only its owner may open. Other files that are
    written into that folder, such as a list of labels, are moved beside the target too. The folder
    is removed; if the process is killed, by the next one that writes beside it.

    Of two processes that write the same targets, one is first; then the other replaces all of them,
    or fails if it may not. If a process is killed while it renames, the next one that writes into
    the folder finishes that.

    Parameters
    ----------
    targets : sequence of Path
        Files, or folders that are written as a whole.
    force : bool, default=False
        Whether existing files and folders may be replaced. Their modes are kept, and their owners
        where that is allowed.
    inputs : sequence of Path, default=()
        Files and folders that must not be written.
    hold_signals : callable, default=nullcontext
        Returns a context in which no signal raises an exception. It is entered for renaming and
        for cleaning up, and left without an error when the targets are in place.

    Yields
    ------
    list of Path
        The temporary path of each target.
    """
    finals = [check_target(target, force=force, inputs=inputs) for target in targets]
    parents = list(dict.fromkeys(final.parent for final in finals))
    # Named before they are made, so that none is left if a signal comes in between.
    folders = name_temporary(finals)
    with ExitStack() as holding, ExitStack() as locks:
        try:
            with locked(parents):
                for parent in parents:
                    finish_killed_exchange(parent)
                    remove_leftovers(parent)
                make_temporary(folders, locks)
            yield [folder / final.name for folder, final in zip(folders, finals, strict=True)]
            moves = [
                Move(new, final.parent / new.name)
                for folder, final in zip(folders, finals, strict=True)
                for new in sorted(folder.iterdir())
            ]
            for move in moves:
                _flush_to_disk(move.new)
            holding.enter_context(hold_signals())
            with locked(parents):
                for parent in parents:
                    finish_killed_exchange(parent)
                for move in moves:
                    check_target(move.final, force=force, inputs=inputs)
                exchange(moves, force=force)
        finally:
            # Also where the block has failed: the clean-up is not to be interrupted.
            holding.enter_context(hold_signals())
            for folder in reversed(folders):  # the locked ones last
                shutil.rmtree(folder, ignore_errors=True)


def write_whole(path: Path, content: bytes) -> None:
    """Write a file completely or not at all; replace an existing one."""
    with staged([path], force=True) as [temporary]:
        temporary.write_bytes(content)


def _flush_to_disk(path: Path) -> None:
    """Write buffered content to the disk, before the renaming makes it visible."""
    files = [path] if path.is_file() else [own for own in path.rglob("*") if own.is_file()]
    # A hard link to an input is not opened for writing.
    files = [file for file in files if file.stat().st_nlink == 1]
    if len(files) > _MANY_FILES and hasattr(os, "sync"):
        os.sync()
        return
    for file in files:
        with file.open("r+b") as opened:
            os.fsync(opened.fileno())


def finish_killed_runs(folder: Path) -> None:
    """Finish what a killed process began to rename in a folder, before the folder is read.

    Raises
    ------
    OSError
        If the folder cannot be changed: what is in it may be of two splits.
    """
    if not list_journals(folder):
        return
    try:
        with locked([folder]):
            finish_killed_exchange(folder)
    except OSError as error:
        raise OSError(
            f"{folder}: a command was killed while it replaced files in this folder, and the rest "
            f"cannot be replaced now ({error.strerror}). Allow this folder to be changed."
        ) from None
