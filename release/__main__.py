"""`python -m release` builds the archives and checks everything that a release needs."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from . import archives, texts
from .project import read_version


def main() -> int:
    """Print what is wrong and what is open; return 1 if that forbids a release."""
    parser = argparse.ArgumentParser(prog="python -m release", description=__doc__)
    parser.add_argument(
        "--final", action="store_true", help="fail on open points too, as before an upload"
    )
    parser.add_argument("--tag", help="the tag of the release, which must be v and the version")
    parser.add_argument("--outdir", type=Path, help="keep the archives in this new folder")
    given = parser.parse_args()
    problems = texts.find_problems()
    if given.tag and given.tag != f"v{read_version()}":
        problems.append(f"the tag is {given.tag}, the version {read_version()}.")
    with tempfile.TemporaryDirectory(prefix="evenfold-") as folder:
        if given.outdir:
            given.outdir.mkdir(parents=True)
        built = archives.build_archives((given.outdir or Path(folder)).resolve())
        problems += archives.find_problems(built)
        for path in built:
            print(f"{path.name}: {path.stat().st_size:,} bytes")
    return report(problems, texts.find_open_points(), final=given.final)


def report(problems: list[str], open_points: list[str], *, final: bool) -> int:
    """Print both lists, and return the exit code."""
    for title, lines in {"Wrong": problems, "To do before a release": open_points}.items():
        if lines:
            print(f"\n{title}:", *lines, sep="\n  ")
    if problems or (final and open_points):
        print("\nFAILED")
        return 1
    print("\nOK" if not open_points else "\nOK, but not ready for a release.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
