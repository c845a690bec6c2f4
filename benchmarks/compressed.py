"""`evenfold split` on a compressed csv file, beside the plain file.

The times are processor time: a process that decompresses in another thread gains nothing.
"""

from __future__ import annotations

import gzip
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from .sections.settings import Settings
from .tables import RecordTable

_N_ROWS = 1_000_000
_N_REPEATS = 5
FORMATS = {
    "codec": "",
    "output": "",
    "decompressing s": ".2f",
    "plain s": ".2f",
    "compressed s": ".2f",
    "over the sum": ".2f",
    "plain MB": ".0f",
    "compressed MB": ".0f",
}
_LABELS = 300
_DECOMPRESS = """
import pyarrow as pa, resource, sys
before = resource.getrusage(resource.RUSAGE_SELF)
with pa.CompressedInputStream(sys.argv[1], sys.argv[2]) as file:
    while file.read(4 << 20):
        pass
after = resource.getrusage(resource.RUSAGE_SELF)
print(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
"""
# It prints its processor time and its peak memory in MB last (Linux).
_SPLIT = """
import resource, sys
from evenfold.cli.main import evenfold
options = ["--labels", "tags", "--separator", "|", "--parts", "0.8,0.1,0.1", "--force", "--quiet"]
evenfold(["split", sys.argv[1], *options, *sys.argv[2:]], standalone_mode=False)
own = resource.getrusage(resource.RUSAGE_SELF)
print(own.ru_utime + own.ru_stime, own.ru_maxrss // 1024)
"""
_GZIP_LEVEL = 6


def measure_compressed(_: Settings) -> list[dict[str, object]]:
    """Return a record for each codec and output."""
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "data.csv"
        write_csv(plain, _N_ROWS)
        size = plain.stat().st_size / 2**20
        table = RecordTable(
            f"Split {_N_ROWS:,} rows of compressed csv, {size:.0f} MB of text", FORMATS
        )
        for codec in ("gzip", "zstd"):
            compare(table, plain, codec)
    print("\nProcessor time and peak memory of whole processes, in turns, the least of the runs.")
    return table.records


def compare(table: RecordTable, plain: Path, codec: str) -> None:
    """Add a record for each output, beside decompressing and the split of the plain file."""
    packed = compress(plain, codec)
    parts = ["-o", str(plain.parent / "parts") + "/"]
    for title, options in {"none": [], "one file per part": parts}.items():
        jobs: dict[str, Callable[[], list[float]]] = {
            "decompressing": lambda: run(_DECOMPRESS, [str(packed), codec]),
            "plain": lambda options=options: run(_SPLIT, [str(plain), *options]),
            "compressed": lambda options=options: run(_SPLIT, [str(packed), *options]),
        }
        found: dict[str, list[list[float]]] = {name: [] for name in jobs}
        for _ in range(_N_REPEATS):
            for name, job in jobs.items():
                found[name].append(job())
        seconds = {name: min(values[0] for values in found[name]) for name in jobs}
        memory = {name: max(values[-1] for values in found[name]) for name in jobs}
        over = seconds["compressed"] / (seconds["decompressing"] + seconds["plain"])
        table.add(
            {
                "codec": codec,
                "output": title,
                **{f"{name} s": taken for name, taken in seconds.items()},
                "over the sum": over,
                **{f"{name} MB": memory[name] for name in ("plain", "compressed")},
            }
        )


def run(code: str, words: Sequence[str]) -> list[float]:
    """Run a program in a process of its own and return the numbers that it prints."""
    done = subprocess.run(
        [sys.executable, "-c", code, *words], check=True, capture_output=True, text=True
    )
    return list(map(float, done.stdout.split()))


def compress(plain: Path, codec: str) -> Path:
    """Compress a file as users do, and return the new one."""
    packed = plain.with_name(plain.name + {"gzip": ".gz", "zstd": ".zst"}[codec])
    content = plain.read_bytes()
    if codec == "gzip":
        packed.write_bytes(gzip.compress(content, _GZIP_LEVEL))
    else:
        with pa.CompressedOutputStream(str(packed), codec) as file:
            file.write(content)
    return packed


def write_csv(path: Path, n_rows: int) -> None:
    """Write an id, a text, a number, a group and about two of 300 labels."""
    rng = np.random.default_rng(0)
    frequency = 1 / np.arange(1, _LABELS + 1) ** 0.8
    lengths = rng.poisson(2, n_rows)
    codes = rng.choice(_LABELS, lengths.sum(), p=frequency / frequency.sum()).tolist()
    scores, at = rng.random(n_rows), 0
    with path.open("w") as file:
        file.write("id,title,score,patient,tags\n")
        for row, length in enumerate(lengths.tolist()):
            tags = "|".join(f"label_{code:03d}" for code in codes[at : at + length])
            at += length
            title = f"title {row * 7919 % n_rows} of a row"
            file.write(f"{row},{title},{scores[row]:.4f},p{row // 4},{tags}\n")
