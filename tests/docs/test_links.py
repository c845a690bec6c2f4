"""Links between pages: the file is there, and so is the heading."""

import re
from pathlib import Path

import pytest

from .blocks import FENCE, ROOT, list_pages

PAGES = {
    **list_pages(),
    "CHANGELOG": ROOT / "CHANGELOG.md",
    "CONTRIBUTING": ROOT / "CONTRIBUTING.md",
}
LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE = re.compile(r"`[^`]*`")


def read_prose(path):
    """Return a page without its blocks of code."""
    return FENCE.sub("", path.read_text(encoding="utf-8"))


def list_anchors(path):
    """Return the anchors that GitHub and the site give to the headings of a page."""
    headings = re.findall(r"^#+ (.+)$", read_prose(path), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def list_broken(path):
    """Return the links of a page that lead nowhere."""
    broken = []
    for link in LINK.findall(CODE.sub("``", read_prose(path))):
        if re.match(r"https?://", link):
            continue
        name, _, anchor = link.partition("#")
        target = (path.parent / name) if name else path
        if not target.exists() or (anchor and anchor not in list_anchors(target)):
            broken.append(link)
    return broken


@pytest.mark.parametrize("name", PAGES)
def test_the_links_of_a_page_lead_somewhere(name):
    """Pages, figures and headings; other hosts are not asked."""
    assert list_broken(PAGES[name]) == []


def test_broken_links_are_found(tmp_path):
    """A missing file, and a heading that the page does not have; code is not read."""
    page = Path(tmp_path, "page.md")
    page.write_text(
        "# One: two, `x`\n\n[a](#one-two-x) [b](page.md#none) [c](none.md) [d](https://a.b/c)\n"
        "`[e](none.md)`\n\n```text\n[f](none.md)\n# no heading\n```\n"
    )
    assert list_broken(page) == ["page.md#none", "none.md"]
