"""Standard streams that are closed or full, with real processes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ..files.made_files import write_csv

RUN = "import sys\nfrom evenfold.cli.main import main\nsys.argv[0] = 'evenfold'\nmain()\n"
FULL = Path("/dev/full")


def run(line, redirection, folder):
    """Run a command with its streams redirected by a shell."""
    return subprocess.run(
        ["sh", "-c", f'exec "$@" {redirection}', "sh", sys.executable, "-c", RUN, *line.split()],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("redirection", "reason"), [(">&-", "Bad file descriptor."), (f">{FULL}", "No space left")]
)
@pytest.mark.parametrize("line", ["--help", "split --help", "info data.csv --labels genres"])
def test_output_that_is_lost_is_an_error(line, redirection, reason, tmp_path):
    """One line says so, whoever prints it."""
    if not FULL.exists() and "full" in redirection:
        pytest.skip("there is no /dev/full")
    write_csv(tmp_path / "data.csv")
    done = run(line, redirection, tmp_path)
    last = done.stderr.splitlines()[-1]
    assert (done.returncode, last.startswith("evenfold: "), reason in last) == (1, True, True)
    assert "Exception" not in done.stderr


def test_a_command_that_prints_nothing_needs_no_stdout(tmp_path):
    """No file gets the number of a closed stream."""
    write_csv(tmp_path / "data.csv")
    done = run("split data.csv --labels genres --folds 2 -o out.csv -q", "<&- >&- 2>&-", tmp_path)
    assert done.returncode == 0
    assert (tmp_path / "out.csv").stat().st_size > (tmp_path / "data.csv").stat().st_size


def test_a_closed_stdin_cannot_be_read(tmp_path):
    """The message is that of the system."""
    done = run("info -", "<&-", tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[-1] == "evenfold: Bad file descriptor."


@pytest.mark.skipif(not FULL.exists(), reason="there is no /dev/full")
@pytest.mark.parametrize(
    ("line", "code"), [("split --no-such-option", 2), ("info no.csv", 1), ("info no.csv -q", 1)]
)
def test_a_full_stderr_does_not_change_the_exit_code(line, code, tmp_path):
    """Wrong usage stays wrong usage, though its message is lost."""
    done = run(line, f"2>{FULL}", tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (code, "", "")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no ulimit")
def test_an_array_that_does_not_fit_on_the_disk_gets_the_error_of_the_system(tmp_path):
    """As other outputs do, and nothing is left."""
    (tmp_path / "data.csv").write_text("id,tags\n" + "1,a|b\n2,b\n" * 5000)
    line = "split data.csv --labels tags --folds 2 --indices i.npy -q"
    # What counts lines in processes writes a file too, which would not fit either.
    uncounted = {name: own for name, own in os.environ.items() if not name.startswith("COVERAGE")}
    done = subprocess.run(
        ["sh", "-c", 'ulimit -f 8; exec "$@"', "sh", sys.executable, "-c", RUN, *line.split()],
        cwd=tmp_path,
        env=uncounted,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "evenfold: File too large.\n")
    assert [path.name for path in tmp_path.iterdir()] == ["data.csv"]
