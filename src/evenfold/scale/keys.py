"""Keys: a column that must be different in every row of all partitions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..exceptions import InputError
from .passes import name_result
from .work_folder import WorkFolder

# So many keys are compared at once, those in one range of their hashes: they take 0.8 GB.
_KEYS_AT_ONCE = 50_000_000


def check_keys(work: WorkFolder, rows_of_partition: Sequence[int], column: str) -> None:
    """Refuse a key that two partitions have; within one it was refused when it was read."""
    n_ranges = max(1, -(-sum(rows_of_partition) // _KEYS_AT_ONCE))
    edges = [at * (2**64 // n_ranges) for at in range(n_ranges)]
    for at in range(n_ranges):
        pieces = []
        for number in range(len(rows_of_partition)):
            keys = work.load(name_result("units", number), ["keys"])["keys"]
            places = [*np.searchsorted(keys, np.array(edges, np.uint64)), len(keys)]
            pieces.append(keys[places[at] : places[at + 1]])
        joined = np.sort(np.concatenate(pieces))
        n_repeated = int((joined[1:] == joined[:-1]).sum())
        if n_repeated:
            raise InputError(
                f"must be different in every row, got {n_repeated:,} repeated values or more in "
                f"column '{column}', in different partitions. Name another column.",
                parameter="key",
            )
