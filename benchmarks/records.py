"""Records of benchmarks as JSON, and lists of names on their command lines."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

ROOT = Path(__file__).parent.parent
# What decides the figures: the library and the benchmarks.
SOURCES = ("src", "benchmarks/*.py", "benchmarks/sections")


def choose(
    parser: argparse.ArgumentParser, option: str, given: str | None, known: object
) -> list[str]:
    """Return the names in a list with commas; all that are known if there is none."""
    names = list(known) if given is None else [name for name in given.split(",") if name]
    for name in names:
        if name not in known:
            parser.error(f"{option} {name!r} is not one of {', '.join(known)}")
    return names


def write_records(
    path: Path | None,
    section: str,
    records: list[dict[str, object]],
    packages: Sequence[str],
    **about: object,
) -> None:
    """Add the records of a section to the file, with when, where and by what they were made."""
    if path is None:
        return
    content = read_content(path)
    content["sections"][section] = {
        **about,
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "revision": find_revision(),
        # Stays the same if the commits are moved to another base.
        "tree of src/evenfold": run_git("rev-parse", "--short", "HEAD:src/evenfold"),
        "machine": describe_machine(),
        "python": platform.python_version(),
        **{package: version(package) for package in packages},
        "records": records,
    }
    temporary = path.with_name(path.name + ".tmp")
    temporary.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    temporary.replace(path)


def read_content(path: Path) -> dict[str, dict[str, dict[str, object]]]:
    """Return what a file of records holds, without sections if it is not there."""
    return json.loads(path.read_text()) if path.exists() else {"sections": {}}


def find_revision() -> str:
    """Return the short name of the commit, and whether its sources have been changed since."""
    revision = run_git("rev-parse", "--short", "HEAD")
    changed = run_git("status", "--porcelain", "--", *SOURCES)
    return f"{revision}, changed" if changed else revision


def run_git(*words: str) -> str:
    """Return what git prints about this repository; "unknown" outside of one."""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else "unknown"


def describe_machine() -> str:
    """Return the cores that the benchmark may use, and the kind of machine."""
    n_cores, n_used = os.cpu_count(), len(os.sched_getaffinity(0))
    return f"{n_used} of {n_cores} cores, {platform.machine()}, {platform.system()}"
