"""What users see on their terminal when a command starts a cluster."""

import importlib.util
import os
import pty
import re
import shutil
import subprocess
import sys
import termios

import pytest

from ..scale.clusters import HAS_JAVA
from ..scale.killed_passes import write_files

pytestmark = pytest.mark.slow
WORDS = [
    "split",
    "data/*.parquet",
    "--labels",
    "labels",
    "--folds",
    "5",
    "--memory",
    "0",
    "-o",
    "out",
]
# Colours, and movements of the cursor.
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def run_on_terminal(folder, *words, script=("-m", "evenfold"), **environment):
    """Run a command on a terminal of 80 columns; return its exit code, and what it shows."""
    inner, outer = pty.openpty()
    termios.tcsetwinsize(outer, (24, 80))
    process = subprocess.Popen(
        [sys.executable, *script, *words],
        cwd=folder,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "80"} | environment,
        stdin=outer,
        stdout=outer,
        stderr=outer,
    )
    os.close(outer)
    shown = b""
    # Reading from a terminal that all processes have closed is an error.
    try:
        while more := os.read(inner, 1 << 16):
            shown += more
    except OSError:
        pass
    os.close(inner)
    text = CONTROL.sub("", shown.decode()).replace("\r\n", "\n")
    # The bar is drawn over itself.
    return process.wait(), "\n".join(line.rpartition("\r")[2] for line in text.split("\n"))


@pytest.mark.parametrize(("engine", "package"), [("dask", "distributed"), ("spark", "pyspark")])
def test_cluster_of_a_command_prints_nothing(tmp_path, engine, package):
    """Neither logs nor warnings; all lines are those of evenfold, and fit."""
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    if engine == "spark" and not HAS_JAVA:
        pytest.skip("Java is not installed")
    write_files(tmp_path / "data")
    code, shown = run_on_terminal(tmp_path, *WORDS, "--engine", engine, "--workers", "2")
    assert code == 0, shown
    lines = [line for line in shown.split("\n") if "━" not in line and line.strip()]
    assert max(map(len, shown.split("\n"))) <= 80
    quiet = [*WORDS[:-1], "plain", "--engine", "sync"]
    plain = subprocess.run(
        [sys.executable, "-m", "evenfold", *quiet],
        cwd=tmp_path,
        env=os.environ | {"COLUMNS": "80"},
        capture_output=True,
        text=True,
        check=True,
    )
    wanted = plain.stderr.replace("plain", "out").splitlines()
    assert lines == [line for line in wanted if line.strip()]


@pytest.mark.parametrize(("engine", "package"), [("dask", "distributed"), ("spark", "pyspark")])
def test_engine_that_is_not_installed_is_one_message(tmp_path, engine, package):
    """With the line that installs it; nothing is written."""
    write_files(tmp_path / "data")
    script = (
        f"import sys; sys.modules['{package}'] = None; from evenfold.cli.main import main; main()"
    )
    code, shown = run_on_terminal(tmp_path, *WORDS, "--engine", engine, script=("-c", script))
    assert code == 1
    assert " ".join(shown.split()) == (  # broken at the width of the terminal
        f"evenfold: --engine must be installed, got '{engine}', which is not. "
        f"Install it with: pip install 'evenfold[{engine}]'"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


@pytest.mark.parametrize("said", ["", "Java is too old"])
def test_java_that_does_not_start_is_one_message(tmp_path, said):
    """It is missing, or it ends at once; nothing is written."""
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    write_files(tmp_path / "data")
    programs = tmp_path / "bin"
    programs.mkdir()
    path = str(programs)
    if said:
        path += f"{os.pathsep}{os.environ['PATH']}"
        (programs / "java").write_text(f"#!{shutil.which('bash')}\necho {said} >&2\nexit 1\n")
        (programs / "java").chmod(0o755)
    code, shown = run_on_terminal(tmp_path, *WORDS, "--engine", "spark", PATH=path, JAVA_HOME="")
    assert code == 1
    got = f"got: {said}" if said else "got 'spark' without a program java"
    assert " ".join(shown.split()) == (
        f"evenfold: --engine must be able to start Java, {got}. "
        "Install Java 17 or newer, or set JAVA_HOME."
    )
    assert {path.name for path in tmp_path.iterdir()} == {"bin", "data"}
