"""The commands for data past memory start clusters on this machine."""

import importlib.util
import json
import os
import subprocess
import sys

import pytest

from ..scale.clusters import HAS_JAVA
from .test_scaled import make_table, write_folder

WORDS = "split data --labels labels --groups who --folds 3 --memory 1KB --json --engine"


def run(folder, *words):
    """Run a command in a new process, which hides pandas at its start, and return its result."""
    done = subprocess.run(
        [sys.executable, "-m", "evenfold", *words],
        cwd=folder,
        env=os.environ | {"EVENFOLD_DEBUG": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize(("engine", "package"), [("dask", "distributed"), ("spark", "pyspark")])
def test_a_cluster_gives_the_split_of_one_process(tmp_path, engine, package):
    """With groups, which the engine brings together by its own means."""
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    if engine == "spark" and not HAS_JAVA:
        pytest.skip("there is no Java on this machine")
    write_folder(tmp_path / "data", make_table())
    one = run(tmp_path, *WORDS.split(), "sync", "-o", "one")
    many = run(tmp_path, *WORDS.split(), engine, "--workers", "2", "-o", "many")
    assert many["digest"] == one["digest"]
    assert many["scheme"] == "gather with groups"
