"""`python -m release.installed` runs the tests with the wheel, installed in a new environment.

The tests are those of the sdist, unpacked in a temporary folder. Nothing of the repository is on
the path, so what is missing in one of the archives fails. Arguments are passed to pytest.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
import venv
from pathlib import Path

from .archives import Archives, build_archives

_WHERE = "import evenfold, pathlib; print(pathlib.Path(evenfold.__file__).resolve().parent.parent)"
# Where modules and settings come from must be the new environment alone.
_OUTSIDE = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")


def main() -> int:
    """Build, install, unpack, test; return the exit code of pytest."""
    with tempfile.TemporaryDirectory(prefix="evenfold-") as name:
        folder = Path(name).resolve()
        (folder / "dist").mkdir()
        built = build_archives(folder / "dist")
        python = install(built.wheel, folder / "environment")
        tests = unpack(built, folder / "unpacked")
        check_source(python, tests)
        command = [str(python), "-m", "pytest", *(sys.argv[1:] or ["-n", "auto"]), "tests"]
        return subprocess.run(command, cwd=tests, env=make_environment(), check=False).returncode


def install(wheel: Path, folder: Path) -> Path:
    """Install a wheel and what its tests need in a new environment; return its Python."""
    venv.create(folder, with_pip=True)
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    options = ["--quiet", "--disable-pip-version-check"]
    subprocess.run(
        [python, "-m", "pip", "install", *options, f"evenfold[dev] @ {wheel.as_uri()}"],
        env=make_environment(),
        check=True,
    )
    return python


def unpack(built: Archives, folder: Path) -> Path:
    """Unpack the sdist; return the folder with its tests."""
    with tarfile.open(built.sdist) as opened:
        opened.extractall(folder, filter="data")
    [unpacked] = folder.iterdir()
    return unpacked


def check_source(python: Path, tests: Path) -> None:
    """Stop if the tests would import another evenfold than the installed one."""
    done = subprocess.run(
        [python, "-c", _WHERE],
        cwd=tests,
        env=make_environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    where = Path(done.stdout.strip())
    if not where.is_relative_to(python.parent.parent):
        sys.exit(f"The tests would import evenfold from {where}, not from {python.parent.parent}.")


def make_environment() -> dict[str, str]:
    """Return the variables of this process, without those that lead to other modules."""
    return {name: value for name, value in os.environ.items() if name not in _OUTSIDE}


if __name__ == "__main__":
    sys.exit(main())
