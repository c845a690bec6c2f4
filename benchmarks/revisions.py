"""Splits by two revisions of evenfold, each in a process of its own."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from .data import make_amounts, read_groups, read_set
from .timing import time_job

ROOT = Path(__file__).resolve().parent.parent
# The name of the generated amounts, beside the names of the label matrices.
AMOUNTS = "made_amounts"


@contextlib.contextmanager
def check_out(revision: str) -> Iterator[Path]:
    """Yield a folder that holds the files of a revision."""
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        command = ["git", "worktree"]
        subprocess.run(
            [*command, "add", "--detach", "-q", str(tree), revision], cwd=ROOT, check=True
        )
        try:
            yield tree
        finally:
            subprocess.run([*command, "remove", "--force", str(tree)], cwd=ROOT, check=True)


class Worker:
    """A process that splits with the evenfold of a source tree, with a compile cache of its own."""

    def __init__(self, source: Path, folder: Path | None) -> None:
        self._source, self._folder = source, folder
        self._files = tempfile.TemporaryDirectory()
        data = [] if folder is None else ["--data", str(folder.resolve())]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.revisions", *data],
            env={**os.environ, "PYTHONPATH": str(source), "NUMBA_CACHE_DIR": self._files.name},
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def split(self, name: str, **arguments: object) -> tuple[float, np.ndarray]:
        """Return the seconds of processor time of a split, and the part of each row.

        `name` is the data set. The arguments are those of `evenfold.split`; `groups=True` stands
        for the groups of the set.
        """
        path = Path(self._files.name) / "part_of_row.npy"
        request = {"name": name, "arguments": arguments, "path": str(path)}
        self._process.stdin.write(json.dumps(request) + "\n")  # type: ignore[union-attr]
        self._process.stdin.flush()  # type: ignore[union-attr]
        reply = self._process.stdout.readline()  # type: ignore[union-attr]
        return float(json.loads(reply)), np.load(path)

    def start_again(self) -> Worker:
        """Return another worker of the same source tree, which has nothing compiled yet."""
        return Worker(self._source, self._folder)

    def close(self) -> None:
        """End the process and remove its files."""
        self._process.stdin.close()  # type: ignore[union-attr]
        self._process.wait()
        self._files.cleanup()


@contextlib.contextmanager
def start_workers(revision: str, folder: Path | None) -> Iterator[dict[str, Worker]]:
    """Yield a worker of another revision, 'old', and one of the present files, 'new'."""
    with check_out(revision) as tree, contextlib.ExitStack() as stack:
        workers = {}
        for title, source in {"old": tree / "src", "new": ROOT / "src"}.items():
            workers[title] = Worker(source, folder)
            stack.callback(workers[title].close)
        yield workers


def serve(folder: Path | None) -> None:
    """Split as the lines of the standard input say; print the seconds of each."""
    import evenfold

    @cache
    def read(name: str) -> dict[str, Any]:
        return {"balance": make_amounts()} if name == AMOUNTS else {"y": read_set(folder, name)}

    for line in sys.stdin:
        request: Mapping[str, Any] = json.loads(line)
        arguments = {**read(request["name"]), **request["arguments"]}
        if arguments.get("groups"):
            groups = read_groups(folder, request["name"])  # type: ignore[arg-type]
            arguments["groups"] = np.unique(groups, return_inverse=True)[1]
        seconds, s = time_job(lambda arguments=arguments: evenfold.split(**arguments))
        np.save(request["path"], s.part_of_row)
        print(json.dumps(seconds), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=serve.__doc__)
    parser.add_argument("--data", type=Path)
    serve(parser.parse_args().data)
