"""Sessions that the engine of Spark starts itself."""

import subprocess
import sys

import pytest

from evenfold.exceptions import InputError
from evenfold.scale.engine import find_engine

from .clusters import HAS_JAVA

pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed")
pytestmark = pytest.mark.slow
SCRIPT = """
import sys
from pathlib import Path
from evenfold.scale.engine import find_engine

folder = sys.argv[1]

def note_python(number):
    Path(folder, str(number)).write_text(sys.executable)

engine = find_engine("spark", 1)
engine.run(note_python, [0, 1], lambda: None)
session = engine._session
print(session.conf.get("spark.master"))
engine.close()
print(session.getActiveSession())
"""


@pytest.mark.skipif(not HAS_JAVA, reason="Java is not installed")
def test_engine_by_name_starts_and_stops_a_session(tmp_path, monkeypatch):
    """Its workers run the same Python, whichever is first on the path."""
    monkeypatch.delenv("PYSPARK_PYTHON", raising=False)
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, tmp_path], capture_output=True, text=True, timeout=300
    )
    assert done.stdout.split() == ["local[1]", "None"], done.stderr
    assert {path.read_text() for path in tmp_path.iterdir()} == {sys.executable}
    assert len(list(tmp_path.iterdir())) == 2


def test_missing_java_is_named(tmp_path, monkeypatch):
    """Before Spark tries to start it."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(InputError, match=r"'engine' must be able to start Java, .* JAVA_HOME\."):
        find_engine("spark")


OTHER = """
import sys
from pyspark.sql import SparkSession
from evenfold.exceptions import InputError
from evenfold.scale.engine import find_engine

session = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
try:
    find_engine(session).run(print, [0], lambda: None)
except InputError as error:
    print(error)
session.stop()
"""


@pytest.mark.skipif(not HAS_JAVA, reason="Java is not installed")
def test_workers_without_the_packages_are_told_of(tmp_path, monkeypatch):
    """The last line of their traceback, and how the Python of workers is chosen."""
    bare = tmp_path / "bare"
    # Python without installed packages.
    bare.write_text(f'#!/bin/sh\nexec "{sys._base_executable}" -S "$@"\n')
    bare.chmod(0o755)
    monkeypatch.setenv("PYSPARK_PYTHON", str(bare))
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    monkeypatch.setenv("SPARK_LOCAL_HOSTNAME", "localhost")
    monkeypatch.setenv("PYTHONWARNINGS", "ignore")
    done = subprocess.run(
        [sys.executable, "-c", OTHER], capture_output=True, text=True, timeout=300
    )
    assert "got: ModuleNotFoundError: No module named " in done.stdout, done.stderr
    assert "Set PYSPARK_PYTHON before the session is made" in done.stdout
