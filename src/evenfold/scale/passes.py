"""A pass: one function of every task, run by an engine, with results in the work folder."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from .engine import Engine
from .work_folder import WorkFolder, encode_record

# Counting what is done lists the work folder.
_SECONDS_BETWEEN_COUNTS = 1.0


class Task(Protocol):
    """What a pass is run for: a small NamedTuple that can be pickled."""

    @property
    def number(self) -> int:
        """The number of the task, which is different for each task of a pass."""


PassFunction = Callable[[Any, dict[str, Any], WorkFolder], Mapping[str, Any]]
Progress = Callable[[str, int, int], object]


def name_result(name: str, number: int) -> str:
    """Return the name of the record that holds the result of a task."""
    return f"{name}-{number:05d}"


def run_pass(
    engine: Engine,
    work: WorkFolder,
    name: str,
    function: PassFunction,
    tasks: Sequence[Task],
    shared: Mapping[str, Any],
    progress: Progress | None = None,
    fields: Collection[str] | None = None,
) -> Iterator[dict[str, Any]]:
    """Run a function for every task that has no result yet, and return all results.

    The tasks are run before this function returns; the results are read as they are asked for.

    Parameters
    ----------
    engine : Engine
        What runs the tasks.
    work : WorkFolder
        Where `shared` and the results are saved.
    name : str
        The name of the pass: `shared` is the record `{name}`, results are `{name}-{number:05d}`.
    function : callable
        `function(task, shared, work)` returns the record of a task. It can be pickled.
    tasks : sequence of Task
        The tasks.
    shared : mapping
        What all tasks need. Results that were made with another `shared` are made again.
    progress : callable, default=None
        `progress(name, n_done, n_all)` is called now and then.
    fields : collection of str, default=None
        The only fields of the results to read. None: all.

    Returns
    -------
    iterator of dict
        The records, in the order of the tasks.
    """
    content = begin_pass(work, name, shared, [name])
    done = work.list_done(name)
    missing = [task for task in tasks if task.number not in done]
    counter = _Counter(work, name, tasks, progress)
    if missing:
        counter.show(len(tasks) - len(missing))
        job = _Job(function, name, work, hashlib.sha256(content).hexdigest())
        engine.run(job, missing, counter.count)
    counter.show(len(tasks))
    return (work.load(name_result(name, task.number), fields) for task in tasks)


def begin_pass(
    work: WorkFolder, name: str, shared: Mapping[str, Any], stems: Sequence[str]
) -> bytes:
    """Save what the tasks of a pass share; remove results that were made with something else.

    Returns the bytes of the record `shared`. The results are the records `{stem}-{number:05d}`.
    """
    content = encode_record(shared)
    if not work.has_bytes(name, content):
        for stem in stems:
            for number in work.list_done(stem):
                work.remove_record(name_result(stem, number))
        work.save_bytes(name, content)
    return content


@dataclass(frozen=True)
class _Job:
    """What workers call with a task.

    Attributes
    ----------
    function : callable
        The function of the pass.
    name : str
        The name of the pass.
    work : WorkFolder
        Where the result is saved.
    digest : str
        The digest of `shared`.
    """

    function: PassFunction
    name: str
    work: WorkFolder
    digest: str

    def __call__(self, task: Task) -> None:
        result = name_result(self.name, task.number)
        # An engine that lost a worker may run tasks again that are done.
        if not self.work.has(result):
            shared = _load_shared(self.work, self.name, self.digest)
            self.work.save(result, self.function(task, shared, self.work))


_last_shared: tuple[tuple[WorkFolder, str, str], dict[str, Any]] | None = None


def _load_shared(work: WorkFolder, name: str, digest: str) -> dict[str, Any]:
    """Load what the tasks of a pass share, once for the tasks of a worker."""
    global _last_shared
    last = _last_shared
    if last is None or last[0] != (work, name, digest):
        last = (work, name, digest), work.load(name)
        _last_shared = last
    return last[1]


class _Counter:
    """Counts the results of a pass and tells them to `progress`."""

    def __init__(
        self, work: WorkFolder, name: str, tasks: Sequence[Task], progress: Progress | None
    ) -> None:
        self.work = work
        self.name = name
        self.numbers = {task.number for task in tasks}
        self.progress = progress
        self.next_count = time.monotonic() + _SECONDS_BETWEEN_COUNTS

    def count(self) -> None:
        """Count the results, unless they were counted a moment ago."""
        if self.progress is not None and time.monotonic() >= self.next_count:
            self.show(len(self.numbers & self.work.list_done(self.name)))
            self.next_count = time.monotonic() + _SECONDS_BETWEEN_COUNTS

    def show(self, n_done: int) -> None:
        """Tell how many tasks are done."""
        if self.progress is not None:
            self.progress(self.name, n_done, len(self.numbers))
