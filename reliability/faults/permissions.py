"""Denied permissions, as an ordinary user, and outputs that are not what they seem."""

from __future__ import annotations

import functools
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from .commands import Command, find
from .forked import run_forked
from .places import Place, make_place
from .verdicts import Fault, Verdict, check_end, check_left, check_sources, judge, name_outcome

NOBODY = 65534
FILES = ("split -o file --force", "split, four outputs, --force", "extend -o file --force")
FOLDERS = ("split -o folder --force", "split --mirror --force", "split -o folder, parquet")


class Obstacle(NamedTuple):
    """What is in the way, which commands meet it, and how they must end."""

    title: str
    prepare: Callable[[Place], object]
    commands: tuple[str, ...]
    expected: str | None


def forbid_folder(place: Place) -> None:
    """Let the folder belong to another user."""
    os.chown(place.folder, 0, 0)


def lock_folder(place: Place) -> None:
    """Allow only reading in the folder."""
    place.folder.chmod(0o555)


def hide_folder(place: Place) -> None:
    """Allow writing in the folder, and not to list it."""
    place.folder.chmod(0o333)


def hide_source(place: Place) -> None:
    """Forbid to read any file."""
    for path in place.folder.glob("*.*"):
        path.chmod(0)


def lock_outputs(place: Place) -> None:
    """Allow only reading of the old outputs."""
    for name in place.command.outputs:
        path = place.folder / name
        path.chmod(0o555 if path.is_dir() else 0o444)


def keep_outputs(place: Place) -> None:
    """Let the old outputs be another user's, in a folder where only owners may replace."""
    place.folder.chmod(0o1777)
    os.chown(place.folder, 0, 0)
    for name in place.command.outputs:
        os.chown(place.folder / name, 0, 0)


def forbid_temporary(place: Place) -> None:
    """Forbid to write into TMPDIR."""
    place.temporary.chmod(0o555)


OBSTACLES = (
    Obstacle("a folder of another user", forbid_folder, FILES, "refused"),
    Obstacle("a folder that is read-only", lock_folder, FILES, "refused"),
    Obstacle("a folder that cannot be listed", hide_folder, FILES, None),
    Obstacle("data that cannot be read", hide_source, FILES, "refused"),
    Obstacle("old outputs that are read-only", lock_outputs, FILES, "finished"),
    Obstacle("old folders that are read-only", lock_outputs, FOLDERS, None),
    Obstacle("old outputs of another user", keep_outputs, (*FILES, *FOLDERS), "refused"),
    Obstacle("a TMPDIR that is read-only", forbid_temporary, FILES, None),
)


def list_faults(rng: random.Random) -> Iterator[Fault]:
    """Yield each obstacle for its commands, and outputs that are no plain files."""
    del rng
    if os.getuid() != 0:
        print("No denied permissions: only root can become another user.")
    else:
        for obstacle in OBSTACLES:
            for name in obstacle.commands:
                inject = functools.partial(run_as_nobody, obstacle, find(name))
                yield Fault("permission denied", f"{name}: {obstacle.title}", inject)
    for kind in ODD_OUTPUTS:
        for name in FILES:
            inject = functools.partial(write_to_odd_output, kind, find(name))
            yield Fault("odd output", f"{name}: {kind}", inject)


def become_nobody() -> None:
    """Give up all rights of root."""
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)


def give_to_nobody(folder: Path) -> None:
    """Let all in a folder be nobody's."""
    for path in (folder, *folder.rglob("*")):
        os.chown(path, NOBODY, NOBODY)


def run_as_nobody(obstacle: Obstacle, command: Command) -> Verdict:
    """Run a command as an ordinary user who meets an obstacle."""
    with make_place(command) as place:
        give_to_nobody(place.folder.parent)
        obstacle.prepare(place)
        done = run_forked(command.words.split(), place.folder, place.variables, become_nobody)

        def repair() -> None:
            for path in (place.folder, place.temporary):
                path.chmod(0o755)
            for path in place.folder.iterdir():
                path.chmod(0o755)

        return judge(place, done, expected=obstacle.expected, repair=repair)


def make_loop(path: Path) -> None:
    """Make a link to itself."""
    path.symlink_to(path.name)


def make_link_to_nowhere(path: Path) -> None:
    """Make a link into a folder that does not exist."""
    path.symlink_to("nowhere/out.csv")


def make_link_to_source(path: Path) -> None:
    """Make a link to the data."""
    path.symlink_to("data.csv" if (path.parent / "placed.csv").exists() is False else "placed.csv")


def make_device(path: Path) -> None:
    """Make a link to a device."""
    path.symlink_to(os.devnull)


ODD_OUTPUTS: dict[str, Callable[[Path], object]] = {
    "a loop of links": make_loop,
    "a link to nowhere": make_link_to_nowhere,
    "a link to the data": make_link_to_source,
    "a pipe": os.mkfifo,
    "a device": make_device,
}


def write_to_odd_output(kind: str, command: Command) -> Verdict:
    """Run a command whose first output is there, and is no plain file."""
    with make_place(command) as place:
        path = place.folder / command.outputs[0]
        path.unlink(missing_ok=True)
        ODD_OUTPUTS[kind](path)
        state = path.lstat()
        done = run_forked(command.words.split(), place.folder, place.variables)
        problems = [*check_end(done), *check_sources(place), *check_left(place, done)]
        now = path.lstat()
        if (now.st_ino, now.st_mode) != (state.st_ino, state.st_mode):
            problems.append("it was replaced")
        if name_outcome(done) != "refused":
            problems.append("it was not refused")
        return Verdict(name_outcome(done), problems)
