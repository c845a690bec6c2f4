"""Tasks that the tests of all engines run; workers import them from here."""

import os
import random
import signal
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.dataset

from evenfold.exceptions import InputError


class NumberTask(NamedTuple):
    """A task that is a number, with a folder in which the runs of tasks are noted."""

    number: int
    runs: str
    killed: int | None = None
    victim: str = "worker"


def make_tasks(runs, n_tasks=6, killed=None, victim="worker"):
    """Return tasks; the first run of task `killed` kills its own process or its parent's."""
    Path(runs).mkdir(exist_ok=True)
    return [NumberTask(number, str(runs), killed, victim) for number in range(n_tasks)]


def note_run(task):
    """Write a file that says in which process the task runs, and kill it where it must be."""
    before = list(Path(task.runs).glob(f"{task.number}-*"))
    Path(task.runs, f"{task.number}-{os.getpid()}-{len(before)}").touch()
    if task.number == task.killed and not before:
        pid = os.getpid() if task.victim == "worker" else find_executor()
        Path(task.runs, f"killed-{pid}").touch()
        os.kill(pid, signal.SIGKILL)
        # A Python worker whose executor is gone could still end its task.
        os.kill(os.getpid(), signal.SIGKILL)


def find_executor():
    """Return the process id of the Java machine that this Python worker belongs to."""
    pid = os.getpid()
    while Path(f"/proc/{pid}/comm").read_text().strip() != "java":
        pid = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return pid


def is_gone(pid):
    """Tell whether a process has ended; its parent may not have heard of it yet."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def check_killed(runs, number):
    """Check that a process was killed in a task: it is gone, and the task ran again."""
    [killed] = Path(runs).glob("killed-*")
    assert is_gone(killed.name.partition("-")[2])
    assert len(list(Path(runs).glob(f"{number}-*"))) >= 2


def multiply(task, shared, work):
    """Return a record of a task."""
    note_run(task)
    return {"product": task.number * shared["factor"], "squares": np.arange(task.number) ** 2}


def refuse_third(task, shared, work):
    """Return a record, or refuse the task with number 3."""
    if task.number == 3:
        raise InputError("must have no gap, got file 3.", parameter="data")
    return {}


def refuse_first_at_once(task, shared, work):
    """Refuse the task with number 0; end others a while after they have begun."""
    if task.number == 0:
        raise InputError("must have no gap, got file 0.", parameter="data")
    Path(task.runs, f"begun-{task.number}").touch()
    time.sleep(0.5)
    Path(task.runs, f"ended-{task.number}").touch()
    return {}


def fail(task, shared, work):
    """Fail as a program does that is wrong."""
    raise KeyError("absent")


def make_rows(task):
    """Return 100 rows in 7 buckets, one of which stays empty; types that Spark does not have."""
    note_run(task)
    rng = np.random.default_rng(task.number)
    hashes = rng.integers(0, 2**64, 100, np.uint64)
    buckets = (hashes % np.uint64(6)).astype(np.int32)
    labels = [rng.integers(0, 9, n).tolist() for n in rng.integers(0, 4, 100)]
    return pa.table(
        {
            "bucket": buckets,
            "group": hashes,
            "labels": pa.array(labels, pa.list_(pa.int32())),
            "task": np.full(100, task.number, np.int16),
        }
    )


def refuse_rows(task):
    """Return rows, or refuse the task with number 3."""
    refuse_third(task, {}, None)
    return make_rows(task)


def reorder(batches):
    """Yield the rows of batches in an order that is never the same."""
    for batch in batches:
        order = list(range(batch.num_rows))
        random.SystemRandom().shuffle(order)
        yield batch.take(pa.array(order, pa.int64()))


def read_buckets(folder):
    """Return the sorted rows of each bucket, by the name of its folder."""
    return {
        path.name: sorted(
            pa.dataset.dataset(path, format="parquet").to_table().to_pylist(),
            key=lambda row: row["group"],
        )
        for path in Path(folder).iterdir()
    }
