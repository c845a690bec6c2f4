"""Reports in a real browser."""

import numpy as np
import pytest

import evenfold

from .browser import CHROMIUM, Browser

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        CHROMIUM is None, reason="there is no chromium to open reports in; apt-get install chromium"
    ),
]
TAB, ENTER = ("Tab", 9), ("Enter", 13, "\r")
LABELS_SHOWN = """Array.from(
    document.querySelectorAll('#worst-labels tbody tr:not([hidden]) th'), cell => cell.textContent
)"""
COLUMN = """Array.from(
    document.querySelectorAll('#worst-labels tbody tr'), row => row.cells[{}].textContent
)"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """One browser for all tests."""
    opened = Browser(tmp_path_factory.mktemp("profile"))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """The report of a random split with a label that is a script."""
    y = np.random.default_rng(0).random((400, 60)) < np.geomspace(0.6, 0.01, 60)
    names = [f"Label {number}" for number in range(59)] + [
        "<script>document.title = 'taken over'</script>"
    ]
    labels = [[names[label] for label in np.flatnonzero(row)] for row in y]
    path = tmp_path_factory.mktemp("report") / "report.html"
    evenfold.split(
        labels, 3, method="random", groups=np.arange(400) // 2, balance={"age": np.arange(400) % 90}
    ).report(path)
    return path


@pytest.fixture
def page(browser, report):
    """The browser with the report open in a wide window, in light colours."""
    browser.resize(1280, 900)
    browser.prefer("light")
    browser.requests.clear()
    browser.console.clear()
    browser.open(report)
    return browser


@pytest.fixture(autouse=True)
def _silence(page, report):
    """Check that the page requests nothing but itself and logs nothing."""
    yield
    page.run("0")
    assert page.requests == [report.as_uri()]
    assert page.console == []


def click(page, column):
    """Click the heading of a column and return its sort order."""
    page.run(f"document.querySelectorAll('#worst-labels thead button')[{column}].click()")
    return page.run(
        f"document.querySelectorAll('#worst-labels thead th')[{column}].getAttribute('aria-sort')"
    )


def to_numbers(cells):
    """Read a column."""
    return [float(cell.replace(",", "")) for cell in cells]


def test_a_column_of_numbers_is_sorted_both_ways(page):
    """A first click sorts by the largest, a second by the smallest."""
    for column in (1, 2, 8):
        assert click(page, column) == "descending"
        values = to_numbers(page.run(COLUMN.format(column)))
        assert len(values) == 60
        assert values == sorted(values, reverse=True)
        assert click(page, column) == "ascending"
        values = to_numbers(page.run(COLUMN.format(column)))
        assert values == sorted(values)
        assert page.run("document.querySelectorAll('[aria-sort]').length") == 1


def test_labels_are_sorted_as_people_count(page):
    """Labels are sorted by the numbers in them: 2 before 10."""
    assert click(page, 0) == "ascending"
    shown = [name for name in page.run(LABELS_SHOWN) if name.startswith("Label")]
    assert shown == [f"Label {number}" for number in range(59)]


def test_the_keyboard_sorts(page):
    """Headings are buttons, reached by Tab and pressed by Enter."""
    page.run("document.getElementById('filter').focus()")
    page.press(*TAB)
    page.press(*TAB)
    assert page.run("document.activeElement.textContent") == "label"
    page.press(*ENTER)
    assert page.run("document.activeElement.parentElement.getAttribute('aria-sort')") == "ascending"


def test_labels_are_filtered_and_counted(page):
    """The filter matches any part of a name in any case; an empty one shows all."""
    page.run("document.getElementById('filter').focus()")
    page.type("LABEL 1")
    assert sorted(page.run(LABELS_SHOWN)) == sorted(
        f"Label {number}" for number in (1, *range(10, 20))
    )
    assert page.run("document.getElementById('shown').textContent") == "11 of 60 labels"
    page.run("document.getElementById('filter').value = ''")
    page.run("document.getElementById('filter').dispatchEvent(new Event('input'))")
    assert len(page.run(LABELS_SHOWN)) == 60
    assert page.run("document.getElementById('shown').textContent") == ""


def test_the_theme_follows_the_user_and_the_button(page):
    """The page follows the preferred theme, and the button switches it."""
    background = "getComputedStyle(document.body).backgroundColor"
    pressed = "document.getElementById('theme').getAttribute('aria-pressed')"
    light = page.run(background)
    page.prefer("dark")
    dark = page.run(background)
    assert dark != light
    assert page.run(pressed) == "true"
    page.run("document.getElementById('theme').click()")
    assert (page.run(background), page.run(pressed)) == (light, "false")
    page.run("document.getElementById('theme').click()")
    assert (page.run(background), page.run(pressed)) == (dark, "true")
    assert page.run(
        "getComputedStyle(document.querySelector('.figures svg text')).fill"
    ) == page.run("getComputedStyle(document.body).color")


def test_a_label_that_is_a_script_does_nothing(page):
    """A label that is a script is shown as text."""
    assert page.run("document.title").startswith("400 rows in 3 parts: ")
    assert any(name.startswith("<script>") for name in page.run(LABELS_SHOWN))
    assert page.run("document.querySelectorAll('main script').length") == 0


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_the_page_fits_its_width(page, width):
    """Only tables scroll sideways, each inside its own box."""
    page.resize(width, 800, phone=width < 500)
    assert page.run("document.documentElement.scrollWidth") <= width
    assert page.run("document.querySelector('h1').getBoundingClientRect().width") > width / 3


def test_it_shows_on_screen_and_paper(page):
    """Screenshots in light and dark differ, and neither they nor the print are blank."""
    light = page.screenshot()
    page.prefer("dark")
    dark = page.screenshot()
    assert light[:8] == dark[:8] == b"\x89PNG\r\n\x1a\n"
    assert light != dark
    assert min(len(light), len(dark)) > 30_000
    printed = page.print()
    assert printed.startswith(b"%PDF")
    assert len(printed) > 30_000


def test_text_can_be_told_from_its_background(page):
    """Text has a contrast of at least 4.5 to 1, in light and dark."""
    colours = """Array.from(
        document.querySelectorAll('.map td, .verdict h1, .verdict li, thead th'), cell => {
            const background = (element) => getComputedStyle(element).backgroundColor;
            let below = cell;
            while (background(below) === 'rgba(0, 0, 0, 0)') below = below.parentElement;
            return [getComputedStyle(cell).color, background(below)];
        }
    )"""
    for scheme in ("light", "dark"):
        page.prefer(scheme)
        pairs = {tuple(pair) for pair in page.run(colours)}
        assert len(pairs) > 5
        assert min(contrast(*pair) for pair in pairs) >= 4.5


def contrast(first, second):
    """Return the contrast of two colours as WCAG defines it."""
    lights = []
    for colour in (first, second):
        share = np.array([int(number) for number in colour.strip("rgb()").split(",")]) / 255
        lights.append(
            np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
            @ [0.2126, 0.7152, 0.0722]
        )
    return (max(lights) + 0.05) / (min(lights) + 0.05)
