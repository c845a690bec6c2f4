"""Links between the files of the repository: each leads to a file and a heading that are there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

_FENCED = re.compile(r"^(`{3,}|~{3,}|:{3,}).*?^\1[`~:]*\s*$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"(`+)[^`\n]*(?:\n[^`\n]+)*?\1")
_TARGETS = re.compile(
    r"\]\(\s*<?([^)\s>]+)>?(?:\s+[\"'][^)]*)?\)"  # [text](target "title")
    r"|^\[[^\]]+\]:\s+(\S+)"  # [text]: target
    r"|<(?:a|img|source)\b[^>]*?\b(?:href|src|srcset)=\"([^\"\s]+)",
    re.MULTILINE,
)
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_HEADING = re.compile(r"^#{1,6}\s+(.+?)\s*#*$", re.MULTILINE)
_ANCHOR = re.compile(r"^\(([\w-]+)\)=$|<a (?:id|name)=\"([^\"]+)\"", re.MULTILINE)


class Link(NamedTuple):
    """A link in a text.

    Attributes
    ----------
    line : int
        Its line, from 1.
    target : str
        Where it leads to.
    """

    line: int
    target: str


def find_links(text: str) -> Iterator[Link]:
    """Yield the links of a Markdown text that lead to files of the repository.

    Examples
    --------
    >>> list(find_links("[a](b.md), `[c](d.md)`, [e](https://example.org)"))
    [Link(line=1, target='b.md')]
    """
    shown = _blank(_CODE, _blank(_FENCED, text))
    for found in _TARGETS.finditer(shown):
        target = next(filter(None, found.groups()))
        if not _ELSEWHERE.match(target):
            yield Link(shown.count("\n", 0, found.start()) + 1, target)


def find_broken(names: list[str], root: Path) -> list[str]:
    """Return what is wrong with the links of some Markdown files.

    Parameters
    ----------
    names : list of str
        The files, relative to the root.
    root : Path
        The folder of the repository.

    Returns
    -------
    list of str
        A line for each link that leads nowhere.
    """
    broken = []
    for name in names:
        text = (root / name).read_text(encoding="utf-8")
        for line, target in find_links(text):
            reason = _check_link((root / name), unquote(target), root)
            if reason:
                broken.append(f"{name}:{line}: {target} {reason}")
    return broken


def list_anchors(text: str) -> set[str]:
    """Return the anchors of a Markdown text: those of its headings, as GitHub makes them."""
    shown = _blank(_FENCED, text)
    anchors = {anchor for found in _ANCHOR.findall(shown) for anchor in found if anchor}
    for heading in _HEADING.findall(shown):
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        anchor = base = re.sub(r"[^\w\- ]", "", title).replace(" ", "-")
        number = 0
        while anchor in anchors:
            number += 1
            anchor = f"{base}-{number}"
        anchors.add(anchor)
    return anchors


def _check_link(source: Path, target: str, root: Path) -> str:
    """Return why a link leads nowhere; nothing if it leads somewhere."""
    name, _, anchor = target.partition("#")
    path = (source.parent / name).resolve() if name else source
    if not path.is_relative_to(root.resolve()):
        return "is outside the repository"
    if not path.exists():
        return "is not there"
    if not anchor or path.suffix != ".md":
        return ""
    known = list_anchors(path.read_text(encoding="utf-8"))
    return "" if anchor.lower() in known else "has no such heading"


def _blank(pattern: re.Pattern[str], text: str) -> str:
    """Replace what a pattern matches by its line breaks, so that lines keep their numbers."""
    return pattern.sub(lambda found: "\n" * found[0].count("\n"), text)
