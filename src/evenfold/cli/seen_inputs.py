"""Inputs as they were when they were opened: nothing is written if one has changed since.

Rows are read more than once, first for the labels and last to write them. Parts that were computed
from other rows must not be written.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from ..exceptions import InputError
from ..files.tables import split_table

# Of a folder with more files, only the folder itself is looked at.
_MOST_FILES = 20_000


class _State(NamedTuple):
    """What changes if a file is replaced or written."""

    device: int
    number: int
    size: int
    modified: int
    changed: int
    n_names: int

    def is_same(self, now: _State | None) -> bool:
        """Tell whether the file is the same, though another program may have linked to it."""
        if now is None:
            return False
        return self[:4] == now[:4] and (self.changed == now.changed or self.n_names != now.n_names)


_state_of: dict[Path, _State | None] = {}


def remember_inputs(paths: Iterable[Path]) -> None:
    """Remember the state of files, and of all files in folders, unless they are known already."""
    for path in paths:
        for own in _list_files(path):
            _state_of.setdefault(own, _look_at(own))


def remember_named(data: Iterable[str]) -> None:
    """Remember the files that DATA names, before the first byte of them is read.

    Pipes are left out, because they change while they are read.
    """
    for name in data:
        plain, _ = split_table(name)
        found = [plain] if Path(plain).exists() else glob.glob(plain, recursive=True)  # noqa: PTH207
        remember_inputs(path for path in map(Path, found) if path.is_file() or path.is_dir())


def forget_inputs() -> None:
    """Forget all files."""
    _state_of.clear()


def check_inputs_unchanged() -> None:
    """Refuse to go on if a file is not what it was when it was opened."""
    for path, state in _state_of.items():
        if state is not None and not state.is_same(_look_at(path)):
            raise InputError(
                f"{path}: was changed while it was read, so the parts may be those of other rows. "
                "Nothing is written. Run the command again."
            )


def _look_at(path: Path) -> _State | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return _State(
        found.st_dev,
        found.st_ino,
        found.st_size,
        found.st_mtime_ns,
        found.st_ctime_ns,
        found.st_nlink,
    )


def _list_files(path: Path) -> Iterator[Path]:
    """Yield a file, or a folder of many files, or the files in a folder."""
    if not path.is_dir():
        yield path
        return
    files = []
    for folder, _, names in os.walk(path):
        files += [Path(folder, name) for name in names]
        if len(files) > _MOST_FILES:
            yield path
            return
    yield from files
