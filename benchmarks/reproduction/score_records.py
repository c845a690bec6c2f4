"""Scores of learners that were computed before, in a JSON file that is part of the repository.

A record is kept with a checksum of its folds. If a method makes other folds now, the record is
computed again.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

PATH = Path(__file__).parent.parent / "estimates.json"

# For each metric a few numbers, such as its mean and std over folds.
Scores = dict[str, dict[str, float | None]]


class ScoreRecords:
    """Records by a key: the experiment, data set, learner, method and seed."""

    def __init__(self, path: Path = PATH) -> None:
        self._path = path
        self._records = self._read()

    def find(
        self, key: tuple[str | int, ...], folds: NDArray[np.int32], compute: Callable[[], Scores]
    ) -> Scores:
        """Return the scores of a key, from the file or computed and added to it."""
        name = ", ".join(map(str, key))
        checksum = zlib.crc32(np.ascontiguousarray(folds, np.int32).tobytes())
        record = self._records.get(name)
        if record is None or record["folds"] != checksum:
            record = {"folds": checksum, "scores": compute()}
            # Another process may have added records meanwhile.
            self._records = {**self._read(), name: record}
            self._write()
        scores = record["scores"]
        assert isinstance(scores, dict)
        return scores

    def has(self, key: tuple[str | int, ...]) -> bool:
        """Return whether there is a record, whatever its folds."""
        return ", ".join(map(str, key)) in self._records

    def _read(self) -> dict[str, dict[str, Scores | int]]:
        return json.loads(self._path.read_text(encoding="utf-8")) if self._path.exists() else {}

    def _write(self) -> None:
        lines = (
            f"{json.dumps(name)}: {json.dumps(record)}"
            for name, record in sorted(self._records.items())
        )
        temporary = self._path.with_suffix(".new")
        temporary.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
        temporary.replace(self._path)


def round_scores(scores: Scores) -> Scores:
    """Return the scores with six significant digits, which is more than any table shows."""
    return {
        metric: {
            name: None if value is None or np.isnan(value) else float(f"{value:.6g}")
            for name, value in own.items()
        }
        for metric, own in scores.items()
    }
