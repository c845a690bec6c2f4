"""Links of Markdown files, found and followed."""

from release.links import find_broken, find_links, list_anchors


def test_links_are_found_in_every_form():
    """Markdown and HTML, with titles and in angle brackets; each with its line."""
    text = (
        "[a](a.md) and ![b](<b.svg>)\n"
        '[c](c.md "title"), [d][1]\n'
        "\n"
        "[1]: d.md#top\n"
        '<img alt="e" src="e.png"><a href="#f">f</a>\n'
    )
    assert list(find_links(text)) == [
        (1, "a.md"),
        (1, "b.svg"),
        (2, "c.md"),
        (4, "d.md#top"),
        (5, "e.png"),
        (5, "#f"),
    ]


def test_code_and_other_sites_have_no_links():
    """Lines after a block of code keep their numbers."""
    text = (
        "`[a](a.md)`\n```python\nx[0](b)\n[c](c.md)\n```\n[d](https://d.org) [e](mailto:e@e.org)\n"
    )
    assert list(find_links(text)) == []
    assert list(find_links(f"{text}[f](f.md)")) == [(7, "f.md")]


def test_anchors_are_those_of_headings():
    """As GitHub writes them: equal headings are numbered, signs are left out."""
    text = "# A `b` & c\n## Same\n## Same\n(named)=\n### [d](d.md), e\n```\n# no heading\n```\n"
    assert list_anchors(text) == {"a-b--c", "same", "same-1", "named", "d-e"}


def test_broken_links_are_named_with_their_line(tmp_path):
    """A missing file, a missing heading, and a file outside the repository."""
    root = tmp_path / "root"
    (root / "docs").mkdir(parents=True)
    (tmp_path / "other.md").write_text("# Other")
    (root / "docs" / "page two.md").write_text("# Here\n[up](../README.md#title)\n[b](#here)")
    (root / "README.md").write_text(
        "# Title\n"
        "[good](docs/page%20two.md#here), [folder](docs)\n"
        "[a](docs/none.md)\n"
        "[b](docs/page%20two.md#there)\n"
        "[c](../other.md)\n"
    )
    assert find_broken(["README.md", "docs/page two.md"], root) == [
        "README.md:3: docs/none.md is not there",
        "README.md:4: docs/page%20two.md#there has no such heading",
        "README.md:5: ../other.md is outside the repository",
    ]
