"""A command starts without what it does not need."""

import gc
import importlib.util
import subprocess
import sys

import pytest

from evenfold.cli.quick_start import show_pandas, start_quickly


@pytest.fixture
def process(monkeypatch):
    """Undo the settings of the process."""
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    threshold = gc.get_threshold()
    yield
    gc.set_threshold(*threshold)


def test_a_small_csv_is_split_without_pandas_and_sparse_matrices(tmp_path):
    """Arrow does not import pandas, and what is read from a file is no sparse matrix of SciPy."""
    (tmp_path / "rows.csv").write_text("id,tags\n" + "1,a|b\n2,b\n3,a\n4,\n" * 5)
    heavy = ("pandas", "narwhals", "scipy.sparse", "sklearn", "matplotlib", "jinja2", "rich")
    code = "\n".join(
        [
            "import sys",
            "sys.argv = 'evenfold split rows.csv --labels tags --folds 2 --order 1'.split()",
            "from evenfold.cli.main import main",
            "try: main()",
            "except SystemExit: pass",
            f"print(*[name for name in ('pyarrow', *{heavy}) if name in sys.modules])",
        ]
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    assert done.stdout == "pyarrow\n", done.stderr


def test_pandas_is_hidden_and_shown_again(process, monkeypatch):
    """Learners find pandas; other modules are never hidden."""
    monkeypatch.delitem(sys.modules, "pandas", raising=False)
    start_quickly()
    assert importlib.util.find_spec("pyarrow") is not None
    with pytest.raises(ModuleNotFoundError, match="No module named 'pandas'"):
        importlib.import_module("pandas")
    show_pandas()
    assert importlib.util.find_spec("pandas") is not None
