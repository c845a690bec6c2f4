"""Several writers of the same outputs at once."""

from __future__ import annotations

import functools
import random
import time
from collections.abc import Iterator

from .commands import Command, find
from .forked import Copy
from .places import is_same, make_place, measure
from .verdicts import Fault, Verdict, check_end, check_left, check_sources

NAMES = ("split -o file", "split -o folder", "split, four outputs")


def list_faults(rng: random.Random) -> Iterator[Fault]:
    """Yield rounds of two to six writers, with and without --force."""
    for name in NAMES:
        for force in (False, True):
            for n_writers in (2, 2, 5):
                inject = functools.partial(write_at_once, name, force, n_writers, rng.random())
                title = f"{name}, {n_writers} writers{', --force' if force else ''}"
                yield Fault("other writers", title, inject)


def write_at_once(name: str, force: bool, n_writers: int, seed: float) -> Verdict:
    """Run a command several times at once, each with another seed; one of them wins."""
    rng = random.Random(seed)
    commands = [seeded(find(name), number) for number in range(n_writers)]
    references = [measure(command).outputs for command in commands]
    with make_place(commands[0]) as place:
        copies = []
        for command in commands:
            words = command.words.split() + ["--force"] * force
            copies.append(Copy(words, place.folder, place.variables))
            time.sleep(rng.random() * 0.02)
        all_done = [copy.finish() for copy in copies]
        found = place.look()
        problems = [problem for done in all_done for problem in check_end(done)]
        problems += [*check_sources(place), *check_left(place)]
        n_finished = sum(done.code == 0 for done in all_done)
        if n_finished != (n_writers if force else 1):
            problems.append(f"exit codes {[done.code for done in all_done]}")
        if not any(
            all(is_same(found.get(name), content) for name, content in reference.items())
            for reference in references
        ):
            problems.append("the outputs are of no writer, or of several")
    return Verdict("finished" if n_finished else "refused", problems)


def seeded(command: Command, seed: int) -> Command:
    """Return a command with a seed, and without a report, which shows the command line."""
    words = command.words.replace(" --report r.md", "")
    outputs = tuple(name for name in command.outputs if name != "r.md")
    return command._replace(words=f"{words} --seed {seed}", outputs=outputs)
