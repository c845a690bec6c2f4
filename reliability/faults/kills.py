"""Kills: signals at moments of a run, by the clock and at calls that change files."""

from __future__ import annotations

import functools
import os
import random
import signal
import subprocess
import time
from collections.abc import Callable, Iterator

from .commands import COMMANDS, Command
from .forked import Copy, run_forked
from .injected import Injector, count_changes
from .places import make_place, measure
from .processes import Done, finish, start
from .verdicts import Fault, Verdict, judge

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


def list_faults(rng: random.Random) -> Iterator[Fault]:
    """Yield kills of each command by each signal; more where old outputs are replaced."""
    for command in COMMANDS:
        for number in SIGNALS:
            yield make_fault("kill, from the start", kill_process, command, number, rng)
            yield make_fault("kill, by the clock", kill_copy, command, number, rng)
            for _ in range(4 if command.earlier else 2):
                yield make_fault(
                    "kill, at a change of a file", kill_at_change, command, number, rng
                )


def make_fault(
    kind: str,
    inject: Callable[[Command, signal.Signals, float], Verdict],
    command: Command,
    number: signal.Signals,
    rng: random.Random,
) -> Fault:
    """Draw the moment of a kill."""
    share = rng.random()
    title = f"{command.name}, {number.name} after {share:.3f}"
    return Fault(kind, title, functools.partial(inject, command, number, share))


def kill_process(command: Command, number: signal.Signals, share: float) -> Verdict:
    """Send a signal when a share of the time of a new process has gone by."""
    seconds = measure_process()
    with make_place(command) as place:
        # A shell may have started this process in the background, where Ctrl-C is ignored.
        heeds = functools.partial(signal.signal, number, signal.SIG_DFL)
        preexec = None if number == signal.SIGKILL else heeds
        process = start(command.words.split(), place.folder, place.variables, preexec_fn=preexec)
        try:
            process.wait(timeout=share * seconds)
        except subprocess.TimeoutExpired:
            process.send_signal(number)
        return judge(place, read_early_end(finish(process)))


def read_early_end(done: Done) -> Done:
    """Return how a process ended; Python itself reports a Ctrl-C before evenfold has started."""
    is_python = done.code == -signal.SIGINT and "KeyboardInterrupt" in done.stderr
    return done._replace(stderr="") if is_python else done


def kill_copy(command: Command, number: signal.Signals, share: float) -> Verdict:
    """Send a signal when a share of the time after the imports has gone by."""
    seconds = measure(command).seconds
    with make_place(command) as place:
        copy = Copy(command.words.split(), place.folder, place.variables)
        if not copy.is_over(share * seconds):
            copy.send(number)
        return judge(place, read_early_end(copy.finish()))


def kill_at_change(command: Command, number: signal.Signals, share: float) -> Verdict:
    """Send a signal at a call that changes a file."""
    injector = Injector(
        1 + int(share * count_changes(command)), lambda: os.kill(os.getpid(), number)
    )
    with make_place(command) as place:
        words = command.words.split()
        return judge(place, run_forked(words, place.folder, place.variables, injector.begin))


@functools.cache
def measure_process() -> float:
    """Return the seconds of a new process with a small command."""
    command = COMMANDS[0]
    with make_place(command) as place:
        started = time.perf_counter()
        finish(start(command.words.split(), place.folder, place.variables))
        return time.perf_counter() - started
