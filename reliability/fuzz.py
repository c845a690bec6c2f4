"""Fuzz every reader with changed files; each must be read or refused with one clear message.

    python -m reliability.fuzz                         # all readers; writes the record
    python -m reliability.fuzz --reader csv --files 50
    python -m reliability.fuzz --reader csv --number 7  # one file again

A file that crashes, hangs, needs much memory, ends in a traceback, or changes an input stays in
build/fuzz.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections import Counter
from multiprocessing.pool import ThreadPool
from pathlib import Path
from threading import Lock

from .fuzz_cases import Fuzzer, start_fuzzer
from .fuzz_readers import READERS
from .records import Table, read_record, write_record

KEPT = Path(__file__).parent.parent / "build" / "fuzz"
FILES = 340
# Opening a database takes a third of a second.
FILES_OF = {"duckdb": 200}
Row = tuple[str, int, int, int, int]
HEADING = ("reader", "files", "read", "refused", "failed")


def main() -> None:
    """Fuzz the readers that are asked for, and print what came of it."""
    parser = argparse.ArgumentParser(description="Fuzz the readers of evenfold.")
    parser.add_argument("--reader", action="append", choices=list(READERS), default=[])
    parser.add_argument("--files", type=int, help=f"files of each reader, {FILES}")
    parser.add_argument("--first", type=int, default=0, help="the number of the first file")
    parser.add_argument("--number", type=int, help="only this file; its folder is kept")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="readers at the same time")
    given = parser.parse_args()
    readers = given.reader or list(READERS)
    start = time.monotonic()
    memory, lock = Path("/dev/shm"), Lock()

    def run(reader: str) -> Row:
        n_files = given.files or FILES_OF.get(reader, FILES)
        numbers = range(given.first, given.first + n_files)
        if given.number is not None:
            numbers = range(given.number, given.number + 1)
        with (
            tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder,
            start_fuzzer(Path(folder), given.seed) as fuzzer,
        ):
            row = fuzz(fuzzer, reader, numbers, given.seed, given.number is not None)
        print(*row, f"({time.monotonic() - start:.0f} s)", sep="  ", flush=True)
        if given.files is None and given.number is None:
            with lock:
                record(row)
        return row

    with ThreadPool(given.jobs) as pool:
        n_failed = sum(row[-1] for row in pool.map(run, readers, chunksize=1))
    sys.exit(n_failed > 0)


def record(row: Row) -> None:
    """Put the result of a reader into the record, which has the last one of each."""
    try:
        old = {own[0]: own for own in read_record("fuzz")["tables"][0]["rows"]}
    except FileNotFoundError:
        old = {}
    rows = [row if name == row[0] else old[name] for name in READERS if name in {*old, row[0]}]
    total = [sum(column) for column in list(zip(*rows, strict=True))[1:]]
    rows.append(["all", *(f"{number:,}" for number in total)])
    write_record("fuzz", "make fuzz", [Table(HEADING, rows)], ["duckdb"])


def fuzz(fuzzer: Fuzzer, reader: str, numbers: range, seed: int, keep: bool = False) -> Row:
    """Fuzz one reader; print each failure, and keep its files."""
    outcomes: Counter[str] = Counter()
    for number in numbers:
        result = fuzzer.run(reader, number)
        outcomes["failed" if result.is_failure else result.outcome] += 1
        if result.is_failure or keep:
            kept = KEPT / f"{reader.replace(' ', '-')}-{number}"
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(fuzzer.case, kept)
            again = (
                f"python -m reliability.fuzz --reader '{reader}' --number {number} --seed {seed}"
            )
            shown = result.outcome, result.command, result.message[-600:], again
            print(*shown, sep="\n  ", flush=True)
    n_files = len(numbers)
    return reader, n_files, outcomes["read"], outcomes["refused"], outcomes["failed"]


if __name__ == "__main__":
    main()
