"""Reports as files: safe whatever the names, the same bytes every time, small, well formed."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import jsonschema
import matplotlib as mpl
import numpy as np
import pytest
from markdown_it import MarkdownIt

import evenfold

SCHEMA = json.loads(
    (Path(__file__).parents[2] / "docs" / "report.schema.json").read_text(encoding="utf-8")
)
SCRIPT = "<script>alert(1)</script>"
NAMES = [
    SCRIPT,
    "</script></style></title>",
    "=cmd()",
    "x" * 10_000,
    "a|b\\|c",
    "two\nlines\r\n\r\n# head",
    "$\\frac{1}{2",
    "`code` *bold* [a](https://b.c) ![i](j)",
    "www.k.l :fire: @me #1 ~~no~~ $x$",
    "--> ]]> <!-- &amp; &#60;",
    "\"' onload='x",
    "\x00\x1b[31m\u202edas\ud800",
    "漢字 😀",
    "_under",
]
LABELS = [[NAMES[at % 14], NAMES[(at * 5 + 1) % 14]] for at in range(280)]


class Page(HTMLParser):
    """Reads the elements of a page, and the text that a person sees."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.texts, self._open = [], [], []
        self.feed(text)
        assert not self._open, f"not closed: {self._open}"

    def handle_starttag(self, tag, attrs):
        """Keep an element."""
        self.elements.append((tag, dict(attrs)))
        if tag not in ("meta", "input", "link"):
            self._open.append(tag)

    def handle_startendtag(self, tag, attrs):
        """Keep an element without content."""
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        """Check that what ends is what was begun last."""
        assert self._open.pop() == tag

    def handle_data(self, data):
        """Keep text."""
        if self._open and self._open[-1] not in ("style", "script") and data.strip():
            self.texts.append(data.strip())

    def all(self, tag):
        """Return the attributes of all elements of a kind."""
        return [attrs for name, attrs in self.elements if name == tag]


@pytest.fixture(scope="module")
def hostile():
    """A split in which every name contains markup."""
    balance = {SCRIPT: [name[:50] for pair in LABELS for name in pair[:1]], "a|b": np.arange(280.0)}
    return evenfold.split(
        LABELS,
        [0.4, 0.3, 0.2, 0.1],
        names=[SCRIPT, "a|b", "_x", "$y$"],
        balance=balance,
        groups=np.arange(280) // 2,
    )


@pytest.fixture(scope="module")
def reports(hostile, tmp_path_factory):
    """Its report in each form, as text."""
    folder = tmp_path_factory.mktemp("reports")
    comparison = evenfold.compare(
        LABELS, 4, methods={SCRIPT: "random", "a|b": "labelset"}, repeats=1
    )
    for suffix in ("html", "md", "json"):
        hostile.report(
            folder / f"r.{suffix}",
            title=SCRIPT,
            call=f"{SCRIPT} ```",
            notes=[f"{SCRIPT} | *note*"],
            comparison=comparison,
        )
    return {
        suffix: (folder / f"r.{suffix}").read_text(encoding="utf-8")
        for suffix in ("html", "md", "json")
    }


def test_names_are_text_everywhere_in_the_page(reports):
    """Whatever names contain, the page has one script and one style, its own."""
    page = Page(reports["html"])
    assert len(page.all("script")) == len(page.all("style")) == 1
    assert not {name for _, attrs in page.elements for name in attrs if name.startswith("on")}
    assert (
        not page.all("img")
        + page.all("iframe")
        + page.all("object")
        + page.all("b")
        + page.all("i")
    )
    assert not re.search(r"(?:href|src|action)=[\"'](?!#)", reports["html"])
    shown = "\n".join(page.texts)
    # The label is in two tables and a figure, the part in the headings of several tables and in
    # legends; also title, note, call, method, column and its value.
    assert shown.count("<script>alert(1)</s") > 15
    for name in (
        "=cmd()",
        "a|b\\|c",
        "two lines # head",
        "$\\frac{1}{2",
        "--> ]]> <!-- &amp; &#60;",
        "\"' onload='x",
        "漢字 😀",
        "_under",
    ):
        assert page.texts.count(name) >= 3, name
    assert "x" * 39 + "…" in page.texts
    assert "x" * 41 not in reports["html"]
    assert not re.search(r"[\x00-\x08\x0b-\x1f\u202a-\u202e]", reports["html"])


def test_the_policy_allows_our_style_and_script_alone(reports):
    """The policy allows them by hash, and no element has a style attribute."""
    page = Page(reports["html"])
    policy = page.all("meta")[1]
    assert policy["http-equiv"] == "Content-Security-Policy"
    rules = dict(rule.strip().split(" ", 1) for rule in policy["content"].split(";"))
    assert rules.pop("default-src") == rules.pop("base-uri") == rules.pop("form-action") == "'none'"
    for tag in ("style", "script"):
        content = re.search(rf"<{tag}>(.*?)</{tag}>", reports["html"], re.DOTALL)[1]
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert rules.pop(f"{tag}-src") == f"'sha256-{digest}'"
    assert not rules
    assert not [attrs for _, attrs in page.elements if "style" in attrs]


def test_the_page_can_be_read_without_seeing_it(reports):
    """Tables have captions and headings, figures descriptions, and ids are unique."""
    page = Page(reports["html"])
    assert page.all("html") == [{"lang": "en"}]
    assert len(page.all("caption")) == len(page.all("table")) > 8
    assert all(attrs["scope"] in ("row", "col") for attrs in page.all("th"))
    assert all(attrs["role"] == "img" and attrs["aria-label"] for attrs in page.all("svg"))
    assert len(page.all("svg")) == 7
    assert [tag for tag, _ in page.elements if tag in ("h1", "h2", "h3")][:2] == ["h1", "h2"]
    assert len(page.all("h1")) == 1
    ids = [attrs["id"] for _, attrs in page.elements if "id" in attrs]
    assert len(ids) == len(set(ids))
    links = {attrs["href"] for _, attrs in page.elements if "href" in attrs}
    assert links <= {f"#{name}" for name in ids}


def test_every_figure_has_title_and_axis_names(reports):
    """Figures have a title, and axis names with units."""
    page = Page(reports["html"])
    for text in (
        "rLD of each label by its size",
        "label size (rows)",
        "LD of the label (no unit)",
        "rows that hold the label (%)",
        "labels of a row (number)",
        "rows (%)",
        "a|b (from)",
    ):
        assert text in page.texts


def test_markdown_is_tables_of_text(reports):
    """Every table parses, and a name is one cell of plain text."""
    tokens = MarkdownIt("commonmark").enable("table").parse(reports["md"])
    kinds = [token.type for token in tokens]
    assert kinds.count("table_open") >= 8
    assert "html_block" not in kinds
    width, cells, texts = 0, 0, []
    for token in tokens:
        if token.type == "thead_open":
            width = 0
        elif token.type == "th_open":
            width += 1
        elif token.type == "tr_open":
            cells = 0
        elif token.type == "td_open":
            cells += 1
        elif token.type == "tr_close":
            assert cells in (0, width)
        elif token.type == "inline":
            assert {child.type for child in token.children} <= {
                "text",
                "text_special",
                "strong_open",
                "strong_close",
            }, token.content
            texts.append("".join(child.content for child in token.children))
    for name in (
        SCRIPT,
        "a|b\\|c",
        "two lines # head",
        "`code` *bold* [a](https://b.c) ![i](j)",
        "--> ]]> <!-- &amp; &#60;",
        "_under",
    ):
        assert name in texts, name
    assert f"{SCRIPT} | *note*" in texts
    assert next(token.content for token in tokens if token.type == "fence") == f"{SCRIPT} ```\n"
    assert r"www\.k.l \:fire: \@me \#1 \~\~no\~\~ \$x\$" in reports["md"]


def test_json_is_the_summary(reports, hostile):
    """The JSON fits the schema, and names in it are short."""
    summary = json.loads(reports["json"])
    jsonschema.Draft202012Validator(SCHEMA).validate(summary)
    assert summary["title"] == SCRIPT
    assert summary["origin"]["fingerprint"] == hostile.fingerprint
    assert summary["origin"]["seconds"] == hostile.origin.seconds > 0
    assert max(len(line["label"]) for line in summary["worst"]["lines"]) == 40


def test_the_same_split_gives_the_same_bytes(hostile, tmp_path):
    """The bytes do not depend on the user's matplotlib settings, which stay unchanged."""
    names = [f"{at}.{suffix}" for suffix in ("html", "md", "json") for at in "ab"]
    for name in names:
        with mpl.rc_context(
            {
                "axes.grid": True,
                "axes.titleweight": "bold",
                "lines.markeredgewidth": 9,
                "svg.fonttype": "path",
            }
            if name < "b"
            else {}
        ):
            before = dict(mpl.rcParams)
            hostile.report(tmp_path / name)
            assert dict(mpl.rcParams) == before
    for first, second in zip(names[::2], names[1::2], strict=True):
        assert (tmp_path / first).read_bytes() == (tmp_path / second).read_bytes()
    assert not re.search(rb"\b20\d\d-\d\d", (tmp_path / "a.html").read_bytes())


def test_a_page_is_below_a_megabyte_at_any_size(tmp_path):
    """30,000 labels with long names in 60 parts make a page below 1 MB."""
    names = [f"<&\"'>{number}<&><&><&><&><&><&><&><&><&><&><&>" for number in range(30_000)]
    indices = (
        np.sort(np.arange(60_000).reshape(-1, 50) * 7 % 30_000, axis=1).ravel().astype(np.int32)
    )
    labels = evenfold.labels.Labels(np.arange(0, 60_001, 50), indices, names)
    parts = {f"<&\"'>{number}<&><&><&><&>": 20 for number in range(60)}
    balance = {name: np.arange(1200) % 40 for name in names[:40]}
    groups = {"<&": np.arange(1200) // 2}
    evenfold.split(labels, parts, method="random", balance=balance, groups=groups).report(
        tmp_path / "r.html", title=names[0] * 50, call=names[0] * 500
    )
    assert 300_000 < (tmp_path / "r.html").stat().st_size <= 1_000_000


@pytest.mark.parametrize(
    "made",
    [
        lambda: evenfold.split([["a"], []] * 9, 3),
        lambda: evenfold.split(np.ones((12, 2)), 3),
        lambda: evenfold.split(np.zeros((12, 2)), 3),
        lambda: evenfold.split(balance=np.arange(24.0).reshape(12, 2), parts=3),
        lambda: evenfold.split(np.eye(60), 50, method="random"),
        lambda: evenfold.split([[1, np.nan], [0, 1], [1, 0], [np.nan, 1]] * 3, 2),
        lambda: evenfold.measure([["a"], ["b"], ["a"]], [0, 1, 1], parts=[0.3, 0.3, 0.4]),
        lambda: evenfold.measure([["a"], ["b"], ["a"]], [0, 0, 0]),
    ],
    ids=[
        "one label",
        "in every row",
        "in no row",
        "amounts alone",
        "50 parts",
        "unknown",
        "an empty part",
        "one part",
    ],
)
def test_unusual_splits_have_reports_in_every_form(made, tmp_path):
    """Splits without labels, with one label or many parts have valid reports."""
    for suffix in ("html", "md", "json"):
        made().report(tmp_path / f"r.{suffix}")
    assert Page((tmp_path / "r.html").read_text(encoding="utf-8")).all("table")
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads((tmp_path / "r.json").read_bytes()))
    assert "| :-- |" in (tmp_path / "r.md").read_text(encoding="utf-8")


def test_a_path_of_another_kind_is_refused(tmp_path):
    """A path with another suffix raises before anything is measured or written."""
    s = evenfold.split([["a"], []] * 9, 3)
    for report in (s.report, s.quality.report):
        with pytest.raises(
            evenfold.exceptions.InputError,
            match=r"'path' must end in \.html, \.md or \.json, got '.*r\.pdf'\.",
        ):
            report(tmp_path / "r.pdf")
    assert not list(tmp_path.iterdir())


def test_a_split_without_its_labels_has_no_report(tmp_path):
    """A split loaded without labels raises an error that says how to load it."""
    evenfold.split([["a"], []] * 9, 3).save(tmp_path / "s.json")
    with pytest.raises(evenfold.exceptions.InputError, match="loaded without its labels"):
        evenfold.load_split(tmp_path / "s.json").report(tmp_path / "r.html")


def test_a_loaded_split_is_reported_as_the_one_that_was_saved(tmp_path):
    """The reports differ only in the seconds, which are not saved."""
    y = np.random.default_rng(0).random((60, 4)) < 0.3
    s = evenfold.split(y, 3)
    s.save(tmp_path / "s.json")
    s.report(tmp_path / "a.json")
    evenfold.load_split(tmp_path / "s.json", y).report(tmp_path / "b.json")
    a, b = (json.loads((tmp_path / name).read_bytes()) for name in ("a.json", "b.json"))
    assert b["origin"].pop("seconds") is None
    assert a["origin"].pop("seconds") > 0
    for line in (*a["measures"], *b["measures"]):
        line.pop("tight_seconds")
    assert a == b
