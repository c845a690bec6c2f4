"""Measures of splits that were made before, in a JSON file that is part of the repository.

A record is kept with a stamp: a checksum of the labels, and one of the splits that its method makes
of small generated data. If one of them changes, the record is made again. A change of a method that
shows only on other data is not recognised; `make reproduce FRESH=1` reads no records.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

import evenfold

PATH = Path(__file__).parent.parent / "splits.json"

# Of one run: the measures, their bounds and the seconds.
Run = tuple[list[float], list[float], float]


class SplitRecords:
    """Runs by the data set, the parts and the method, one for each of the first seeds.

    Fresh records are not read, but written.
    """

    def __init__(self, path: Path = PATH, is_fresh: bool = False) -> None:
        self._path = path
        self._is_fresh = is_fresh
        self._records: dict[str, dict[str, Any]] = self._read()

    def find(self, key: str, stamp: str) -> list[Run]:
        """Return the runs of a key; none if there are none with this stamp."""
        record = None if self._is_fresh else self._records.get(key)
        if record is None or record["stamp"] != stamp:
            return []
        values = record["values"]
        # Bounds are the same in all runs if the sizes of the parts are.
        bounds = record["bounds"] * (len(values) if len(record["bounds"]) == 1 else 1)
        return list(zip(values, bounds, record["seconds"], strict=True))

    def put(self, key: str, stamp: str, runs: list[Run]) -> None:
        """Keep the runs of a key, and write the file."""
        values, bounds, seconds = (list(own) for own in zip(*runs, strict=True))
        if all(own == bounds[0] for own in bounds):
            bounds = bounds[:1]
        record = {"stamp": stamp, "values": values, "bounds": bounds, "seconds": seconds}
        # Another process may have added records meanwhile.
        self._records = {**self._read(), key: record}
        lines = (
            f"{json.dumps(name, ensure_ascii=False)}: {json.dumps(own)}"
            for name, own in sorted(self._records.items())
        )
        temporary = self._path.with_suffix(".new")
        temporary.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
        temporary.replace(self._path)

    def _read(self) -> dict[str, dict[str, Any]]:
        return json.loads(self._path.read_text(encoding="utf-8")) if self._path.exists() else {}


def round_run(values: list[float], bounds: list[float], seconds: float) -> Run:
    """Return a run with seven significant digits, and milliseconds."""

    def round_all(numbers: list[float]) -> list[float]:
        return [float(f"{number:.7g}") for number in numbers]

    return round_all(values), round_all(bounds), round(seconds, 3)


def make_stamp(y: sparse.csr_array, options: Mapping[str, Any]) -> str:
    """Return what decides the splits of labels: these, and what the method does."""
    return f"{sum_labels(y):08x} {sum_splits(options):08x}"


def sum_labels(y: sparse.csr_array) -> int:
    """Return a checksum of a label matrix."""
    checksum = zlib.crc32(np.asarray(y.shape, np.int64).tobytes())
    for indices in (y.indptr, y.indices):
        checksum = zlib.crc32(indices.astype(np.int64).tobytes(), checksum)
    return checksum


def sum_splits(options: Mapping[str, Any]) -> int:
    """Return a checksum of the splits of small data with these options of `evenfold.split`."""
    checksum = 0
    for y in make_small_data():
        for parts in (5, (2 / 3, 1 / 3)):
            split = evenfold.split(y, parts, random_state=0, **options)
            checksum = zlib.crc32(split.part_of_row.astype(np.int64).tobytes(), checksum)
    return checksum


@cache
def make_small_data() -> tuple[sparse.csr_array, ...]:
    """Return generated labels: with rare ones, with many in each row, and with few."""
    return (
        evenfold.datasets.make_zipf(600, 80, 4, random_state=0),
        evenfold.datasets.make_ontology(400, 60, random_state=0)[0],
        evenfold.datasets.make_zipf(300, 6, 2, random_state=0),
    )
