"""Keys: a column that must be different in every row of all partitions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..exceptions import InputError
from .passes import Task, name_result
from .work_folder import WorkFolder

# Keys are compared in this many ranges of their hashes, so that only a share is in memory at once.
_N_RANGES = 16


def check_keys(work: WorkFolder, tasks: Sequence[Task], column: str) -> None:
    """Refuse a key that two partitions have; within one it was refused when it was read."""
    edges = [np.uint64(at * (2**64 // _N_RANGES)) for at in range(_N_RANGES)]
    keys_of = [work.load(name_result("units", task.number), ["keys"])["keys"] for task in tasks]
    places = [np.append(np.searchsorted(keys, edges), len(keys)) for keys in keys_of]
    for at in range(_N_RANGES):
        pieces = [
            own[place[at] : place[at + 1]] for own, place in zip(keys_of, places, strict=True)
        ]
        joined = np.sort(np.concatenate(pieces))
        n_repeated = int((joined[1:] == joined[:-1]).sum())
        if n_repeated:
            raise InputError(
                f"must be different in every row, got {n_repeated:,} repeated values or more in "
                f"column '{column}', in different files. Name another column.",
                parameter="key",
            )
