"""The reference of the Python API lists every public name, in one place."""

import re

import pytest

import evenfold

from .blocks import DOCS

PAGES = sorted((DOCS / "reference" / "api").glob("*.md"))
MODULES = [name for name in evenfold.__all__ if type(getattr(evenfold, name)).__name__ == "module"]
DIRECTIVE = re.compile(r"\.\. (?:(?:current)?module|py:data):: ([\w.]+)|^   (\w+)$", re.MULTILINE)


def list_names(text):
    """Return the full names that a page lists, in tables and as data."""
    module, names = "", []
    for block in re.findall(r"```\{eval-rst\}\n(.*?)```", text, re.DOTALL):
        for found in DIRECTIVE.finditer(block):
            if "module::" in found[0]:
                module = found[1]
            else:
                names.append(f"{module}.{found[1] or found[2]}")
    return names


def list_public():
    """Return the full names of everything public but modules."""
    names = [f"evenfold.{name}" for name in evenfold.__all__ if name not in MODULES]
    for module in MODULES:
        own = getattr(evenfold, module)
        public = getattr(own, "__all__", None) or [
            name
            for name, value in vars(own).items()
            if isinstance(value, type) and value.__module__ == own.__name__
        ]
        names += [f"evenfold.{module}.{name}" for name in public]
    return [name for name in names if name != "evenfold.__version__"]


def test_every_public_name_is_listed_once():
    """A new name needs its line in the page of its module."""
    listed = [name for page in PAGES for name in list_names(page.read_text(encoding="utf-8"))]
    assert sorted(listed) == sorted(list_public())
    assert len(listed) > 90


@pytest.mark.parametrize("module", MODULES)
def test_every_public_module_has_a_page(module):
    """It is named after the module and is in the contents."""
    page = (DOCS / "reference" / "api" / f"{module}.md").read_text(encoding="utf-8")
    assert page.startswith(f"# evenfold.{module}\n")
    contents = (DOCS / "reference" / "api" / "index.md").read_text(encoding="utf-8")
    assert f"\n{module}\n" in contents
