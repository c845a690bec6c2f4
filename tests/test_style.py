"""Limits that keep files readable: the length of files and the width of lines."""

from pathlib import Path

ROOT = Path(__file__).parent.parent
MAX_LINES = 400
MAX_COLUMNS = 100
SKIPPED_FOLDERS = {".cache", ".git", ".hypothesis", ".venv", ".venv-oldest", "build", "dist"}


def list_files(*patterns):
    """Return the files of the project that match, whether Git knows them or not."""
    found = (path for pattern in patterns for path in ROOT.rglob(pattern))
    return sorted(
        path for path in found if SKIPPED_FOLDERS.isdisjoint(path.relative_to(ROOT).parts)
    )


def read_lines(path):
    """Return the lines of a text file."""
    return path.read_text(encoding="utf-8").splitlines()


def test_files_have_at_most_400_lines():
    """A longer Python file is cut by noun."""
    files = list_files("*.py")
    assert files
    assert [str(path) for path in files if len(read_lines(path)) > MAX_LINES] == []


def test_lines_have_at_most_100_columns():
    """Ruff checks Python; rows of Markdown tables cannot be broken and are left out."""
    files = list_files("*.md", "*.toml", "*.css", "*.js", "*.jinja", "*.html", "Makefile")
    assert files
    wide = [
        f"{path}:{number}"
        for path in files
        for number, line in enumerate(read_lines(path), 1)
        if len(line) > MAX_COLUMNS and not line.startswith("|")
    ]
    assert wide == []
