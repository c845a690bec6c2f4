"""The scripts in examples run from beginning to end, on little data."""

import runpy
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

FOLDER = Path(__file__).parents[2] / "examples"
# What each script writes, and the last words that it prints.
RESULTS = {
    "duplicates": ({"audit.html"}, "evenfold: No problem found in what was checked."),
    "growing_data": ({f"month_{month}.json" for month in (1, 2, 3)}, "month 3: "),
    "learners": (set(), "To report: "),
    "patients": ({"images.csv", "split.html", "split.json"}, "has moved: the split leaks."),
}


@pytest.mark.parametrize("name", RESULTS)
def test_a_script_writes_and_prints_what_it_says(name, tmp_path, monkeypatch, capsys):
    """It runs in an empty folder and reaches its last result."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [f"{name}.py", "--rows", "300"])
    runpy.run_path(str(FOLDER / f"{name}.py"), run_name="__main__")
    files, words = RESULTS[name]
    assert {path.name for path in tmp_path.iterdir()} == files
    assert words in capsys.readouterr().out


def test_every_example_is_listed():
    """Here and in the table of the folder."""
    scripts = {path.stem for path in FOLDER.glob("*.py")}
    assert scripts == set(RESULTS)
    table = (FOLDER / "README.md").read_text(encoding="utf-8")
    for path in [*FOLDER.glob("*.py"), *FOLDER.glob("*.ipynb")]:
        assert f"| `{path.name}` |" in table
