"""How blocks are found and run: a page that is wrong fails."""

import re

import pytest

from .blocks import find_needed, read_blocks
from .running import PageError, run_page

MOVIES = "evenfold demo -o movies.csv\n"


def write_page(*blocks):
    """Return a page with these blocks, each under its language."""
    return "# Page\n\n" + "\n\n".join(f"```{language}\n{code}```" for language, code in blocks)


def run(text, command, folder):
    """Run the blocks of a page."""
    run_page("page", read_blocks(text), command, folder)


def test_blocks_have_their_language_line_and_remark():
    """In lists too; directives are left out."""
    text = (
        "# Page\n\n<!-- not run: there is no network -->\n\n```bash\npip install x\n```\n\n"
        "- item\n\n  ```python\n  if x:\n      y\n  ```\n\n```{note}\nno code\n```\n"
        "<!-- printed -->\n```text\nall\n```\n"
    )
    first, second, third = read_blocks(text)
    assert first == ("bash", "pip install x\n", 6, "not run", "there is no network")
    assert second == ("python", "if x:\n    y\n", 12, "", "")
    assert (third.language, third.remark) == ("text", "printed")
    assert find_needed("<!-- needs: torch, datasets -->\n") == ["torch", "datasets"]


def test_blocks_of_python_share_their_names(command, tmp_path):
    """Plain ones and examples, in the folder of the shell lines."""
    text = write_page(
        ("bash", MOVIES),
        ("python", "lines = open('movies.csv').read().splitlines()\n"),
        ("python", ">>> n = len(lines)\n>>> n\n3001\n"),
        ("python", "assert n == 3001\n"),
    )
    run(text, command, tmp_path)


@pytest.mark.parametrize(
    ("block", "message"),
    [
        (("python", ">>> 1 + 1\n3\n"), r"page\.md, line 4.*Expected:\s+3\s+Got:\s+2"),
        (("bash", "evenfold split nothing.csv --folds 2\n"), r"page\.md, line 4.*nothing\.csv"),
        (("bash", "false\n"), r"page\.md, line 4.*'false'"),
        (("bash", "evenfold --version | grep nothing\n"), "grep nothing"),
        (("bash", "true # exit code 1\n"), r"page\.md, line 4"),
        (("bash", "x=1\nfalse\ntrue\n"), "x=1"),
    ],
)
def test_a_wrong_block_fails(block, message, command, tmp_path):
    """The error names the page and the line."""
    with pytest.raises(PageError, match=re.compile(message, re.DOTALL)):
        run(write_page(block), command, tmp_path)


def test_plain_python_fails_at_its_line(command, tmp_path):
    """The traceback has the line of the page."""
    with pytest.raises(ZeroDivisionError, match="division by zero") as error:
        run(write_page(("python", "x = 1\nx / 0\n")), command, tmp_path)
    assert error.traceback[-1].lineno + 1 == 5


def test_exit_codes_are_those_that_are_named(command, tmp_path):
    """Of evenfold and of other programs; comments are no arguments."""
    text = write_page(("bash", "evenfold split # exit code 2\nfalse # exit code 1\ntrue # fine\n"))
    run(text, command, tmp_path)


def test_what_is_shown_is_compared_with_what_was_printed(command, tmp_path):
    """As a part of the output of the last line, on stdout or stderr."""
    shown = "<!-- printed -->\n```text\n{}\n```\n"
    text = write_page(("bash", MOVIES + "evenfold info movies.csv --groups director\n"))
    run(f"{text}\n\n{shown.format('movies.csv: csv ... rows 3,000')}", command, tmp_path)
    other = write_page(("bash", "evenfold info movies.csv\n"))
    with pytest.raises(PageError, match="does not print this, but"):
        run(f"{other}\n\n{shown.format('4,000 rows')}", command, tmp_path)


@pytest.mark.parametrize(("language", "code"), [("json", "{'a': 1}\n"), ("yaml", "a: [1\n")])
def test_data_on_a_page_is_well_formed(language, code, command, tmp_path):
    """JSON and YAML are parsed."""
    with pytest.raises(Exception, match=r"Expecting property name|expected ',' or"):
        run(write_page((language, code)), command, tmp_path)
