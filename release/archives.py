"""The wheel and the sdist: they are built, and they hold what they should."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable
from email.message import Message
from email.parser import Parser
from pathlib import Path
from typing import NamedTuple

from .links import find_links
from .project import ROOT, list_files, list_pythons, read_metadata, read_version

# A wheel is downloaded by every user, and unpacked in every run of their tests.
MAX_WHEEL_BYTES = 1_000_000
# What only a clone of the repository needs.
NOT_IN_SDIST = {".ci/run"}
_CACHES = (".pyc", ".nbi", ".nbc")


class Archives(NamedTuple):
    """A wheel and the sdist that it was built from.

    Attributes
    ----------
    wheel, sdist : Path
        The files.
    """

    wheel: Path
    sdist: Path


def build_archives(folder: Path, root: Path = ROOT) -> Archives:
    """Build the sdist, and the wheel from the sdist.

    Parameters
    ----------
    folder : Path
        Where they are written; other archives in it would be taken for these.
    root : Path
        The folder of the repository.

    Returns
    -------
    Archives
        The paths of both.
    """
    done = subprocess.run(
        [sys.executable, "-m", "build", "--outdir", str(folder), str(root)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        sys.exit(f"The archives cannot be built.\n{done.stdout}{done.stderr}")
    [wheel], [sdist] = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return Archives(wheel, sdist)


def find_problems(archives: Archives, root: Path = ROOT) -> list[str]:
    """Return what is wrong with the archives, a line each."""
    return [
        *check_size(archives.wheel),
        *check_wheel(archives.wheel, root),
        *check_sdist(archives.sdist, root),
        *check_metadata(read_wheel_metadata(archives.wheel), root),
        *check_rendering(archives),
    ]


def check_size(wheel: Path) -> list[str]:
    """Compare the size of the wheel with its limit."""
    n_bytes = wheel.stat().st_size
    if n_bytes < MAX_WHEEL_BYTES:
        return []
    return [f"{wheel.name}: has {n_bytes:,} bytes. It must have less than {MAX_WHEEL_BYTES:,}."]


def check_wheel(wheel: Path, root: Path) -> list[str]:
    """Compare the files of the wheel with those of src/evenfold: the same names and bytes."""
    source = root / "src"
    expected = {
        path.relative_to(source).as_posix(): path.read_bytes()
        for path in (source / "evenfold").rglob("*")
        if path.is_file() and path.suffix not in _CACHES
    }
    with zipfile.ZipFile(wheel) as opened:
        held = {name: opened.read(name) for name in opened.namelist() if ".dist-info/" not in name}
    differing = [name for name in expected.keys() & held.keys() if expected[name] != held[name]]
    return [
        *_tell(wheel, "lacks", expected.keys() - held.keys()),
        *_tell(wheel, "has, and src has not,", held.keys() - expected.keys()),
        *_tell(wheel, "differs from src in", differing),
    ]


def check_sdist(sdist: Path, root: Path) -> list[str]:
    """Compare the files of the sdist with those that Git knows: its tests may need any of them."""
    with tarfile.open(sdist) as opened:
        held = {member.name.partition("/")[2] for member in opened if member.isfile()}
    expected = set(list_files(root)) - NOT_IN_SDIST
    return [
        *_tell(sdist, "lacks", expected - held),
        *_tell(sdist, "has, and Git does not know,", held - expected - {"PKG-INFO"}),
    ]


def read_wheel_metadata(wheel: Path) -> Message:
    """Return the metadata that the wheel carries."""
    with zipfile.ZipFile(wheel) as opened:
        [name] = [name for name in opened.namelist() if name.endswith(".dist-info/METADATA")]
        return Parser().parsestr(opened.read(name).decode())


def check_metadata(metadata: Message, root: Path) -> list[str]:
    """Compare what the wheel says with the files of the repository."""
    problems = []
    version = read_version(root)
    if metadata["Version"] != version:
        problems.append(f"the wheel has version {metadata['Version']}, the package has {version}.")
    lowest = read_metadata(root)["requires-python"].removeprefix(">=")
    if not list_pythons(root) or list_pythons(root)[0] != lowest:
        problems.append(f"the classifiers of Python begin with another version than {lowest}.")
    problems += [
        f"the description links to {target}, which only works in the repository."
        for _, target in find_links(str(metadata.get_payload()))
        if not target.startswith("#")
    ]
    urls = dict(text.split(", ", 1) for text in metadata.get_all("Project-URL", []))
    missing = sorted({"Repository", "Documentation", "Changelog", "Issues"} - urls.keys())
    return problems + [f"pyproject.toml: has no address of {name}." for name in missing]


def check_rendering(archives: Archives) -> list[str]:
    """Return what `twine check --strict` says, if it does not pass."""
    done = subprocess.run(
        [sys.executable, "-m", "twine", "--no-color", "check", "--strict", *map(str, archives)],
        capture_output=True,
        text=True,
        check=False,
    )
    return [] if done.returncode == 0 else [f"twine: {done.stdout}{done.stderr}".strip()]


def _tell(archive: Path, says: str, names: Iterable[str]) -> list[str]:
    """Return a line about some files, with at most five of them."""
    found = sorted(names)
    if not found:
        return []
    more = f" and {len(found) - 5} more" if len(found) > 5 else ""
    return [f"{archive.name}: {says} {', '.join(found[:5])}{more}."]
