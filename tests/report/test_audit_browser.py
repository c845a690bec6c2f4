"""The page of an audit, opened in a browser."""

import numpy as np
import pytest

import evenfold

from .browser import CHROMIUM, Browser

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
]
SCRIPT = "<script>document.title = 'taken over'</script>"


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A browser with the page of an audit that has problems, in data with a label as script."""
    y = [["a", SCRIPT], ["b"], ["c"], ["a", "b"]] * 50
    path = tmp_path_factory.mktemp("audit") / "audit.html"
    parts = ["train"] * 150 + ["test"] * 50
    groups = {SCRIPT: np.arange(200) // 4 % 40, "x" * 300: np.arange(200)}
    evenfold.audit(y, parts, groups=groups, copies=[at % 190 for at in range(200)]).report(path)
    opened = Browser(tmp_path_factory.mktemp("profile"))
    opened.open(path)
    yield opened
    assert opened.requests == [path.as_uri()]
    assert opened.console == []
    opened.close()


def test_names_are_shown_as_text(page):
    """A script among the names does nothing."""
    assert page.run("document.title").startswith("200 rows in 2 parts: ")
    assert page.run("document.querySelectorAll('main script').length") == 0
    assert "<script>" in page.run("document.querySelector('#checks').textContent")


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_the_page_fits_its_width(page, width):
    """Only tables scroll sideways, each inside its own box."""
    page.resize(width, 800, phone=width < 500)
    assert page.run("document.documentElement.scrollWidth") <= width


def test_links_lead_to_sections(page):
    """Every link of the header has its section."""
    links = "Array.from(document.querySelectorAll('nav a'), link => link.getAttribute('href'))"
    targets = page.run(links)
    assert len(targets) >= 4
    assert all(page.run(f"document.querySelector('{target}') !== null") for target in targets)
