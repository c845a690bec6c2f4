"""Which of several files have the same content."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from pathlib import Path

# Different images of the same size differ in their first bytes, nearly always.
_FIRST_BYTES = 1 << 16


def group_same(paths: Sequence[Path]) -> list[list[Path]]:
    """Group files of the same content; groups and files stay in order.

    Files are compared by size, then by their first bytes, then by all: images that differ are told
    apart without being read.
    """
    groups = [list(paths)]
    for key in (_read_size, _read_first, _hash_whole):
        groups = [
            finer
            for group in groups
            for finer in (_group_by(group, key) if len(group) > 1 else [group])
        ]
    return groups


def _group_by(paths: Iterable[Path], key: Callable[[Path], Hashable]) -> list[list[Path]]:
    found: dict[Hashable, list[Path]] = defaultdict(list)
    for path in paths:
        found[key(path)].append(path)
    return list(found.values())


def _read_size(path: Path) -> int:
    return path.stat().st_size


def _read_first(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_FIRST_BYTES)


def _hash_whole(path: Path) -> bytes:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "blake2b").digest()
