"""`evenfold split` on a large parquet file, beside reading its label column with pyarrow."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from .sections.settings import Settings
from .tables import RecordTable
from .timing import time_in_turns

_N_ROWS = 5_000_000
_ROWS_PER_BATCH = 500_000
FORMATS = {
    "labels": "",
    "split": "",
    "times reading": ".1f",
    "s": ".1f",
    "peak MB": "",
}
NOTE = """
Times are those of whole processes, in turns, the minimum of three runs. 'times reading' is divided
by reading the label column with pyarrow."""
# Runs in a process of its own. It prints its peak memory in MB last (Linux).
_MEASURED_PROGRAM = """
import resource, sys
{code}
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, file=sys.stderr)
"""
_READ = "import pyarrow.parquet as pq; pq.read_table(sys.argv[1], columns=['tags'])"
_SPLIT = """
from evenfold.cli.main import evenfold
options = ["--labels", "tags", "--parts", "0.8,0.1,0.1", "--force", "--quiet", *sys.argv[2:]]
evenfold(["split", sys.argv[1], *options], standalone_mode=False)
"""


def measure_files(_: Settings) -> list[dict[str, object]]:
    """Return a record for each split of a file with a column of lists, or of text."""
    with tempfile.TemporaryDirectory() as folder:
        lists, texts = Path(folder) / "lists.parquet", Path(folder) / "texts.parquet"
        write_lists(lists, _N_ROWS)
        write_texts(lists, texts)
        size = lists.stat().st_size / 2**20
        table = RecordTable(f"Split {_N_ROWS:,} rows of parquet, {size:.0f} MB", FORMATS)
        out = ["-o", f"{folder}/out.parquet"]
        with_column = {
            "even": out,
            "even, order 1": [*out, "--order", "1"],
            "iterative": [*out, "--method", "iterative"],
        }
        compare(table, lists, "lists", with_column)
        compare(table, lists, "lists", {"even, one file per part": ["-o", f"{folder}/parts"]})
        compare(table, texts, "text", {"even": [*out, "--separator", "|"]})
    print(NOTE)
    return table.records


def compare(
    table: RecordTable, path: Path, labels: str, options_of_job: dict[str, list[str]]
) -> None:
    """Add a record for each split of a file, beside reading its label column."""
    peak: dict[str, int] = {}

    def run(name: str, code: str, options: list[str]) -> None:
        done = subprocess.run(
            [sys.executable, "-c", _MEASURED_PROGRAM.format(code=code), str(path), *options],
            check=True,
            capture_output=True,
            text=True,
        )
        peak[name] = int(done.stderr.split()[-1])

    jobs = {"reading alone": (_READ, [])} | {
        name: (_SPLIT, options) for name, options in options_of_job.items()
    }
    seconds = time_in_turns(
        {name: lambda name=name: run(name, *jobs[name]) for name in jobs}, repeats=3
    )
    for name, taken in seconds.items():
        ratio = taken / seconds["reading alone"]
        table.add(
            {
                "labels": labels,
                "split": name,
                "times reading": ratio,
                "s": taken,
                "peak MB": peak[name],
            }
        )


def write_texts(source: Path, target: Path) -> None:
    """Write the same labels as one text per row, with | between them."""
    with pq.ParquetFile(source) as file:
        writer = None
        for at in range(file.num_row_groups):
            table = file.read_row_group(at)
            table = table.set_column(2, "tags", pc.binary_join(table.column("tags"), "|"))
            writer = writer or pq.ParquetWriter(target, table.schema)
            writer.write_table(table)
    assert writer is not None
    writer.close()


def write_lists(path: Path, n_rows: int) -> None:
    """Write an id, a number and about five of a thousand labels, with Zipf frequencies."""
    rng = np.random.default_rng(0)
    frequency = 1 / np.arange(1, 1001) ** 0.8
    names = pa.array([f"label_{number:04d}" for number in range(1000)])
    writer = None
    for start in range(0, n_rows, _ROWS_PER_BATCH):
        lengths = rng.poisson(5, min(_ROWS_PER_BATCH, n_rows - start))
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
