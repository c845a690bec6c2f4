"""Journals: what is to be renamed in a folder, so that a killed process can be finished."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from .locks import flush_folder

_PREFIX, _SUFFIX, _INCOMPLETE = ".evenfold-journal-", ".json", ".new"
_MAX_BYTES = 64 << 20
_LONGEST_NAME = 255


class Entry(NamedTuple):
    """A renaming in a folder.

    Attributes
    ----------
    new : Path
        The temporary path.
    final : Path
        The target.
    backup : Path or None
        Where the old target is kept until all are renamed; None if there was none.
    """

    new: Path
    final: Path
    backup: Path | None


def name_journals(entries: Sequence[Entry]) -> list[Path]:
    """Return the path of a new journal in the folder of each target."""
    name = f"{_PREFIX}{secrets.token_hex(4)}{_SUFFIX}"
    return [folder / name for folder in dict.fromkeys(entry.final.parent for entry in entries)]


def write_journals(journals: Sequence[Path], entries: Sequence[Entry]) -> None:
    """Write a journal into each folder.

    It names only what is in its own folder, so the folder may be moved, and a journal can change
    nothing outside of it.
    """
    for path in journals:
        own = [
            {
                "from": [entry.new.parent.name, entry.new.name],
                "to": entry.final.name,
                "keep": entry.backup and entry.backup.name,
            }
            for entry in entries
            if entry.final.parent == path.parent
        ]
        # It gets its name when it is complete.
        with _beginning(path).open("x", encoding="utf-8") as file:
            json.dump(own, file)
            file.flush()
            os.fsync(file.fileno())
        _beginning(path).replace(path)
        flush_folder(path.parent)


def remove_journals(journals: Sequence[Path]) -> None:
    """Remove journals, also those that are not complete."""
    for path in journals:
        path.unlink(missing_ok=True)
        _beginning(path).unlink(missing_ok=True)


def list_journals(folder: Path) -> list[Path]:
    """Return the journals in a folder that the user of this process has written."""
    found = folder.glob(f"{_PREFIX}*{_SUFFIX}")
    return sorted(path for path in found if not path.is_symlink() and is_own(path))


def remove_incomplete_journals(folder: Path) -> None:
    """Remove the beginnings of journals; what they name has not been changed."""
    for path in folder.glob(f"{_PREFIX}*{_INCOMPLETE}"):
        if not path.is_symlink() and is_own(path):
            path.unlink(missing_ok=True)


def is_own(path: Path) -> bool:
    """Tell whether a file or folder belongs to the user of this process.

    What is not there any more belongs to nobody: another process may have removed it.
    """
    try:
        return not hasattr(os, "getuid") or path.lstat().st_uid == os.getuid()
    except FileNotFoundError:
        return False


def read_journal(path: Path) -> list[Entry]:
    """Return the renamings of a journal; none if it does not have the form of one."""
    try:
        if path.stat().st_size > _MAX_BYTES:
            return []
        return [_read_entry(path.parent, own) for own in json.loads(path.read_bytes())]
    except (ValueError, TypeError, KeyError, RecursionError):
        return []


def _beginning(path: Path) -> Path:
    return path.with_suffix(_INCOMPLETE)


def _read_entry(folder: Path, own: Any) -> Entry:
    parent, name = own["from"]
    kept = own["keep"]
    names = [parent, name, own["to"], *([] if kept is None else [kept])]
    if not all(map(_is_name, names)):
        raise ValueError("a journal names another folder")
    if ".evenfold-" not in parent or (kept is not None and ".evenfold-" not in kept):
        raise ValueError("a journal names files that evenfold did not make")
    return Entry(folder / parent / name, folder / own["to"], kept and folder / kept)


def _is_name(text: str) -> bool:
    """Tell whether a text is the name of a file in a folder."""
    is_plain = os.path.basename(text) == text and text not in ("", ".", "..")  # noqa: PTH119
    return is_plain and "\0" not in text and len(os.fsencode(text)) <= _LONGEST_NAME
