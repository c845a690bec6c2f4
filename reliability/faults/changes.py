"""Files that change while they are read: replaced, cut, removed, grown."""

from __future__ import annotations

import functools
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from .commands import Command, find
from .forked import run_forked
from .injected import Injector, count_changes
from .places import Content, Place, is_same, make_place, measure
from .verdicts import Fault, Verdict, check_end, check_left, check_sources, name_outcome

# Commands, and the file of each that changes.
CHANGED = (
    ("split -o file --force", "data.csv"),
    ("split -o folder --force", "data.csv"),
    ("split --mirror --force", "first.csv"),
    ("split, four outputs", "data.csv"),
    ("split -o folder, parquet", "data.parquet"),
    ("extend -o file --force", "placed.csv"),
    ("extend -o folder", "first.csv"),
    ("check --report --force", "placed.csv"),
    ("evaluate -o --report --cache", "numbers.csv"),
)


class Change(NamedTuple):
    """A change of a file."""

    name: str
    apply: Callable[[Path], object]


def replace_by_reversed_rows(path: Path) -> None:
    """Put a file of the same size with other rows in its place; it has the same time."""
    head, *rows = path.read_bytes().splitlines(keepends=True)
    new = path.with_suffix(".new")
    new.write_bytes(head + b"".join(reversed(rows)))
    state = path.stat()
    os.utime(new, ns=(state.st_atime_ns, state.st_mtime_ns))
    new.replace(path)


def cut(path: Path) -> None:
    """Leave the first half."""
    os.truncate(path, path.stat().st_size // 2)


def grow(path: Path) -> None:
    """Add the last line again."""
    content = path.read_bytes()
    with path.open("ab") as file:
        file.write(content[content.rfind(b"\n", 0, -1) + 1 :])


def write_in_place(path: Path) -> None:
    """Write over a byte, and restore the time."""
    state = path.stat()
    with path.open("r+b") as file:
        file.seek(state.st_size // 2)
        byte = file.read(1)
        file.seek(state.st_size // 2)
        file.write(b"0" if byte != b"0" else b"1")
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))


CHANGES = (
    Change("replaced", replace_by_reversed_rows),
    Change("cut", cut),
    Change("grown", grow),
    Change("written in place", write_in_place),
    Change("removed", Path.unlink),
)


def list_faults(rng: random.Random) -> Iterator[Fault]:
    """Yield each change of a file of each command."""
    for name, changed in CHANGED:
        for change in CHANGES:
            share = rng.random()
            title = f"{name}: {changed} {change.name} after {share:.2f}"
            inject = functools.partial(change_while_running, find(name), changed, change, share)
            yield Fault("file changed", title, inject)


def change_while_running(command: Command, name: str, change: Change, share: float) -> Verdict:
    """Change a file at a call of the command that opens or changes one."""
    number = 1 + int(share * count_changes(command))
    with make_place(command) as place:
        injector = Injector(number, lambda: change.apply(place.folder / name))
        done = run_forked(command.words.split(), place.folder, place.variables, injector.begin)
        problems = [*check_end(done), *check_sources(place, {name}), *check_left(place, done)]
        problems += check_outputs(place, name, change, done.code == 0)
        return Verdict(name_outcome(done), problems)


def check_outputs(place: Place, name: str, change: Change, is_done: bool) -> list[str]:
    """Check that outputs are old, or of the file before the change, or of that after it."""
    now = place.look()
    possible = [measure(place.command).outputs] if is_done else [place.before]
    if is_done and (after := measure_changed(place.command, name, change)):
        possible.append(after)
    outputs = place.command.outputs
    if any(all(is_same(now.get(own), each.get(own)) for own in outputs) for each in possible):
        return []
    return ["the outputs are not those of one file"]


@functools.cache
def measure_changed(command: Command, name: str, change: Change) -> dict[str, Content] | None:
    """Return what a command writes if a file has changed before, if it can be read then."""
    with make_place(command) as place:
        change.apply(place.folder / name)
        done = run_forked(command.words.split(), place.folder, place.variables)
        return None if done.code else place.look()
