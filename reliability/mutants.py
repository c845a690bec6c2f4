"""Change the code in many places, one at a time, and see whether the tests notice.

    python -m reliability.mutants --work DIR

Packages: the kernels, problem, quality and _atomic. Each mutant is tried in a copy of the tree,
with the tests that run the changed line. A run that was stopped continues with what is in DIR.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from .mutants_children import copy_tree
from .mutants_known import read_known
from .mutants_report import write_results
from .mutants_runs import PACKAGES, AnyMutation, Runs
from .mutants_sites import Mutation, draw_sample
from .mutants_tests import PLAIN_TESTS, TESTS, is_plain_kernel, list_test_files

ROOT = Path(__file__).parent.parent
# Tests that are measured in one process.
FILES_AT_ONCE = 4


def main() -> None:
    """Draw the samples, try their mutants, and write the record."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2], help="one sample for each")
    parser.add_argument("--count", type=int, default=320, help="mutants of each sample")
    parser.add_argument("--work", type=Path, help="folder that keeps what was done")
    parser.add_argument("--again", action="store_true", help="try survivors of before again")
    parser.add_argument("--only", help="only files whose path matches; writes no record")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        work = given.work or Path(folder) / "work"
        work.mkdir(parents=True, exist_ok=True)
        samples = draw_samples(given.seeds, given.count)
        kept = {name: read_kept(work / f"{name}.jsonl") for name in samples}
        results = {}
        runs: Runs | None = None
        for name, sample in samples.items():
            left = {
                change: mutation
                for change, mutation in sample.items()
                if re.search(given.only or "", mutation.path)
                and (change not in kept[name] or (given.again and survived(kept[name][change])))
            }
            if left:
                runs = runs or start_runs(Path(folder) / "tree", work)
                kept[name] |= run_sample(runs, left, work / f"{name}.jsonl")
            results[name] = [kept[name][change] for change in sample if change in kept[name]]
    if not given.only:
        write_results(results)


def draw_samples(seeds: Sequence[int], count: int) -> dict[str, dict[str, AnyMutation]]:
    """Return a sample for each seed, and the known changes; each change by its description."""
    sources = read_sources()
    samples: dict[str, dict[str, AnyMutation]] = {
        f"sample {seed}": {
            describe(mutation, sources[mutation.path]): mutation
            for mutation in draw_sample(sources, count, seed)
        }
        for seed in seeds
    }
    return {**samples, "known": {**read_known(sources)}}


def read_kept(file: Path) -> dict[str, dict[str, Any]]:
    """Return what a run that was stopped has found; the last result of each change counts."""
    if not file.is_file():
        return {}
    lines = file.read_text(encoding="utf-8").splitlines()
    return {result["change"]: result for result in map(json.loads, lines)}


def survived(result: Mapping[str, Any]) -> bool:
    """Whether no test noticed the change."""
    return bool(result["result"] == "survived")


def run_sample(
    runs: Runs, sample: Mapping[str, AnyMutation], file: Path
) -> dict[str, dict[str, Any]]:
    """Try the changes of a sample, and add what came of them to a file, one by one."""
    found = {}
    for tests, plain in ((PLAIN_TESTS, True), (TESTS, False)):
        own = {
            change: mutation
            for change, mutation in sample.items()
            if is_plain_kernel(mutation.path) == plain
        }
        if own:
            measure_tests(runs, tests)
        for change, result in try_changes(runs, own):
            found[change] = result
            with file.open("a", encoding="utf-8") as kept:
                kept.write(json.dumps(result) + "\n")
    return found


def read_sources() -> dict[str, str]:
    """Return the files that are mutated, by their paths."""
    return {
        file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8")
        for package in PACKAGES
        for file in (ROOT / "src" / "evenfold" / package).glob("*.py")
    }


def start_runs(tree: Path, work: Path) -> Runs:
    """Copy the tree for the mutants."""
    copy_tree(ROOT, tree)
    return Runs(tree, work)


def measure_tests(runs: Runs, tests: Sequence[str]) -> None:
    """Measure the tests below some paths that have changed since they were measured."""
    paths = list_test_files(runs.tree, tests)
    for first in range(0, len(paths), FILES_AT_ONCE):
        runs.measure(paths[first : first + FILES_AT_ONCE])


def try_changes(
    runs: Runs, changes: Mapping[str, AnyMutation]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield what came of each change, file by file."""
    by_path: dict[str, list[str]] = {}
    for change, mutation in changes.items():
        by_path.setdefault(mutation.path, []).append(change)
    for path, own in by_path.items():
        outcomes = runs.try_mutations(path, [changes[change] for change in own])
        for change, outcome in zip(own, outcomes, strict=True):
            print(f"{outcome.result:8} {outcome.n_tests:4} tests  {change}", flush=True)
            mutation = changes[change]
            found = {"change": change, "path": path, "kind": mutation.kind}
            yield change, {**found, **asdict(outcome)}


def describe(mutation: Mutation, source: str) -> str:
    """Return the file, and the text of its line before and after the change.

    The line and the column tell apart places of the same text.
    """
    line, column = mutation.start
    before = source.splitlines()[line - 1].strip()
    after = mutation.apply(source).splitlines()[line - 1].strip()
    path = mutation.path.removeprefix("src/evenfold/")
    return f"{path}:{line}:{column} `{before}` → `{after}`"


if __name__ == "__main__":
    main()
