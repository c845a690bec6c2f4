"""The texts that belong to a version: changelog, citation, recipe, links and addresses."""

from __future__ import annotations

import re
from pathlib import Path

from .links import find_broken
from .project import PLACEHOLDER, ROOT, find_accounts, list_files, read_text, read_version

_CITATION = "CITATION.cff"
_RECIPE = "release/conda/recipe.yaml"
_UNRELEASED = "not released"


def find_problems(root: Path = ROOT) -> list[str]:
    """Return what is wrong with the texts, a line each."""
    return [
        *check_changelog(read_text("CHANGELOG.md", root), read_version(root)),
        *check_versions(root),
        *check_accounts(root),
        *find_broken([name for name in list_files(root) if name.endswith(".md")], root),
    ]


def find_open_points(root: Path = ROOT) -> list[str]:
    """Return what is right before a release, and must not be in one."""
    places = find_placeholders(root)
    points = [
        f"{name}: {PLACEHOLDER} is no account (lines {', '.join(map(str, lines))})."
        for name, lines in places.items()
    ]
    if places:
        points.append(f"  Replace it: sed -i 's/\\b{PLACEHOLDER}\\b/ACCOUNT/' {' '.join(places)}")
    heading = _find_heading(read_text("CHANGELOG.md", root), read_version(root))
    if _UNRELEASED in heading:
        points.append(f"CHANGELOG.md: '{heading}'. Write the date instead.")
    if "date-released:" not in read_text(_CITATION, root):
        points.append(f"{_CITATION}: has no line 'date-released: 2026-12-31'.")
    return points


def check_changelog(text: str, version: str) -> list[str]:
    """Check that the newest section is that of the version, and that it says something."""
    heading = _find_heading(text, version)
    first = re.search(r"^## .+", text, re.MULTILINE)
    if not heading or first is None or first[0] != heading:
        return [f"CHANGELOG.md: the first section is not '## {version} (date)'."]
    section = text.partition(heading)[2].partition("\n## ")[0]
    return [] if "\n- " in section else [f"CHANGELOG.md: the section of {version} is empty."]


def check_versions(root: Path = ROOT) -> list[str]:
    """Compare the versions that other tools read from files of their own."""
    version = read_version(root)
    patterns = {_CITATION: r"^version: \"?([^\s\"]+)", _RECIPE: r"^  version: \"([^\"]+)\"$"}
    problems = []
    for name, pattern in patterns.items():
        found = re.findall(pattern, read_text(name, root), re.MULTILINE)
        if found != [version]:
            problems.append(f"{name}: has version {', '.join(found) or '-'}, not {version}.")
    return problems


def check_accounts(root: Path = ROOT) -> list[str]:
    """Check that all addresses of the repository have the account of pyproject.toml."""
    account = find_accounts(read_text("pyproject.toml", root))[0]
    return [
        f"{name}: has an address of {other}/evenfold, pyproject.toml of {account}/evenfold."
        for name in _list_texts(root)
        for other in sorted(set(find_accounts(read_text(name, root))) - {account})
    ]


def find_placeholders(root: Path = ROOT) -> dict[str, list[int]]:
    """Return the lines of each file that have the placeholder of the account."""
    found = {
        name: [
            number
            for number, line in enumerate(read_text(name, root).splitlines(), 1)
            if re.search(rf"\b{PLACEHOLDER}\b", line)
        ]
        for name in _list_texts(root)
    }
    return {name: lines for name, lines in found.items() if lines}


def _list_texts(root: Path) -> list[str]:
    """Return the files that may have an address of the repository for users."""
    endings = (".md", ".toml", ".yaml", ".yml", ".cff")
    return [name for name in list_files(root) if name.endswith(endings)]


def _find_heading(text: str, version: str) -> str:
    found = re.search(rf"^## {re.escape(version)} \(.+\)$", text, re.MULTILINE)
    return found[0] if found else ""
