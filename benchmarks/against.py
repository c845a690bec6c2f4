"""The present files beside another revision: same splits, in turns, each in its own process.

python -m benchmarks.against REV [--data DIR] [--sets yeast,bibtex] [--seeds 3] [--repeats 2]
"""

from __future__ import annotations

import argparse
from pathlib import Path

from .amounts import find_spread
from .data import ALL_SETS, make_amounts
from .records import choose
from .revisions import AMOUNTS, Worker, start_workers
from .sections import pairs
from .sections.settings import (
    PARTS,
    TRAIN_VAL_TEST,
    Parts,
    Settings,
    find_origin,
    measure_splits,
    warm_up,
)
from .tables import RecordTable
from .timing import Runs, run_in_turns

COMPARED = {
    "rLD": ".4f",
    "excess %": ".2f",
    "labelsets excess %": ".2f",
    "pairs excess %": ".2f",
    "rLD ≥ 50 rows": ".4f",
    "FLZ": ",.0f",
    "ms": ".1f",
}
FORMATS = {
    "data": "",
    "": "",
    "parts": "",
    "order": "",
    **{f"{title} {column}": form for column, form in COMPARED.items() for title in ("old", "new")},
    "new / old ms": ".2f",
}
AMOUNTS_FORMATS = {
    "data": "",
    "parts": "",
    "old sum": ".5g",
    "new sum": ".5g",
    "old ms": ".0f",
    "new ms": ".0f",
    "new / old ms": ".2f",
}


def main() -> None:
    """Compare both revisions on the sets that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("revision", metavar="REV")
    parser.add_argument("--data", type=Path, help="folder of NAME/labels.npz")
    parser.add_argument("--sets", help="data sets, by default all")
    parser.add_argument("--seeds", type=int, default=3, help="number of seeds, from 0")
    parser.add_argument("--repeats", type=int, default=2, help="runs of each seed")
    options = parser.parse_args()
    sets = choose(parser, "--sets", options.sets, (*ALL_SETS, AMOUNTS))
    warm_up()
    seeds = range(options.seeds)
    compare(Settings(options.data, sets, seeds, max(1, options.repeats)), options.revision)


def compare(settings: Settings, revision: str) -> None:
    """Print the splits of `default`, `order1` and `pairs`, and of amounts, by both revisions."""
    with start_workers(revision, settings.folder) as workers:
        warm_up_workers(workers)
        table = RecordTable(f"New against {revision}", FORMATS)
        for name, y in settings.read_sets():
            for shown, order, parts in list_cases(name):
                runs = run_workers(workers, settings, name, parts=parts, order=order)
                record: dict[str, object] = compare_times(runs)
                for title, run in runs.items():
                    found = measure_splits(y, parts, run.results, with_pairs=order == 2)
                    record |= {f"{title} {column}": value for column, value in found.items()}
                table.add(
                    {
                        "data": name,
                        "": find_origin(name),
                        "parts": shown,
                        "order": order,
                        **record,
                    }
                )
        compare_amounts(workers, settings, revision)


def warm_up_workers(workers: dict[str, Worker]) -> None:
    """Let both revisions compile what the measured splits need."""
    for worker in workers.values():
        for parts in (5, TRAIN_VAL_TEST):
            for order in ("auto", 1, 2):
                worker.split("made_exponential", parts=parts, order=order)
        worker.split(AMOUNTS, parts=100)


def list_cases(name: str) -> list[tuple[str, int | str, Parts]]:
    """Return the parts and the order of each split of a set."""
    cases = [(shown, order, parts) for order in ("auto", 1) for shown, parts in PARTS.items()]
    if name == "delicious":
        cases.append(("50 folds", 1, 50))
    if name in pairs.SETS:
        cases.append(("5 folds", 2, 5))
    return cases


def run_workers(
    workers: dict[str, Worker], settings: Settings, name: str, **arguments: object
) -> dict[str, Runs]:
    """Return the runs of one split by both revisions."""
    return run_in_turns(
        {
            title: lambda seed, worker=worker: worker.split(name, random_state=seed, **arguments)
            for title, worker in workers.items()
        },
        settings.seeds,
        settings.repeats,
    )


def compare_times(runs: dict[str, Runs]) -> dict[str, float]:
    """Return the milliseconds of both revisions and their ratio."""
    ratio = runs["new"].seconds / runs["old"].seconds
    return {f"{title} ms": 1000 * run.seconds for title, run in runs.items()} | {
        "new / old ms": ratio
    }


def compare_amounts(
    workers: dict[str, Worker], settings: Settings, revision: str
) -> list[dict[str, object]]:
    """Print the sums of squares between parts of both revisions, for many rows."""
    if AMOUNTS not in settings.names:
        return []
    table = RecordTable(f"Amounts, new against {revision}", AMOUNTS_FORMATS)
    values = make_amounts()
    runs = run_workers(workers, settings, AMOUNTS, parts=100)
    sums = {
        f"{title} sum": sum(find_spread(values, split) for split in run.results) / len(run.results)
        for title, run in runs.items()
    }
    table.add({"data": AMOUNTS, "parts": 100, **sums, **compare_times(runs)})
    return table.records
