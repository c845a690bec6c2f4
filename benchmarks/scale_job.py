"""One split of the large set, in a process of its own: prints a line of JSON.

    python -m benchmarks.scale_job '{"data": [...], "parts": 5, "output": ..., "engine": "dask"}'

The keys are the arguments of `evenfold.scale.split`; with `"in_memory": true` the labels are read
and split by `evenfold.split`. `python -m benchmarks.scale` starts it and samples its memory.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from pathlib import Path

import numpy as np

import evenfold
import evenfold.scale

from .processes import PassClock
from .scale_data import read_matrix


def split_scaled(arguments: dict[str, object]) -> dict[str, object]:
    """Split files, and return the quality of the split and the times of its passes."""
    clock = PassClock()
    start = time.perf_counter()
    split = evenfold.scale.split(**arguments, progress=clock)
    clock.finish()
    n_parts = len(split.sizes)
    return {
        "scheme": split.scheme,
        "n_rows": int(split.n_rows),
        "n_entries": int(np.sum(split.counts)),
        "wall": time.perf_counter() - start,
        "passes": clock.passes,
        "excess": float(split.excess),
        "rows_off": float(np.abs(np.array(split.sizes) - split.n_rows / n_parts).max()),
        "digest": split.digest,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }


def split_in_memory(data: list[str], parts: int) -> dict[str, object]:
    """Split the labels of files by `evenfold.split`, and return its processor time."""
    y = read_matrix([Path(path) for path in data])
    evenfold.split(y[:20_000], parts, order=1)
    start = time.process_time()
    split = evenfold.split(y, parts, order=1)
    seconds = time.process_time() - start
    return {
        "n_entries": y.nnz,
        "CPU": seconds,
        "excess": split.quality.excess,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }


def main() -> None:
    """Run the job of the command line."""
    arguments = json.loads(sys.argv[1])
    if arguments.pop("in_memory", False):
        result = split_in_memory(**arguments)
    else:
        result = split_scaled(arguments)
    print(json.dumps(result))


if __name__ == "__main__":
    main()
