"""The page of a comparison, opened in a browser."""

import numpy as np
import pytest

import evenfold
from evenfold.cli.result_figures import to_panels
from evenfold.report.result_writing import to_result_html

from .browser import CHROMIUM, Browser

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    """A browser with the page of a comparison of all methods."""
    path = tmp_path_factory.mktemp("compare") / "compare.html"
    y = np.random.default_rng(0).random((120, 8)) < 0.2
    result = evenfold.compare(y, 4, repeats=2)
    path.write_text(to_result_html(result, "a command", to_panels(result)), encoding="utf-8")
    opened = Browser(tmp_path_factory.mktemp("profile"))
    opened.open(path)
    yield opened
    assert opened.requests == [path.as_uri()]
    assert opened.console == []
    opened.close()


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_the_page_fits_its_width(page, width):
    """Only tables scroll sideways; on a phone, each panel is as wide as the page."""
    page.resize(width, 800, phone=width < 500)
    assert page.run("document.documentElement.scrollWidth") <= width
    panel = page.run("document.querySelector('figure svg').getBoundingClientRect().width")
    assert panel > (0.8 if width < 500 else 0.3) * width


def test_no_name_of_a_method_is_broken_on_a_phone(page):
    """A word takes one line; names of several words may take more."""
    page.resize(390, 800, phone=True)
    lines = page.run("""Array.from(document.querySelectorAll('.pairs tbody th'), cell => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return [cell.textContent.trim(), range.getClientRects().length];
    })""")
    assert len(lines) > 30
    for name, n_lines in lines:
        assert n_lines <= name.count(" ") + name.count("-") + 1, name


def test_dark_text_is_light(page):
    """Text of the page and of its figures is lighter than the background."""
    page.prefer("dark")
    for what in ("'main h1'", "'figure text'"):
        colour = page.run(f"getComputedStyle(document.querySelector({what})).color")
        assert min(int(number) for number in colour.strip("rgb()").split(",")) > 150
    page.prefer("light")
