"""Golden splits on each Python that is here, with the newest packages and with the lowest ones.

    python -m reliability.environments [--work DIR] [--record]

For each Python of at least 3.11, a new environment gets the newest allowed packages. For the oldest
Python, another one gets the versions of .ci/oldest.txt, which have no wheels for newer ones. The
golden splits and the contract of all methods are tested in each: one seed gives one split there.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from .records import PACKAGES, Table, write_record

ROOT = Path(__file__).parent.parent
TESTS = ("tests/test_golden_splits.py", "tests/test_contract.py")
OLDEST = (3, 11)
HEADING = ("Python", "packages", *PACKAGES, "tests", "passed", "result")
_PASSED = re.compile(r"(\d+) passed")
_FAILED = re.compile(r"(\d+) (?:failed|error)")
_READ_VERSIONS = (
    "import importlib.metadata as m, json, platform, sys; print(json.dumps("
    "[platform.python_version(), *map(m.version, sys.argv[1:])]))"
)


class Environment(NamedTuple):
    """A Python, and whether it gets the lowest versions of all packages."""

    python: Path
    is_lowest: bool


def main() -> None:
    """Test all environments."""
    options = parse()
    rows = []
    for number, environment in enumerate(list_environments(find_pythons())):
        folder = Path(options.work, str(number))
        install(environment, folder)
        rows.append(test(environment, folder))
        print(*rows[-1], sep="\t", flush=True)
    if options.record:
        write_record("environments", "make environments", [Table(HEADING, rows)])
    sys.exit(any(row[-1] != "equal" for row in rows))


def parse() -> argparse.Namespace:
    """Return the options."""
    parser = argparse.ArgumentParser(prog="python -m reliability.environments")
    parser.add_argument("--work", help="a folder for the environments, which is used again")
    parser.add_argument("--record", action="store_true")
    options = parser.parse_args()
    options.work = options.work or tempfile.mkdtemp(prefix="environments-")
    return options


def find_pythons() -> list[Path]:
    """Return a Python of each minor version from 3.11 on, of pyenv and of PATH, oldest first."""
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    found = [*versions.glob("3.*/bin/python"), Path(sys.executable).resolve()]
    found += [Path(path) for minor in range(11, 20) if (path := shutil.which(f"python3.{minor}"))]
    python_of_version: dict[tuple[int, int], Path] = {}
    for python in found:
        if (version := read_version(python)) >= OLDEST:
            python_of_version.setdefault(version, python)
    return [python for _, python in sorted(python_of_version.items())]


def read_version(python: Path) -> tuple[int, int]:
    """Return the version of a Python; (0, 0) if it does not run."""
    code = "import sys; print(*sys.version_info[:2])"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    major, minor = map(int, done.stdout.split()) if done.returncode == 0 else (0, 0)
    return major, minor


def list_environments(pythons: Sequence[Path]) -> Iterator[Environment]:
    """Yield the environments to test."""
    for python in pythons:
        yield Environment(python, is_lowest=False)
    yield Environment(pythons[0], is_lowest=True)


def install(environment: Environment, folder: Path) -> None:
    """Make an environment with what the tests need, unless an earlier run has made it."""
    if (folder / ".installed").exists():
        return
    subprocess.run([environment.python, "-m", "venv", folder], check=True)
    lowest = ["-c", str(ROOT / ".ci" / "oldest.txt")] if environment.is_lowest else []
    words = ["-m", "pip", "install", "--quiet", "--prefer-binary", f"{ROOT}[dev]"]
    subprocess.run([folder / "bin" / "python", *words, *lowest], check=True)
    (folder / ".installed").touch()


def test(environment: Environment, folder: Path) -> list[object]:
    """Run the tests, and return the row of the table."""
    python = folder / "bin" / "python"
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    variables["NUMBA_CACHE_DIR"] = str(folder / "numba")
    words = [python, "-m", "pytest", "-n", "0", "-p", "no:cacheprovider", *TESTS]
    done = subprocess.run(
        words, cwd=ROOT, env=variables, capture_output=True, text=True, check=False
    )
    n_passed, n_failed = (sum(map(int, each.findall(done.stdout))) for each in (_PASSED, _FAILED))
    if done.returncode:
        print(done.stdout[-3000:], done.stderr[-1000:])
    number, *versions = json.loads(
        subprocess.check_output([python, "-c", _READ_VERSIONS, *PACKAGES], text=True)
    )
    name = "lowest" if environment.is_lowest else "newest"
    result = "equal" if done.returncode == 0 and n_passed else "differs"
    return [number, name, *versions, n_passed + n_failed, n_passed, result]


if __name__ == "__main__":
    main()
