"""Every block of code of every page runs, or says why not."""

import importlib
import importlib.util
import sys

import pytest

from .blocks import LANGUAGES, ROOT, RUN, find_needed, list_pages, read_blocks
from .running import run_page

PAGES = {name: path.read_text(encoding="utf-8") for name, path in list_pages().items()}


def find_setup(name):
    """Return the module that prepares a page, if there is one."""
    module = f"tests.docs.setups.{name.replace('/', '__').replace('-', '_')}"
    return importlib.import_module(module) if importlib.util.find_spec(module) else None


def list_pages_to_run():
    """Yield the pages with code; those that need other packages are slow tests."""
    for name, text in PAGES.items():
        if any(block.language in RUN for block in read_blocks(text)):
            yield pytest.param(name, marks=[pytest.mark.slow] if find_needed(text) else [])


@pytest.mark.parametrize("name", [*list_pages_to_run()])
def test_the_blocks_of_a_page_run(name, command, tmp_path, monkeypatch):
    """One after the other in an empty folder, after what the page takes as given."""
    for package in find_needed(PAGES[name]):
        pytest.importorskip(package, reason=f"{package} is not installed")
    monkeypatch.setenv("MPLBACKEND", "agg")
    # Workers of Spark would be the first python3 on the path.
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    setup = find_setup(name)
    if setup:
        setup.prepare(tmp_path, command)
    run_page(name, read_blocks(PAGES[name]), command, tmp_path)
    if hasattr(setup, "check"):
        setup.check(tmp_path)


@pytest.mark.parametrize("name", PAGES)
def test_the_fences_of_a_page_have_a_language_that_is_run_or_none(name):
    """A block under another name would look like code and not be run; a reason is never empty."""
    for block in read_blocks(PAGES[name]):
        assert block.language in LANGUAGES, (name, block.line)
        if block.remark == "not run":
            assert len(block.reason) > 10, (name, block.line)


@pytest.mark.parametrize("name", PAGES)
def test_the_directives_of_a_page_hide_no_code(name):
    """Blocks are plain fences, which GitHub shows too, and which are run."""
    for directive in ("{code", "{code-block", "{sourcecode", "{literalinclude", "{doctest"):
        assert f"```{directive}" not in PAGES[name]


def test_every_setup_belongs_to_a_page():
    """A page that is renamed takes its setup along."""
    folder = ROOT / "tests" / "docs" / "setups"
    modules = {path.stem for path in folder.glob("*.py")}
    names = {name.replace("/", "__").replace("-", "_") for name in PAGES}
    assert modules - {"__init__"} <= names
