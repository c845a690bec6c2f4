"""Places: folders in which one command runs once, and what must be there when it has ended."""

from __future__ import annotations

import functools
import re
import shutil
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from .commands import Command, write_data
from .forked import run_forked
from .processes import make_environment

# The content of a file, of all files in a folder by their paths, or None if there is nothing.
Content = bytes | Mapping[str, bytes] | None


@dataclass(frozen=True)
class Place:
    """A folder with data, and with the outputs of an earlier run if the command has one.

    Attributes
    ----------
    folder : Path
        Where the command runs.
    temporary : Path
        The TMPDIR of the command.
    command : Command
        What runs there.
    before : dict of str to Content
        All files and folders before the command runs, by their names.
    """

    folder: Path
    temporary: Path
    command: Command
    before: Mapping[str, Content]

    @property
    def variables(self) -> dict[str, str]:
        """The environment of the command."""
        return make_environment(self.temporary)

    def look(self) -> dict[str, Content]:
        """Return what is in the folder now."""
        return {path.name: read_content(path) for path in sorted(self.folder.iterdir())}


# What differs between two runs of one command: times that are shown, and times of files.
_DIFFERS = re.compile(
    rb"[\d.e-]+ s for |seconds</th><td>[^<]*|seconds \| [^|]*|effort normal, [^ ]* s| --force|"
    rb'"inputs": \[[^\]]*\]|"run": "\w*"'
)


class Reference(NamedTuple):
    """What an undisturbed run wrote, and how many seconds it took after the imports."""

    outputs: Mapping[str, Content]
    seconds: float


@contextmanager
def make_place(command: Command, parent: Path | None = None) -> Iterator[Place]:
    """Make a place, which is removed at the end."""
    folder = Path(tempfile.mkdtemp(prefix="faults-", dir=parent))
    try:
        work, temporary = folder / "work", folder / "temporary"
        work.mkdir()
        temporary.mkdir()
        folder.chmod(0o755)
        for name, content in _make_beginning(command.earlier).items():
            write_content(work / name, content)
        before = {path.name: read_content(path) for path in work.iterdir()}
        yield Place(work, temporary, command, before)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@functools.cache
def measure(command: Command) -> Reference:
    """Run a command without a fault."""
    with make_place(command) as place:
        started = time.perf_counter()
        done = run_forked(command.words.split(), place.folder, place.variables)
        seconds = time.perf_counter() - started
        found = place.look()
    if done.code or not all(name in found for name in command.outputs):
        raise RuntimeError(f"{command.name} fails without a fault: {done.stderr}")
    return Reference({name: found[name] for name in command.outputs}, seconds)


@functools.cache
def _make_beginning(earlier: str) -> dict[str, Content]:
    """Return what is in a folder before a command; the same bytes each time."""
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        work, temporary = Path(folder, "work"), Path(folder, "temporary")
        work.mkdir()
        temporary.mkdir()
        write_data(work)
        for line in filter(None, earlier.split("|")):
            done = run_forked(line.split(), work, make_environment(temporary))
            if done.code:
                raise RuntimeError(f"{line} fails without a fault: {done.stderr}")
        return {path.name: read_content(path) for path in work.iterdir()}


def read_content(path: Path) -> Content:
    """Return what is at a path."""
    if path.is_dir():
        # Temporary files are judged apart.
        files = [own for own in path.rglob("*") if own.is_file() and ".evenfold-" not in str(own)]
        return {str(own.relative_to(path)): own.read_bytes() for own in files}
    return path.read_bytes() if path.is_file() else None


def is_same(one: Content, other: Content) -> bool:
    """Tell whether two outputs are those of the same run, or of two equal ones."""
    return make_comparable(one) == make_comparable(other)


def make_comparable(content: Content) -> Content:
    """Return outputs without what differs between two runs of one command."""
    if isinstance(content, Mapping):
        return {name: _DIFFERS.sub(b"", own) for name, own in content.items()}
    return content and _DIFFERS.sub(b"", content)


def write_content(path: Path, content: Content) -> None:
    """Write a file, or the files of a folder."""
    if isinstance(content, bytes):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return
    path.mkdir(exist_ok=True)
    for name, own in (content or {}).items():
        write_content(path / name, own)
