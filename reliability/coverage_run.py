"""Run the tests, count the lines and branches of src that they run, and write the record.

    python -m reliability.coverage_run -n auto

Arguments are those of pytest. Processes that tests start are counted too. Loops that Numba
compiled are not seen, but every kernel also runs as plain Python.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .records import Table, write_record

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "evenfold"
FOLDER = ROOT / "build" / "coverage"
REASONS = Path(__file__).parent / "coverage_reasons.json"
# Files with a lower share of lines and branches are listed with the reason.
ENOUGH = 0.9

CONFIG = f"""\
[run]
branch = true
source = {SOURCE}
data_file = {FOLDER / "data"}
parallel = true
patch = subprocess

[report]
exclude_also =
    if TYPE_CHECKING:
"""

Counts = dict[str, int]
FIELDS = ("num_statements", "covered_lines", "num_branches", "covered_branches")


def main() -> None:
    """Run the tests with coverage; the record is written even if some of them fail."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "config.ini").write_text(CONFIG, encoding="utf-8")
    for old in FOLDER.glob("data*"):
        old.unlink()
    tests = run_coverage("run", "-m", "pytest", *sys.argv[1:])
    report = FOLDER / "report.json"
    for words in (["combine", "--quiet"], ["json", "--quiet", "-o", str(report)]):
        if run_coverage(*words):
            raise SystemExit(f"coverage {words[0]} failed")
    write_coverage(json.loads(report.read_text(encoding="utf-8"))["files"])
    raise SystemExit(tests)


def run_coverage(command: str, *words: str) -> int:
    """Return the exit code of one command of coverage."""
    config = f"--rcfile={FOLDER / 'config.ini'}"
    line = [sys.executable, "-m", "coverage", command, config, *words]
    return subprocess.run(line, cwd=ROOT, check=False, env={**os.environ}).returncode


def write_coverage(files: Mapping[str, Any]) -> None:
    """Write the record: packages, and files of which little is run."""
    of_file = {
        (ROOT / path).relative_to(SOURCE).as_posix(): {
            field: entry["summary"][field] for field in FIELDS
        }
        for path, entry in files.items()
    }
    reasons = json.loads(REASONS.read_text(encoding="utf-8"))
    low = sorted((share(count), path) for path, count in of_file.items() if share(count) < ENOUGH)
    write_record(
        "coverage",
        "make coverage",
        [
            Table(
                ("package", "lines", "run %", "branches", "taken %", "both %"),
                [make_row(name, count) for name, count in sum_packages(of_file).items()],
            ),
            Table(
                ("file", "lines and branches run %", "reason"),
                [[path, f"{100 * run:.1f}", reasons.get(path, "")] for run, path in low],
                f"Files of which less than {ENOUGH:.0%} is run:",
            ),
        ],
        ["coverage", "pytest"],
    )


def sum_packages(of_file: Mapping[str, Counts]) -> dict[str, Counts]:
    """Return the counts of each package and of all of them."""
    sums: dict[str, Counts] = defaultdict(lambda: dict.fromkeys(FIELDS, 0))
    for path, count in sorted(of_file.items()):
        for name in (path.split("/")[0] if "/" in path else "(top)", "all"):
            for field in FIELDS:
                sums[name][field] += count[field]
    everything = sums.pop("all")
    return {**sums, "all": everything}


def make_row(name: str, count: Counts) -> list[object]:
    """Return a row of the table of packages."""
    lines, run, branches, taken = (count[field] for field in FIELDS)
    percent = [
        f"{100 * part / total:.1f}" if total else "-"
        for part, total in ((run, lines), (taken, branches), (run + taken, lines + branches))
    ]
    return [name, lines, percent[0], branches, percent[1], percent[2]]


def share(count: Counts) -> float:
    """Return how much of the lines and branches is run."""
    total = count["num_statements"] + count["num_branches"]
    return (count["covered_lines"] + count["covered_branches"]) / total if total else 1.0


if __name__ == "__main__":
    main()
