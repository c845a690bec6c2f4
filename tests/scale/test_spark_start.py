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
