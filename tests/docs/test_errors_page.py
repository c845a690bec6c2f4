"""Messages on the page of errors that need a package to be missing; the others are run there."""

import re
import sys
from pathlib import Path

import pytest

from evenfold._kernels.compiler import find_compiler

from .blocks import DOCS


def find_shown(beginning):
    """Return the text block of the page that begins so, as a pattern."""
    page = (DOCS / "reference" / "errors.md").read_text(encoding="utf-8")
    [text] = [
        block
        for block in re.findall(r"```text\n(.*?)```", page, re.DOTALL)
        if block.startswith(beginning)
    ]
    return ".*".join(re.escape(" ".join(part.split())) for part in text.split("..."))


def test_the_message_about_numba_is_the_real_one(monkeypatch):
    """Where Numba cannot be imported."""
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.warns(RuntimeWarning, match=f"^{find_shown('Numba')}$"):
        find_compiler.__wrapped__()


def test_the_message_about_a_missing_extra_is_the_real_one(monkeypatch, command):
    """A workbook without the package that reads it."""
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    Path("films.xlsx").write_bytes(b"PK")
    done = command("info films.xlsx")
    assert done.code == 1
    assert re.search(find_shown("films.xlsx"), " ".join(done.stderr.split()))
