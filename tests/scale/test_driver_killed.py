"""Commands that are killed, and run again."""

import subprocess
import sys

import pytest

from .killed_passes import PASSES, read_all, write_files

pytestmark = pytest.mark.slow
WORDS = [
    "split",
    "data",
    "--labels",
    "labels",
    "--groups",
    "who",
    "--balance",
    "age",
    "--folds",
    "5",
    "--memory",
    "0",
]
# The command as the user runs it, but the process is killed while it writes something in a pass.
SCRIPT = """
import importlib, os, signal, sys

number, name, function = int(sys.argv.pop(1)), sys.argv.pop(1), sys.argv.pop(1)
module = importlib.import_module(name)
whole = getattr(module, function)

def kill_itself(file):
    os.kill(os.getpid(), signal.SIGKILL)

def end_in_the_middle(task, shared, work):
    if task.number == number:
        os.fsync = kill_itself
    return whole(task, shared, work)

setattr(module, function, end_in_the_middle)
from evenfold.cli.main import main
main()
"""


def run(folder, *words):
    """Run Python in a folder."""
    return subprocess.run(
        [sys.executable, *words], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(("name", "number"), [("place", 0), ("write", 2)])
def test_split_that_is_killed_is_finished_by_the_next_run(tmp_path, name, number):
    """Until then there is no manifest; afterwards nothing tells that there were two runs."""
    write_files(tmp_path / "data")
    data = read_all(tmp_path / "data")
    times = [path.stat().st_mtime_ns for path in sorted((tmp_path / "data").iterdir())]
    words = [*WORDS, "--engine", "sync", "-o", "out"]
    killed = run(tmp_path, "-c", SCRIPT, str(number), *PASSES[name], *words)
    assert killed.returncode == -9, killed.stderr
    left = read_all(tmp_path / "out")
    assert "_manifest.json" not in left
    assert any(path.endswith(".tmp") for path in left)
    assert len([path for path in left if f"/{name}-0000" in path]) == number
    done = run(tmp_path, "-m", "evenfold", *words)
    assert done.returncode == 0, done.stderr
    plain = run(tmp_path, "-m", "evenfold", *WORDS, "--engine", "sync", "-o", "plain")
    assert plain.stderr.replace("plain", "out") == done.stderr
    assert read_all(tmp_path / "out") == read_all(tmp_path / "plain")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {*data, "_manifest.json"}
    assert read_all(tmp_path / "data") == data
    assert times == [path.stat().st_mtime_ns for path in sorted((tmp_path / "data").iterdir())]
