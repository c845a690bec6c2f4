"""The blocks of code of a page, and the comments that say how the tests take them."""

import re
import textwrap
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
# What a fence may say. Others, such as `sh` or `pycon`, would be shown but not run.
LANGUAGES = {"bash", "csv", "html", "ini", "json", "python", "text", "toml", "yaml"}
RUN = ("bash", "python")
FENCE = re.compile(
    r"^(?P<indent>[ ]*)(?P<fence>`{3,}|~{3,})(?P<info>[^\n`]*)\n"
    r"(?P<code>.*?)^[ ]*(?P=fence)[ ]*$\n?",
    re.MULTILINE | re.DOTALL,
)
# <!-- not run: it installs packages -->, <!-- printed -->
REMARK = re.compile(r"<!-- (not run|printed)(?:: ([^>]+?))? -->\s*\Z")
NEEDS = re.compile(r"^<!-- needs: ([\w, ]+) -->$", re.MULTILINE)


class Block(NamedTuple):
    """A block of code.

    `remark` is "not run", "printed" or empty; `reason` says why a block is not run.
    """

    language: str
    code: str
    line: int
    remark: str = ""
    reason: str = ""


def list_pages():
    """Return the README and every Markdown page of the documentation, by its short name."""
    pages = {"README": ROOT / "README.md"}
    for path in sorted(DOCS.rglob("*.md")):
        if not any(part.startswith("_") for part in path.relative_to(DOCS).parts):
            pages[path.relative_to(DOCS).with_suffix("").as_posix()] = path
    return pages


def read_blocks(text):
    """Return the blocks of a page in their order, without the directives of Sphinx."""
    return list(_find_blocks(text))


def _find_blocks(text):
    for match in FENCE.finditer(text):
        language = match["info"].strip()
        if language.startswith("{"):
            continue
        remark = REMARK.search(text[: match.start()])
        line = text.count("\n", 0, match.start()) + 2
        code = textwrap.dedent(match["code"])
        yield Block(language, code, line, *(remark[1], remark[2] or "") if remark else ())


def find_needed(text):
    """Return the packages that a page needs beyond those of the tests."""
    return [name.strip() for found in NEEDS.findall(text) for name in found.split(",")]
