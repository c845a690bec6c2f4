"""The lowest versions that are tested are those that pyproject.toml allows."""

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parent.parent
PINNED = re.compile(r"([\w.-]+)==([\w.]+)")


def list_lowest():
    """Return the lowest version of each package that pyproject.toml names."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    lowest = {}
    for text in [*project["dependencies"], *(text for extra in extras for text in extra)]:
        needed = Requirement(text)
        if needed.name != "evenfold":
            [bound] = needed.specifier
            assert bound.operator == ">=", text
            version = Version(bound.version)
            assert lowest.setdefault(canonicalize_name(needed.name), version) == version, text
    return lowest


def test_the_lowest_versions_are_pinned():
    """Each once and in order; versions of other packages are at the end."""
    own, _, _ = (ROOT / ".ci" / "oldest.txt").read_text(encoding="utf-8").partition("\n\n")
    lines = [line for line in own.splitlines() if not line.startswith("#")]
    pinned = [PINNED.fullmatch(line).groups() for line in lines]
    assert pinned == sorted(pinned)
    assert len(dict(pinned)) == len(pinned)
    assert {canonicalize_name(name): Version(version) for name, version in pinned} == list_lowest()
