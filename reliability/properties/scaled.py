"""Splits of files by `evenfold.scale.split`, of data that fits into memory."""

from __future__ import annotations

import hashlib
import itertools
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

import evenfold
from evenfold.exceptions import ImpossibleSplit

from .cases import draw_labels
from .forms import list_labels
from .registry import Subject, skip


@dataclass
class Files:
    """Rows in several files."""

    y: NDArray[np.int64]
    cuts: list[int]
    parts: Any
    groups: NDArray[np.int64] | None
    seed: int

    def describe(self) -> Mapping[str, str]:
        """Return what the files are counted by."""
        return {
            "input form": "Parquet files",
            "groups": "none" if self.groups is None else "unequal",
        }


def draw_files(rng: np.random.Generator) -> Files:
    """Draw one to three files."""
    n_rows = int(rng.integers(6, 41))
    y = draw_labels(rng, n_rows, may_be_unknown=False)
    cuts = sorted(rng.choice(n_rows, int(rng.integers(0, 3)), replace=False).tolist())
    parts = 3 if rng.random() < 0.5 else {"train": 0.75, "test": 0.25}
    groups = np.arange(n_rows) // 2 if rng.random() < 0.3 else None
    return Files(y, cuts, parts, groups, int(rng.integers(100)))


FILES = Subject("files", draw_files, 1, Files.describe)


@FILES.holds(
    "evenfold.scale.split: Data that fits into `memory` gets the same split as from "
    "`evenfold.split`, to the row.",
    "evenfold.scale.split: The input is not changed.",
)
def files_get_the_split_of_their_rows(files: Files) -> None:
    """The column of parts in the written files, read in the order of the input."""
    keywords: dict[str, Any] = {"random_state": files.seed}
    labels = list_labels(files.y)
    try:
        expected = evenfold.split(labels, files.parts, groups=files.groups, **keywords)
    except ImpossibleSplit:
        skip()
    columns: dict[str, Any] = {"tags": pa.array(labels, pa.list_(pa.string()))}
    if files.groups is not None:
        columns["patient"] = files.groups
        keywords["groups"] = "patient"
    table = pa.table(columns)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "data")
        folder.mkdir()
        ends = [0, *files.cuts, len(files.y)]
        for number, (first, last) in enumerate(itertools.pairwise(ends)):
            pq.write_table(table.slice(first, last - first), folder / f"{number}.parquet")
        before = _hash_files(folder)
        evenfold.scale.split(
            folder, files.parts, labels="tags", output=Path(name, "out"), **keywords
        )
        assert _hash_files(folder) == before
        written = sorted(Path(name, "out").rglob("*.parquet"))
        found = [part for path in written for part in pq.read_table(path)["part"].to_pylist()]
    assert found == [expected.names[part] for part in expected.part_of_row]


def _hash_files(folder: Path) -> dict[str, str]:
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}
