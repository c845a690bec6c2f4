"""Folders in which a killed command has begun to replace files, which are finished first."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from .._atomic import finish_killed_runs

# Parameters that name what is read or written.
_NAMES_PATHS = ("data", "new", "from_manifest", "output", "indices", "manifest", "report")


def finish_unfinished(given: Mapping[str, Any]) -> None:
    """Finish what was begun in the folders of a command, so that none is of two splits."""
    for folder in dict.fromkeys(_list_folders(given)):
        if folder.is_dir():
            finish_killed_runs(folder)


def _list_folders(given: Mapping[str, Any]) -> Iterator[Path]:
    """Yield the folders of all paths, and those above: they may hold the folders of parts."""
    for name in _NAMES_PATHS:
        value = given.get(name) or ()
        for path in (value,) if isinstance(value, str | Path) else value:
            # Links are followed, as they are by what writes. Path.resolve raises in a loop of them.
            own = Path(os.path.realpath(path))
            yield own
            yield from own.parents
