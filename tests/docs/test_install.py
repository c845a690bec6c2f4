"""The page on installing names the packages and the extras of pyproject.toml."""

import re
import tomllib

from packaging.requirements import Requirement

from .blocks import ROOT

PAGE = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
# Extras of those who work on evenfold.
OWN_EXTRAS = {"bench", "dev", "docs", "integrations", "proofs", "release"}


def test_every_package_that_is_installed_has_a_line():
    """In the first column of the table; names are compared without case."""
    table = PAGE.partition("## The packages that it needs")[2].partition("## ")[0]
    first = re.findall(r"^\| ([^|]+) \|", table, re.MULTILINE)[1:]
    named = {name.strip().lower() for cell in first for name in cell.split(",")}
    assert named == {Requirement(text).name.lower() for text in PROJECT["dependencies"]}


def test_every_extra_of_users_has_a_line():
    """With the command that installs it."""
    named = set(re.findall(r"^\| `pip install 'evenfold\[(\w+)\]'` \|", PAGE, re.MULTILINE))
    assert named == PROJECT["optional-dependencies"].keys() - OWN_EXTRAS
