"""`evenfold split` on a parquet file of five million rows, beside reading its label column with pyarrow alone. Part of `make bench`."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from .timing import time_together

_ROWS_AT_ONCE = 500_000
# Run in a process of its own: what it prints last is its peak memory in MB (Linux).
_MEASURED = """
import resource, sys
{code}
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, file=sys.stderr)
"""
_READ = "import pyarrow.parquet as pq; pq.read_table(sys.argv[1], columns=['tags'])"
_SPLIT = """
from evenfold.cli.main import evenfold
evenfold(["split", sys.argv[1], "--labels", "tags", "--parts", "0.8,0.1,0.1", "-o", sys.argv[1] + ".out.parquet", "--force", "--quiet", *sys.argv[2:]],
    standalone_mode=False)
"""


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=5_000_000)
    n_rows = parser.parse_args().rows
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "made.parquet"
        write_parquet(path, n_rows)
        print(f"## Split {n_rows:,} rows of parquet, {path.stat().st_size / 2**20:.0f} MB, with a part column\n")
        print("Times are of whole processes, start included, in turns, the least of three runs.\n")
        print("| | times reading the label column with pyarrow alone | peak memory |")
        print("|---|---|---|")
        jobs = {"pyarrow alone": (_READ, []), "even": (_SPLIT, []), "even, order 1": (_SPLIT, ["--order", "1"])}
        jobs["iterative"] = (_SPLIT, ["--method", "iterative"])
        peak: dict[str, str] = {}

        def job(title: str) -> None:
            code, words = jobs[title]
            done = subprocess.run([sys.executable, "-c", _MEASURED.format(code=code), str(path), *words], check=True, capture_output=True, text=True)
            peak[title] = done.stderr.split()[-1]

        seconds = time_together({title: lambda title=title: job(title) for title in jobs}, repeats=3)
        for title, taken in seconds.items():
            print(f"| {title} | {taken / seconds['pyarrow alone']:.1f} | {peak[title]} MB |")


def write_parquet(path: Path, n_rows: int) -> None:
    """Write an id, a number and a list of five labels on average, of a thousand with Zipf frequencies."""
    rng = np.random.default_rng(0)
    frequency = 1 / np.arange(1, 1001) ** 0.8
    names = pa.array([f"label_{number:04d}" for number in range(1000)])
    writer = None
    for start in range(0, n_rows, _ROWS_AT_ONCE):
        lengths = rng.poisson(5, min(_ROWS_AT_ONCE, n_rows - start))
        codes = rng.choice(1000, lengths.sum(), p=frequency / frequency.sum())
        tags = pa.ListArray.from_arrays(np.concatenate(([0], np.cumsum(lengths))).astype(np.int32), names.take(pa.array(codes)))
        table = pa.table({"id": np.arange(start, start + len(lengths)), "score": rng.random(len(lengths)), "tags": tags})
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    assert writer is not None
    writer.close()


if __name__ == "__main__":
    main()
