"""The texts that belong to a version: those of this repository are right, wrong ones are found."""

import pytest
from release.__main__ import report
from release.project import find_accounts, list_files, read_version

from release import texts

CHANGES = "# Changes\n\n## 0.2.0 (not released)\n\n- more\n\n## 0.1.0 (2026-01-31)\n\n- first\n"


def write_project(root):
    """Write the files that the checks read, all as they should be before a release."""
    files = {
        "src/evenfold/__init__.py": '__version__ = "0.2.0"\n',
        "pyproject.toml": 'Repository = "https://github.com/me/evenfold"\n',
        "CITATION.cff": "version: 0.2.0\n",
        "release/conda/recipe.yaml": 'context:\n  version: "0.2.0"\n',
        "CHANGELOG.md": CHANGES,
        "README.md": "uses: me/evenfold@v0.1.0\n",
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def test_the_texts_of_this_repository_are_right():
    """Changelog, versions, addresses and all links between its files."""
    assert list_files()
    assert texts.find_problems() == []


def test_open_points_are_found_and_vanish(tmp_path):
    """Those of a version that is not released yet, with the line that replaces the placeholder."""
    write_project(tmp_path)
    assert texts.find_problems(tmp_path) == []
    assert texts.find_open_points(tmp_path) == [
        "CHANGELOG.md: '## 0.2.0 (not released)'. Write the date instead.",
        "CITATION.cff: has no line 'date-released: 2026-12-31'.",
    ]
    (tmp_path / "README.md").write_text("first\nuses: OWNER/evenfold@v0.1.0\n")
    first, second, *_ = texts.find_open_points(tmp_path)
    assert first == "README.md: OWNER is no account (lines 2)."
    assert second == "  Replace it: sed -i 's/\\bOWNER\\b/ACCOUNT/' README.md"
    write_project(tmp_path)
    (tmp_path / "CHANGELOG.md").write_text(CHANGES.replace("not released", "2026-02-28"))
    (tmp_path / "CITATION.cff").write_text("version: 0.2.0\ndate-released: 2026-02-28\n")
    assert texts.find_open_points(tmp_path) == []


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("CHANGELOG.md", "# Changes\n", "the first section is not '## 0.2.0 (date)'"),
        ("CHANGELOG.md", "## Next\n\n## 0.2.0 (now)\n\n- a\n", "the first section is not '## 0.2"),
        ("CHANGELOG.md", "## 0.2.0 (now)\n\n## 0.1.0 (then)\n\n- a", "section of 0.2.0 is empty"),
        ("CITATION.cff", "version: 0.1.0\n", "CITATION.cff: has version 0.1.0, not 0.2.0."),
        ("release/conda/recipe.yaml", "context:\n", "recipe.yaml: has version -, not 0.2.0."),
        ("README.md", "https://github.com/you/evenfold", "address of you/evenfold, pyproject.toml"),
        ("README.md", "[a](docs/a.md)", "README.md:1: docs/a.md is not there"),
    ],
)
def test_a_wrong_text_is_found(name, text, problem, tmp_path):
    """It is the only problem."""
    write_project(tmp_path)
    (tmp_path / name).write_text(text)
    [found] = texts.find_problems(tmp_path)
    assert problem in found


def test_accounts_are_those_of_this_repository():
    """Not those of other addresses and paths."""
    text = "github.com/me/evenfold/issues other.org/x/evenfold src/evenfold github.com/me/evenfolds"
    assert find_accounts(text) == ["me"]


def test_the_exit_code_depends_on_what_was_found(capsys):
    """Open points forbid only a final check."""
    assert report([], [], final=True) == 0
    assert report([], ["a date"], final=False) == 0
    assert "not ready for a release" in capsys.readouterr().out
    assert report([], ["a date"], final=True) == 1
    assert report(["a link"], [], final=False) == 1
    assert capsys.readouterr().out.endswith("Wrong:\n  a link\n\nFAILED\n")


def test_the_version_is_that_of_the_package():
    """The only place where it is written for Python."""
    import evenfold

    assert read_version() == evenfold.__version__
