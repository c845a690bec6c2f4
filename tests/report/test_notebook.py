"""What a notebook shows of a split: the verdict first, one small figure, then the tables."""

import re
import subprocess
import sys
from html.parser import HTMLParser

import numpy as np
import pytest

import evenfold
from evenfold.report import notebook
from evenfold.report.summary import make_summary

Y = np.random.default_rng(0).random((240, 9)) < np.geomspace(0.5, 0.01, 9)
SCRIPT = "<script>alert(1)</script>"


class Elements(HTMLParser):
    """Keeps the names of elements in their order, and that each is closed."""

    def __init__(self, text):
        super().__init__()
        self.names, self.attributes, self._open = [], [], []
        self.feed(text)
        assert not self._open

    def handle_starttag(self, tag, attrs):
        """Keep an element."""
        self.names.append(tag)
        self.attributes += [name for name, _ in attrs]
        if tag not in ("br", "rect", "path"):
            self._open.append(tag)

    def handle_endtag(self, tag):
        """Check that what ends is what was begun last."""
        if tag not in ("rect", "path"):
            assert self._open.pop() == tag


def test_the_verdict_comes_first_then_one_figure():
    """The verdict is that of the report; the tables are below, folded."""
    s = evenfold.split(Y, 4, order=1)
    html = s._repr_html_()
    verdict = make_summary(s.quality, "", origin=s.origin)["verdict"]
    assert html.startswith(f"<p><strong>✓ {verdict['headline']}</strong><br>{verdict['sentence']}")
    names = Elements(html).names
    assert names.count("svg") == 1
    assert names.index("svg") < names.index("table") < names.index("details")
    assert html.index(verdict["remarks"][0]) < html.index("<table>")
    assert "method even" in html
    assert "best possible" in html
    assert "99 random splits" in html


def test_the_figure_has_the_numbers_of_the_verdict():
    """Bars of the bound, this split and random splits, in words too."""
    s = evenfold.split(Y, 4, method="random")
    judged = make_summary(s.quality, "")["judged"]
    svg = re.search("<svg.*?</svg>", s._repr_html_())[0]
    words = re.search('aria-label="([^"]*)"', svg)[1]
    assert words.startswith("How far labels are off their share, on average: best possible ")
    own = float(re.search("this split ([0-9.]+) %", words)[1])
    assert 0 <= own - 100 * judged["rld"] <= 0.1
    best = float(re.search("best possible ([0-9.]+) %", words)[1])
    assert 0 <= 100 * judged["bound"] - best <= 0.1
    low, high = map(float, re.search("random splits ([0-9.]+) to ([0-9.]+) %", words).groups())
    assert low <= own <= high
    widths = [float(width) for width in re.findall('<rect x="0" [^>]*width="([0-9.]+)"', svg)]
    assert widths[1] / widths[3] == pytest.approx(judged["bound"] / judged["rld"], rel=0.01)


def test_names_are_text():
    """Whatever labels, parts, groups and columns are called; there are no styles or scripts."""
    s = evenfold.split(
        [[SCRIPT], ["b"]] * 20,
        {SCRIPT: 0.5, "<i>": 0.5},
        groups={SCRIPT: np.arange(40) // 2},
        balance={SCRIPT: [SCRIPT] * 40},
        method="labelset",
    )
    elements = Elements(s._repr_html_())
    assert not {"script", "i", "style"} & set(elements.names)
    assert "style" not in elements.attributes


def test_it_is_made_once(monkeypatch):
    """Showing a split again takes no time."""
    s = evenfold.split(Y, 4)
    first = s._repr_html_()
    monkeypatch.setattr(notebook, "make_summary", None)
    assert s._repr_html_() is first


def test_large_data_are_shown_without_the_verdict(monkeypatch):
    """A sentence says how to get it; the tables are there."""
    monkeypatch.setattr(notebook, "_MAX_WORK", 100)
    html = evenfold.split(Y, 4)._repr_html_()
    assert "The verdict takes a while on data of this size: report('split.html') writes it." in html
    assert "svg" not in html
    assert "over bound" in html


def test_a_split_without_labels_has_no_figure():
    """Its verdict is about the balanced columns."""
    s = evenfold.split(parts=3, balance={"age": np.arange(60) % 7})
    html = s._repr_html_()
    assert html.startswith("<p><strong>· Split without labels</strong>")
    assert "svg" not in html


def test_nothing_that_draws_is_loaded():
    """A notebook shows a split without matplotlib and jinja2."""
    code = (
        "import sys, evenfold; s = evenfold.split([['a'], ['b']] * 20, 2); s._repr_html_(); "
        "print(*({'matplotlib', 'jinja2'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
