"""`evenfold split` on a parquet file of five million rows, beside reading its label column with pyarrow alone. Part of `make bench`."""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
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
evenfold(["split", sys.argv[1], "--labels", "tags", "--parts", "0.8,0.1,0.1", "--force", "--quiet", *sys.argv[2:]], standalone_mode=False)
"""


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=5_000_000)
    n_rows = parser.parse_args().rows
    with tempfile.TemporaryDirectory() as folder:
        lists, texts = Path(folder) / "lists.parquet", Path(folder) / "texts.parquet"
        write_parquet(lists, n_rows)
        write_joined(lists, texts)
        size = lists.stat().st_size / 2**20
        print(f"## Split {n_rows:,} rows of parquet, {size:.0f} MB\n")
        print("Times are of whole processes, start included, in turns, the least of three runs.\n")
        print("| | times reading the label column with pyarrow alone | peak memory |")
        print("|---|---|---|")
        out = ["-o", f"{folder}/out.parquet"]
        compare(
            lists,
            "a column of lists",
            {
                "even": out,
                "even, order 1": [*out, "--order", "1"],
                "iterative": [*out, "--method", "iterative"],
            },
        )
        compare(
            lists, "a column of lists", {"even, a file for each part": ["-o", f"{folder}/parts"]}
        )
        compare(texts, "a column of text", {"even": [*out, "--separator", "|"]})


def compare(path: Path, title: str, words_of_job: dict[str, list[str]]) -> None:
    """Print a line for each split of a file, beside reading its label column."""
    peak: dict[str, str] = {}

    def run(name: str, code: str, words: list[str]) -> None:
        done = subprocess.run(
            [sys.executable, "-c", _MEASURED.format(code=code), str(path), *words],
            check=True,
            capture_output=True,
            text=True,
        )
        peak[name] = done.stderr.split()[-1]

    jobs = {"pyarrow alone": (_READ, [])} | {
        name: (_SPLIT, words) for name, words in words_of_job.items()
    }
    seconds = time_together(
        {name: lambda name=name: run(name, *jobs[name]) for name in jobs}, repeats=3
    )
    for name, taken in seconds.items():
        print(
            f"| {title}: {name} | {taken / seconds['pyarrow alone']:.1f} | {peak[name]} MB |",
            flush=True,
        )


def write_joined(source: Path, target: Path) -> None:
    """Write the same labels as one text a row, | between them."""
    with pq.ParquetFile(source) as file:
        writer = None
        for at in range(file.num_row_groups):
            table = file.read_row_group(at)
            table = table.set_column(2, "tags", pc.binary_join(table.column("tags"), "|"))
            writer = writer or pq.ParquetWriter(target, table.schema)
            writer.write_table(table)
    assert writer is not None
    writer.close()


def write_parquet(path: Path, n_rows: int) -> None:
    """Write an id, a number and a list of five labels on average, of a thousand with Zipf frequencies."""
    rng = np.random.default_rng(0)
    frequency = 1 / np.arange(1, 1001) ** 0.8
    names = pa.array([f"label_{number:04d}" for number in range(1000)])
    writer = None
    for start in range(0, n_rows, _ROWS_AT_ONCE):
        lengths = rng.poisson(5, min(_ROWS_AT_ONCE, n_rows - start))
        codes = rng.choice(1000, lengths.sum(), p=frequency / frequency.sum())
        tags = pa.ListArray.from_arrays(
            np.concatenate(([0], np.cumsum(lengths))).astype(np.int32), names.take(pa.array(codes))
        )
        table = pa.table(
            {
                "id": np.arange(start, start + len(lengths)),
                "score": rng.random(len(lengths)),
                "tags": tags,
            }
        )
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    assert writer is not None
    writer.close()


if __name__ == "__main__":
    main()
