"""What the files of the repository say about the project: its version, addresses and Pythons."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
# Stands for the account of the repository on GitHub, until that is known.
PLACEHOLDER = "OWNER"
_ACCOUNT = re.compile(r"(?:github\.com/|githubusercontent\.com/|uses: )([\w-]+)/evenfold\b")


def read_text(path: str, root: Path = ROOT) -> str:
    """Return the text of a file of the repository."""
    return (root / path).read_text(encoding="utf-8")


def read_version(root: Path = ROOT) -> str:
    """Return the version, from the only place where it is written for Python."""
    [version] = re.findall(
        r'^__version__ = "(.+)"$', read_text("src/evenfold/__init__.py", root), re.MULTILINE
    )
    return str(version)


def read_metadata(root: Path = ROOT) -> dict[str, Any]:
    """Return the table `project` of pyproject.toml."""
    project: dict[str, Any] = tomllib.loads(read_text("pyproject.toml", root))["project"]
    return project


def list_pythons(root: Path = ROOT) -> list[str]:
    """Return the versions of Python that the classifiers name, such as 3.11."""
    classifiers = "\n".join(read_metadata(root)["classifiers"])
    return re.findall(r"^Programming Language :: Python :: (3\.\d+)$", classifiers, re.MULTILINE)


def list_files(root: Path = ROOT) -> list[str]:
    """Return the files that Git knows; without Git, as in an unpacked sdist, all files."""
    if (root / ".git").exists():
        done = subprocess.run(
            ["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=True
        )
        return sorted(name for name in done.stdout.split("\0") if (root / name).is_file())
    found = (path for path in root.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return sorted(path.relative_to(root).as_posix() for path in found)


def find_accounts(text: str) -> list[str]:
    """Return the accounts of GitHub in addresses of this repository.

    Examples
    --------
    >>> find_accounts("see https://github.com/OWNER/evenfold, or uses: OWNER/evenfold@v0.1.0")
    ['OWNER', 'OWNER']
    >>> find_accounts("src/evenfold/cli and https://example.org/evenfold")
    []
    """
    return _ACCOUNT.findall(text)
