"""Exchange: temporary files take the places of their targets, all of them or none."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from .journal import (
    Entry,
    list_journals,
    name_journals,
    read_journal,
    remove_incomplete_journals,
    remove_journals,
    write_journals,
)
from .locks import flush_folder
from .targets import exists_already


class Move(NamedTuple):
    """A renaming that is to be made: the temporary path, and the target."""

    new: Path
    final: Path


def exchange(moves: Sequence[Move], *, force: bool) -> None:
    """Rename each temporary path to its target; if one fails, undo all.

    The folders must be locked. What is replaced is kept under another name until all are renamed.
    A journal says what is to be done, so that it can be finished if the process is killed. A single
    file needs neither: the system replaces it at once.
    """
    entries = [_plan(number, move, force) for number, move in enumerate(moves)]
    for entry in entries:
        _keep_mode(entry)
    is_at_once = len(entries) == 1 and not entries[0].final.is_dir()
    if is_at_once and entries[0].backup is not None:
        entries[0].new.replace(entries[0].final)
        _flush_folders(entries)
        return
    journals = [] if is_at_once else name_journals(entries)
    begun: list[Entry] = []
    try:
        write_journals(journals, entries)
        for entry in entries:
            begun.append(entry)
            _replace(entry, force=force)
    except BaseException:
        for entry in reversed(begun):
            _undo(entry)
        remove_journals(journals)
        raise
    _flush_folders(entries)
    with suppress(OSError):  # the outputs are there; the next run removes the rest
        _finish(entries, journals)


def finish_killed_exchange(folder: Path) -> None:
    """Finish what a process began to rename in a folder before it was killed.

    The folder must be locked.
    """
    remove_incomplete_journals(folder)
    for journal in list_journals(folder):
        entries = read_journal(journal)
        for entry in entries:
            if not os.path.lexists(entry.new):
                continue
            if entry.backup is not None and os.path.lexists(entry.final):
                _make_backup(entry.final, entry.backup)
            if entry.final.is_dir() and not entry.final.is_symlink():
                shutil.rmtree(entry.final)
            entry.new.replace(entry.final)
        _flush_folders(entries)
        _finish(entries, [journal])
        for entry in entries:
            shutil.rmtree(entry.new.parent, ignore_errors=True)


def _plan(number: int, move: Move, force: bool) -> Entry:
    """Refuse what may not be replaced; name what is kept of an old target."""
    new, final = move
    if not os.path.lexists(final):
        return Entry(new, final, None)
    if final.is_dir() != new.is_dir():
        raise FileExistsError(
            f"{final}: is {'a folder' if final.is_dir() else 'a file'}, "
            "and the output is not. Name another output."
        )
    if not force:
        raise exists_already(final)
    return Entry(new, final, final.with_name(f"{new.parent.name}-old{number}"))


def _keep_mode(entry: Entry) -> None:
    """Give new files the owner and the mode of what they replace, where that is allowed."""
    if entry.backup is None:
        return
    pairs = [(entry.new, entry.final)]
    if entry.new.is_dir():
        pairs += [(own, entry.final / own.relative_to(entry.new)) for own in entry.new.rglob("*")]
    for new, old in pairs:
        # The mode of a hard link or of the target of a link is not ours.
        is_ours = not new.is_symlink() and (new.is_dir() or new.stat().st_nlink == 1)
        if is_ours and old.exists() and old.is_dir() == new.is_dir():
            found = old.stat()
            if hasattr(os, "chown"):
                with suppress(OSError):
                    os.chown(new, found.st_uid, found.st_gid)
            with suppress(OSError):
                new.chmod(found.st_mode & 0o7777)


def _replace(entry: Entry, *, force: bool) -> None:
    if entry.backup is not None:
        _make_backup(entry.final, entry.backup)
        entry.new.replace(entry.final)
    elif force:
        entry.new.replace(entry.final)
    else:
        _move_to_free(entry)


def _move_to_free(entry: Entry) -> None:
    """Rename without replacing what another program may have written meanwhile."""
    # Renaming replaces files, but no folder with content. On Windows it never replaces.
    renames = entry.new.is_dir() or os.name == "nt"
    try:
        if renames:
            entry.new.rename(entry.final)
        else:
            os.link(entry.new, entry.final)
            entry.new.unlink()
    except (OSError, NotImplementedError):
        if os.path.lexists(entry.final):
            raise exists_already(entry.final) from None
        if renames:
            raise
        entry.new.replace(entry.final)  # a file system without links


def _make_backup(final: Path, backup: Path) -> None:
    """Give the old target another name.

    With hard links a file keeps its own name too, so that it is never missing.
    """
    try:
        os.link(final, backup, follow_symlinks=False)
    except (OSError, NotImplementedError):
        final.replace(backup)


def _undo(entry: Entry) -> None:
    """Restore a target, however far its renaming has come."""
    if entry.backup is None:
        if _is_ours(entry):
            _remove(entry.final)
    elif os.path.lexists(entry.backup):
        if entry.final.is_dir():
            _remove(entry.final)
        entry.backup.replace(entry.final)
        # If both are names of the same file, renaming one to the other leaves both.
        entry.backup.unlink(missing_ok=True)


def _is_ours(entry: Entry) -> bool:
    """Tell whether a target that was not there is the new file or folder."""
    if not os.path.lexists(entry.new):
        return True
    return entry.final.is_file() and entry.new.samefile(entry.final)


def _flush_folders(entries: Iterable[Entry]) -> None:
    for folder in dict.fromkeys(entry.final.parent for entry in entries):
        flush_folder(folder)


def _finish(entries: Iterable[Entry], journals: Sequence[Path]) -> None:
    """Remove what was replaced, then the journals."""
    for entry in entries:
        if entry.backup is not None:
            _remove(entry.backup)
    remove_journals(journals)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
