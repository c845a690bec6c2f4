"""Verdicts: what is wrong after a fault. An empty list is a fault that was survived."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from .commands import Command
from .forked import run_forked
from .places import Content, Place, is_same, measure
from .processes import Done

OTHER = "split data.csv --labels labels --folds 2 -q -o other.csv --force"
NEVER_SAID = ("Traceback", "an error of evenfold itself", "Fatal Python error", "terminate called")
_STOPPED = {128 + number for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}


class Verdict(NamedTuple):
    """How a run with a fault ended, and what is wrong."""

    outcome: str
    problems: Sequence[str]


class Fault(NamedTuple):
    """A fault that can be injected."""

    kind: str
    title: str
    inject: Callable[[], Verdict]


def judge(
    place: Place,
    done: Done,
    *,
    changed: Iterable[str] = (),
    may_be_done: bool = False,
    may_leave: bool = False,
    expected: str | None = None,
    repair: Callable[[], object] = lambda: None,
) -> Verdict:
    """Judge a run, then run again in its folder and judge what there is then.

    Parameters
    ----------
    place : Place
        Where it ran.
    done : Done
        How it ended.
    changed : iterable of str, default=()
        Names that the fault itself has changed.
    may_be_done : bool, default=False
        Whether the outputs may be there although the exit code is an error: of printing.
    may_leave : bool, default=False
        Whether temporary files may be left until the next run: removing them may have failed.
    expected : str, optional
        How it must end.
    repair : callable, optional
        Removes what made it fail, before the next runs.
    """
    was_killed = done.code == -signal.SIGKILL
    problems = [*check_end(done), *check_sources(place, changed)]
    states = find_states(place)
    if not place.command.resumes:
        problems += check_states(states, done, may_be_done)
    if not was_killed and not may_leave:
        problems += check_left(place, done)
    outcome = name_outcome(done)
    if expected not in (None, outcome):
        problems.append(f"{outcome}, must be {expected}: {done.stderr[-300:]}")
    repair()
    if was_killed and not place.command.resumes:
        problems += check_next(place)
    if not set(changed) & set(place.before):
        problems += check_same(place)
    return Verdict(outcome, problems)


def name_outcome(done: Done) -> str:
    """Return how a run ended, in one word."""
    if done.code == 0:
        return "finished"
    return "refused" if done.code in (1, 2) else "stopped"


def check_end(done: Done) -> list[str]:
    """Check the exit code and the messages."""
    problems = [
        f"says {text!r}: {done.stderr[-600:]}" for text in NEVER_SAID if text in done.stderr
    ]
    killed = {-signal.SIGKILL, -signal.SIGINT, -signal.SIGTERM, -signal.SIGHUP}
    if done.code not in {0, 1, 2} | _STOPPED | killed:
        problems.append(f"exit code {done.code}: {done.stderr[-300:]}")
    is_said = any(
        line.startswith(("evenfold: ", "Error: ", "FAILED")) for line in done.stderr.splitlines()
    )
    if done.code in (1, 2) and not is_said:
        problems.append(f"exit code {done.code} without a message: {done.stderr[-300:]!r}")
    return problems


def check_sources(place: Place, changed: Iterable[str] = ()) -> list[str]:
    """Check that all files that are no outputs have the bytes that they had."""
    now = place.look()
    names = set(place.before) - set(place.command.outputs) - set(changed)
    return [f"{name} has changed" for name in sorted(names) if now.get(name) != place.before[name]]


def find_states(place: Place) -> dict[str, str]:
    """Return for each output whether it is that of before, the new one, or another."""
    now, new = place.look(), measure(place.command).outputs
    states = {}
    for name in place.command.outputs:
        if is_same(now.get(name), new[name]):
            states[name] = "new"
        else:
            states[name] = compare_old(now.get(name), place.before.get(name), new[name])
    return states


def compare_old(now: Content, old: Content, new: Content) -> str:
    """Return whether what is there is old, or whole files of the old and the new folder."""
    if is_same(now, old):
        return "old"
    if not isinstance(now, Mapping) or not isinstance(new, Mapping):
        return "half"
    known = [each for each in (old, new) if isinstance(each, Mapping)]
    is_whole = all(any(is_same(now[name], each.get(name)) for each in known) for name in now)
    return "mixed" if is_whole else "half"


def check_states(states: dict[str, str], done: Done, may_be_done: bool) -> list[str]:
    """Check that outputs are old or new, and all new if the run says that it is done."""
    problems = [f"{name} is half-written" for name, state in states.items() if state == "half"]
    if done.code != -signal.SIGKILL:
        problems += [f"{each} is of two runs" for each in states if states[each] == "mixed"]
    found = set(states.values())
    if done.code == 0 and found != {"new"}:
        problems.append(f"exit code 0, but not all outputs are new: {states}")
    may_be_new = may_be_done or done.code < 0
    if done.code != 0 and "new" in found and not may_be_new:
        problems.append(f"exit code {done.code}, but there are new outputs: {states}")
    if done.code >= 0 and len(found) > 1:
        problems.append(f"outputs of two runs: {states}")
    return problems


def check_left(place: Place, done: Done | None = None) -> list[str]:
    """Check that no temporary file is left, unless a message says that it is kept."""
    command = place.command
    known = set(place.before) | set(command.outputs) | set(command.kept) | {"other.csv"}
    left = sorted(path.name for path in place.folder.iterdir() if path.name not in known)
    left += sorted(f"TMPDIR/{path.name}" for path in place.temporary.iterdir())
    is_kept = command.resumes and done is not None and done.code != 0
    if not is_kept:
        left += [
            str(path.relative_to(place.folder))
            for name in (*command.outputs, *command.kept)
            for path in place.folder.glob(f"{name}/**/*.evenfold-*")
        ]
    return [f"left: {', '.join(left)}"] if left else []


def check_next(place: Place) -> list[str]:
    """Run other commands that write beside the outputs and read them: they finish and clean up."""
    problems = []
    for line in [OTHER, *list_readers(place)]:
        done = run_forked(line.split(), place.folder, place.variables)
        problems += [f"{line} fails: {done.stderr[-300:]}"] if done.code else []
    states = find_states(place)
    if set(states.values()) not in ({"old"}, {"new"}):
        problems.append(f"after the next run: {states}")
    left = [path.name for path in place.folder.iterdir() if ".evenfold-" in path.name]
    return [*problems, *([f"after the next run: {', '.join(left)}"] if left else [])]


def check_same(place: Place) -> list[str]:
    """Run the same command again: its outputs are whole, and nothing else is left."""
    problems = []
    done = run_forked(_with_force(place.command).split(), place.folder, place.variables)
    states = find_states(place)
    if done.code or set(states.values()) != {"new"}:
        problems.append(f"the same run again: {done.code}, {states}, {done.stderr[-300:]}")
    return [*problems, *(f"again, {each}" for each in check_left(place)), *check_sources(place)]


def list_readers(place: Place) -> list[str]:
    """Return a command that reads the parts, if the output is a folder of them."""
    found = sorted(place.folder.glob("parts/fold*.*"))
    return [f"info parts/{found[0].name} --labels labels"] if found else []


def _with_force(command: Command) -> str:
    if command.resumes or "--force" in command.words:
        return command.words
    return f"{command.words} --force"
