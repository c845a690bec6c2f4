"""The notebooks in examples run from beginning to end, and are kept without outputs."""

import json
import os
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "examples"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
# What each notebook leaves behind, besides its report.
WRITTEN = {
    "kaggle": {"folds.csv"},
    "medical": {"split.json"},
    "protein": set(),
    "vision": {"instances.json", "parts"},
}


def test_there_are_four_notebooks():
    """One for each of the fields that the pages describe."""
    assert [path.stem for path in NOTEBOOKS] == sorted(WRITTEN)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_is_kept_without_outputs(path):
    """So that a change shows only what somebody wrote; each cell has a name."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    assert [cell for cell in code if cell["outputs"] or cell["execution_count"]] == []
    assert len({cell["id"] for cell in cells}) == len(cells)
    assert cells[0]["source"][0].startswith("# ")


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, tmp_path, monkeypatch):
    """All cells, in a new kernel and an empty folder; an error in a cell fails."""
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    # Lines that begin with ! need the command of this environment.
    programs = str(Path(sys.executable).parent)
    monkeypatch.setenv("PATH", os.pathsep.join([programs, os.environ["PATH"]]))
    monkeypatch.setenv("MPLBACKEND", "agg")
    # Kernel files go below the test's folder too, not into that of the user.
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    folder = tmp_path / "work"
    folder.mkdir()
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    client = nbclient.NotebookClient(
        notebook, timeout=600, kernel_name="python3", resources={"metadata": {"path": str(folder)}}
    )
    client.execute()
    written = {entry.name for entry in folder.iterdir()}
    report = written - WRITTEN[path.stem]
    assert WRITTEN[path.stem] < written
    assert len(report) == 1
    assert report.pop().endswith(".html")
