"""`evenfold split` on a compressed csv file, beside the plain file.

Part of `make bench`. The times are processor time: a process that decompresses in another thread
gains nothing.
"""

from __future__ import annotations

import argparse
import gzip
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa

from .tables import print_heading, print_row

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


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        plain = folder / "data.csv"
        write_csv(plain, given.rows)
        size = plain.stat().st_size / 2**20
        print(f"## Split {given.rows:,} rows of compressed csv, {size:.0f} MB of text\n")
        print("Processor time of whole processes, in turns, the least of the runs.\n")
        columns = ["", "decompressing", "split, plain", "split, compressed", "over the sum"]
        print_heading([*columns, "peak memory, plain", "compressed"])
        for codec in ("gzip", "zstd"):
            compare(plain, codec, given.repeats)


def compare(plain: Path, codec: str, repeats: int) -> None:
    """Print a row for each output, beside decompressing and the split of the plain file."""
    packed = compress(plain, codec)
    parts = ["-o", str(plain.parent / "parts") + "/"]
    for title, options in {"no output": [], "one file per part": parts}.items():
        jobs: dict[str, Callable[[], list[float]]] = {
            "decompressing": lambda: run(_DECOMPRESS, [str(packed), codec]),
            "plain": lambda options=options: run(_SPLIT, [str(plain), *options]),
            "compressed": lambda options=options: run(_SPLIT, [str(packed), *options]),
        }
        found: dict[str, list[list[float]]] = {name: [] for name in jobs}
        for _ in range(repeats):
            for name, job in jobs.items():
                found[name].append(job())
        seconds = {name: min(values[0] for values in found[name]) for name in jobs}
        memory = {name: max(values[-1] for values in found[name]) for name in jobs}
        over = seconds["compressed"] / (seconds["decompressing"] + seconds["plain"])
        shown = [f"{taken:.2f} s" for taken in seconds.values()]
        peaks = [f"{memory[name]:.0f} MB" for name in ("plain", "compressed")]
        print_row([f"{codec}, {title}", *shown, f"{over:.2f}", *peaks])


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


if __name__ == "__main__":
    main()
