"""Inject faults, judge what is left of each, and record how many were survived.

    python -m reliability.faults [--seed N] [--only KINDS] [--few N] [--record]

After each fault, outputs are whole and of one split, and the same command runs again.
"""

from __future__ import annotations

import argparse
import collections
import random
import sys
import time
from collections.abc import Iterator, Mapping

from ..records import FOLDER, Table, read_record, write_record
from . import (
    changes,
    cold_starts,
    disks,
    kills,
    memory,
    permissions,
    streams,
    workers,
    writers,
)
from .verdicts import Fault

MODULES = {
    "kills": kills,
    "writers": writers,
    "disks": disks,
    "permissions": permissions,
    "changes": changes,
    "workers": workers,
    "memory": memory,
    "cold_starts": cold_starts,
    "streams": streams,
}
HEADING = ("fault", "injected", "finished", "refused", "stopped", "survived")


def main() -> None:
    """Inject, print and record."""
    options = parse()
    counts: dict[str, collections.Counter[str]] = {}
    started = time.perf_counter()
    try:
        inject_all(options, counts)
    except KeyboardInterrupt:
        print("Stopped; the table has what was injected until then.")
    rows = make_rows(counts)
    for line in (HEADING, *rows):
        print(*line, sep="\t")
    print(f"{time.perf_counter() - started:.0f} s")
    if options.record:
        record(counts)
    total = dict(zip(HEADING, rows[-1], strict=True))
    sys.exit(total["survived"] != total["injected"])


def inject_all(options: argparse.Namespace, counts: dict[str, collections.Counter[str]]) -> None:
    """Inject faults, and count how they ended."""
    for fault in choose(options):
        verdict = fault.inject()
        row = counts.setdefault(fault.kind, collections.Counter())
        row.update(["injected", verdict.outcome] + ([] if verdict.problems else ["survived"]))
        if verdict.problems or options.verbose:
            print(f"{fault.kind}: {fault.title}: {verdict.outcome}", flush=True)
            print(*(f"  {problem}\n" for problem in verdict.problems), sep="", end="", flush=True)


def make_rows(counts: Mapping[str, collections.Counter[str]]) -> list[list[object]]:
    """Return the rows of the table, the last one with the sums."""
    total = collections.Counter[str]()
    for row in counts.values():
        total.update(row)
    return [
        [kind, *(row[name] for name in HEADING[1:])]
        for kind, row in (*counts.items(), ("all", total))
    ]


def record(counts: Mapping[str, collections.Counter[str]]) -> None:
    """Write the counts, and keep those of kinds that were not injected now."""
    known: dict[str, collections.Counter[str]] = {}
    if (FOLDER / "faults.json").exists():
        for kind, *numbers in read_record("faults")["tables"][0]["rows"][:-1]:
            known[kind] = collections.Counter(dict(zip(HEADING[1:], numbers, strict=True)))
    write_record("faults", "make faults", [Table(HEADING, make_rows({**known, **counts}))])


def choose(options: argparse.Namespace) -> Iterator[Fault]:
    """Yield the faults to inject."""
    for name, module in MODULES.items():
        if options.only and name not in options.only:
            continue
        rng = random.Random(f"{options.seed} {name}")
        faults = list(module.list_faults(rng))
        if options.few:
            faults = rng.sample(faults, min(options.few, len(faults)))
        yield from faults


def parse() -> argparse.Namespace:
    """Return the options."""
    parser = argparse.ArgumentParser(prog="python -m reliability.faults", description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", nargs="+")
    parser.add_argument("--few", type=int)
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("--record", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
