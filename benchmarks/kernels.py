"""Time of the compiled kernels beside another revision.

    python -m benchmarks.kernels REV --data DIR

Both revisions run in processes of their own, case by case in turns; the least processor time of
several runs counts. The first call, which compiles, is timed apart, with an empty cache. The splits
are compared too: a faster kernel that places rows elsewhere is another method.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from .revisions import Worker, start_workers

# Data and settings of `split`.
CASES: dict[str, tuple[str, dict[str, object]]] = {
    "even bibtex": ("bibtex", {}),
    "even delicious": ("delicious", {}),
    "even delicious, labels only": ("delicious", {"order": 1}),
    "even wiki10_31k": ("wiki10_31k", {}),
    "even chestxray14, groups": ("chestxray14", {"groups": True}),
    "iterative delicious": ("delicious", {"method": "iterative"}),
    "iterative wiki10_31k": ("wiki10_31k", {"method": "iterative"}),
    "iterative go_sp2014_mf": ("go_sp2014_mf", {"method": "iterative"}),
    "iterative chestxray14, groups": ("chestxray14", {"method": "iterative", "groups": True}),
    "optisplit bibtex": ("bibtex", {"method": "optisplit"}),
    "optisplit delicious": ("delicious", {"method": "optisplit"}),
}
COLD_METHODS = ("even", "iterative", "optisplit")


def main() -> None:
    """Print a table of seconds, before and now."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("revision", nargs="?", default="HEAD")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", default="", help="cases whose name holds this text")
    parser.add_argument("--cold", type=int, default=3, help="runs of the first call")
    options = parser.parse_args()
    print(f"{'case':34}{'before':>9}{'now':>9}{'ratio':>7}  split")
    with start_workers(options.revision, options.data) as workers:
        for case, (name, settings) in CASES.items():
            if options.only in case:
                compare(case, workers, name, settings, options.repeats)
        for method in COLD_METHODS if options.cold else ():
            compare_first_calls(method, workers, options.cold)


def compare(
    case: str, workers: dict[str, Worker], name: str, settings: dict[str, object], repeats: int
) -> None:
    """Run a case by both revisions in turns and print its line."""
    least = dict.fromkeys(workers, np.inf)
    splits = {}
    # One run more than counted: the first compiles.
    for number in range(repeats + 1):
        for title, worker in workers.items():
            seconds, splits[title] = worker.split(name, parts=5, **settings)
            least[title] = min(least[title], seconds) if number else np.inf
    show(case, least, "same" if np.array_equal(splits["old"], splits["new"]) else "OTHER")


def compare_first_calls(method: str, workers: dict[str, Worker], repeats: int) -> None:
    """Print the time of the first split of new processes that have nothing compiled."""
    least = dict.fromkeys(workers, np.inf)
    for _ in range(repeats):
        for title, worker in workers.items():
            fresh = worker.start_again()
            least[title] = min(least[title], fresh.split("bibtex", parts=5, method=method)[0])
            fresh.close()
    show(f"{method} bibtex, first call", least, "")


def show(case: str, least: dict[str, float], note: str) -> None:
    """Print one line of the table."""
    ratio = least["new"] / least["old"]
    print(f"{case:34}{least['old']:9.3f}{least['new']:9.3f}{ratio:7.2f}  {note}", flush=True)


if __name__ == "__main__":
    main()
