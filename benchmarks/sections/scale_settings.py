"""What the sections of `benchmarks.scale` share: settings, and scaled splits of a matrix."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy import sparse

import evenfold
import evenfold.scale

from ..data import read_labels
from ..scale_data import read_parts, write_partitions
from .settings import Parts

N_PARTITIONS = 64
# So little that no set of the benchmark is split in memory.
MEMORY = "1MB"


class ScaleSettings(NamedTuple):
    """The folder of the data, the folder of large files, seeds, and the share of the large set."""

    folder: Path | None
    work: Path
    seeds: Sequence[int]
    share: float

    def read_stored(self, name: str) -> sparse.csr_array | None:
        """Return the labels of a stored set, or None if it is not there."""
        return None if self.folder is None else read_labels(self.folder, name)


class Way(NamedTuple):
    """A scheme, and the share of the entries that it may gather; None if it gathers none."""

    name: str
    budget: float | None

    @property
    def options(self) -> dict[str, object]:
        """The arguments of `evenfold.scale.split`."""
        if self.budget is None:
            return {"memory": MEMORY}
        return {"memory": MEMORY, "engine": "sync", "budget": self.budget}


STREAM = Way("stream", None)
IN_MEMORY = Way("in memory", None)


def gather(budget: float) -> Way:
    """Return the scheme that gathers a share of the entries."""
    return Way("gather", budget)


def split_partitions(
    y: sparse.csr_array,
    starts: Sequence[int] | np.ndarray,
    parts: Parts,
    way: Way,
    seed: int,
    groups: np.ndarray | None = None,
) -> np.ndarray:
    """Write a matrix as one file from each start, split the files, and return the parts of rows."""
    options = {"parts": list_parts(parts), "random_state": seed, **way.options}
    if groups is not None:
        options["groups"] = "group"

    def run(paths: list[str], output: str) -> Sequence[str]:
        return evenfold.scale.split(paths, labels="labels", output=output, **options).names

    return run_on_files(y, starts, run, groups)


def extend_partitions(
    y: sparse.csr_array,
    starts: Sequence[int] | np.ndarray,
    n_first: int,
    parts: Parts,
    way: Way,
    seed: int,
) -> np.ndarray:
    """Split the first partitions, extend the split by the others, and return the parts of rows."""
    if way is IN_MEMORY:
        first = evenfold.split(y[: starts[n_first]], list_parts(parts), order=1, random_state=seed)
        return evenfold.extend(first, y, order=1, random_state=seed).part_of_row

    def run(paths: list[str], output: str) -> Sequence[str]:
        evenfold.scale.split(
            paths[:n_first],
            list_parts(parts),
            labels="labels",
            output=output,
            random_state=seed,
            **way.options,
        )
        return evenfold.scale.extend(output, paths[n_first:], **way.options).names

    return run_on_files(y, starts, run)


def run_on_files(
    y: sparse.csr_array,
    starts: Sequence[int] | np.ndarray,
    run: Callable[[list[str], str], Sequence[str]],
    groups: np.ndarray | None = None,
) -> np.ndarray:
    """Write a matrix as files, run a job that writes their parts, and return the parts of rows."""
    with tempfile.TemporaryDirectory() as folder:
        paths = write_partitions(Path(folder) / "data", y, starts, groups)
        output = Path(folder) / "output"
        names = run(list(map(str, paths)), str(output))
        return read_parts([output / path.name for path in paths], names)


def list_parts(parts: Parts) -> int | list[float]:
    """Return parts as a split takes them."""
    return parts if isinstance(parts, int) else list(parts)


def find_starts(n_rows: int, n_partitions: int = N_PARTITIONS) -> np.ndarray:
    """Return the first row of each of several partitions of nearly the same size."""
    return np.arange(n_partitions) * n_rows // n_partitions


def measure_excess(
    y: sparse.csr_array, part_of_row: np.ndarray, parts: Parts, groups: np.ndarray | None = None
) -> float:
    """Return by how many percent rLD is over its bound."""
    return 100 * evenfold.measure(y, part_of_row, list_parts(parts), groups=groups).excess


def find_worst(records: Sequence[Mapping[str, float]], column: str) -> Mapping[str, float]:
    """Return the record with the largest value in a column."""
    return max(records, key=lambda record: record[column])
