"""Passes of a split in which a process is killed, and the data that is split."""

import importlib
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple
from unittest import mock

import numpy as np
import pyarrow as pa

import evenfold
from evenfold.scale.locations import list_files

from .engine_tasks import NumberTask, check_killed, note_run
from .partitioned import write_partitions

# Where the functions of passes are found when a split is run.
PASSES = {
    "read": ("evenfold.scale.run", "read_units"),
    "count": ("evenfold.scale.run", "count_criteria"),
    "ladder": ("evenfold.scale.run", "make_ladder"),
    "stay": ("evenfold.scale.run", "count_staying"),
    "place": ("evenfold.scale.run", "place_by_quotas"),
    "parts": ("evenfold.scale.run", "find_parts"),
    "write": ("evenfold.scale.job", "write_partition"),
}
PASSES_OF_GROUPS = PASSES | {
    "shuffle of groups": ("evenfold.scale.run", "list_group_lines"),
    "bucket": ("evenfold.scale.run", "collect_groups"),
    "large": ("evenfold.scale.run", "take_large"),
    "shuffle of parts": ("evenfold.scale.run", "list_group_parts"),
}
# The task that is killed. Others have results already.
KILLED = 2
# Three sections of the files, and four buckets of their groups.
ENTRIES_OF_SECTION = 300


class KilledPass(NamedTuple):
    """A function of a pass whose process is killed once, when it writes, or else at its end.

    Workers find the function in its module: only the driver has this object in its place.
    """

    module: str
    name: str
    runs: str
    victim: str

    def __call__(self, *args):
        """Run the function for the task among the arguments."""
        [number] = [each.number for each in args if hasattr(each, "number")]
        run = NumberTask(number, self.runs, KILLED, self.victim)
        function = getattr(importlib.import_module(self.module), self.name)
        with mock.patch("os.fsync", side_effect=lambda _: note_run(run)):
            result = function(*args)
        note_run(run)
        return result


def write_files(folder):
    """Write made-up rows as five files, one of them without rows."""
    folder.mkdir()
    rng = np.random.default_rng(0)
    shares = 1 / np.arange(2, 22)
    tables = []
    for n_rows in (90, 0, 120, 10, 80):
        rows = [np.flatnonzero(row).tolist() for row in rng.random((n_rows, 20)) < shares]
        columns = {
            "id": pa.array([f"{len(tables)}-{row}" for row in range(n_rows)], pa.string()),
            "labels": pa.array(rows, pa.list_(pa.int64())),
            "who": pa.array(rng.integers(0, 40, n_rows), pa.int64()),
            "age": pa.array(rng.random(n_rows), pa.float64()),
        }
        tables.append(pa.table(columns))
    write_partitions(folder, tables)
    return folder


def split_files(data, output, engine, groups, **others):
    """Split files past memory by an engine; with and without groups, all passes are run."""
    with mock.patch("evenfold.scale.sections.ENTRIES_OF_SECTION", ENTRIES_OF_SECTION):
        return evenfold.scale.split(
            data,
            5,
            labels="labels",
            groups="who" if groups else None,
            balance="age",
            memory=0,
            engine=engine,
            output=output,
            **others,
        )


def read_all(folder):
    """Return the bytes of all files in a folder, hidden ones too, by their paths."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in Path(folder).rglob("*")
        if path.is_file()
    }


def check_killed_passes(data, folder, engine, groups, victim="worker"):
    """Check that a split is the same if a process is killed in each of its passes."""
    passes = PASSES_OF_GROUPS if groups else PASSES
    with ExitStack() as stack:
        for name, (module, function) in passes.items():
            runs = folder / name
            runs.mkdir(parents=True)
            killed = KilledPass(module, function, str(runs), victim)
            stack.enter_context(mock.patch(f"{module}.{function}", killed))
        found = split_files(data, folder / "out", engine, groups)
    for name in passes:
        check_killed(folder / name, KILLED)
    plain = split_files(data, folder / "plain", "sync", groups)
    assert found.digest == plain.digest
    assert read_all(folder / "out") == read_all(folder / "plain")
    assert len(list_files(folder / "out")) == 5
