"""The site as `make docs` builds it: no warning, every public name, nothing from other hosts."""

import re
import shutil
import subprocess
import sys
import zlib

import pytest

from .blocks import ROOT, list_pages
from .test_api_pages import list_public

pytestmark = pytest.mark.slow
NEEDED = ("furo", "myst_parser", "numpydoc", "sphinx", "sphinx_copybutton")
# What a browser loads without a click: scripts, styles, pictures and fonts.
LOADED = re.compile(
    r"<(?:script|img|source|iframe)\b[^>]*\bsrc(?:set)?=\"([^\"]+)\"|"
    r"<link\b[^>]*\bhref=\"([^\"]+)\"|url\(([^)]+)\)|@import ([^;]+);"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Build the site of a copy of the sources, as the Makefile does."""
    for package in NEEDED:
        pytest.importorskip(package, reason=f"{package} is not installed")
    folder = tmp_path_factory.mktemp("clone")
    for name in ("docs", "examples", "src"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("generated"))
    for path in ROOT.glob("*.md"):
        shutil.copy(path, folder)
    [line] = re.findall(r"\$\(BIN\)/python (-m sphinx .*)", (ROOT / "Makefile").read_text())
    done = subprocess.run(
        [sys.executable, *line.split()], cwd=folder, capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "build" / "docs"


def test_every_page_and_every_public_name_is_on_the_site(site):
    """The inventory of the site has all names of the API."""
    pages = [name for name in list_pages() if name != "README"]
    assert [name for name in pages if not (site / f"{name}.html").is_file()] == []
    # Four lines of text, then compressed lines: name, kind, priority, address, title.
    packed = (site / "objects.inv").read_bytes().split(b"\n", 4)[4]
    known = {line.split(" ")[0] for line in zlib.decompress(packed).decode().splitlines()}
    assert set(list_public()) <= known


def test_nothing_is_loaded_from_another_host(site):
    """So that pages and their search work without a network."""
    pages = [*site.rglob("*.html"), *site.rglob("*.css")]
    assert len(pages) > 100
    for page in pages:
        loaded = ["".join(found) for found in LOADED.findall(page.read_text(encoding="utf-8"))]
        assert [url for url in loaded if re.match(r"['\"]?(https?:)?//", url)] == [], page
    assert (site / "searchindex.js").stat().st_size > 100_000
