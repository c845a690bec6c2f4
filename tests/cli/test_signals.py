"""Signals, closed pipes and terminals, with real processes."""

import contextlib
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ..files.made_files import write_csv

# Writing stops where the file is whole and not yet in its place, until the signal comes.
HANG_IN_WRITE = "import os, signal\nos.fsync = lambda _: signal.pause()\n"
# A split past memory stops after its first pass.
HANG_AFTER_READING = """
import signal
from evenfold.scale.work_folder import WorkFolder
save = WorkFolder.save
def save_and_hang(self, name, record):
    save(self, name, record)
    if name == "units-00000":
        signal.pause()
WorkFolder.save = save_and_hang
"""
# Signals that the tests themselves ignore, as in the background of a script, reach the command.
RUN = """
import signal, sys
from evenfold.cli.main import main
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, signal.SIG_DFL)
sys.argv[0] = 'evenfold'
main()
"""


def start(code, line, cwd, **others):
    """Start the command in a process of its own, after some code."""
    return subprocess.Popen(
        [sys.executable, "-c", code + RUN, *line.split()],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **others,
    )


def wait_for_temporary(folder, process):
    """Return when the process has written something beside its target; fail if it ends before."""
    while True:
        found = [path for path in folder.glob(".*.evenfold-*/*") if path.stat().st_size]
        if found:
            return found[0]
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=0.01)
        assert process.poll() is None, process.communicate()


def start_and_hang(line, data):
    """Start a command that stops while it replaces out.csv; return the process and out.csv."""
    old = data.with_name("out.csv")
    old.write_text("old")
    process = start(HANG_IN_WRITE, line, data.parent)
    wait_for_temporary(data.parent, process)
    return process, old


def run(code, line, cwd):
    """Run the command after some code, and return its exit code and stderr."""
    with start(code, line, cwd) as process:
        stderr = process.communicate()[1]
    return process.returncode, stderr


def end(process, number):
    """Send a signal until the process ends, and return exit code and stderr."""
    while process.poll() is None:
        process.send_signal(number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=10)
    return process.returncode, process.communicate()[1]


@pytest.fixture
def data(tmp_path):
    """A small csv file in a folder of its own."""
    (tmp_path / "work").mkdir()
    return write_csv(tmp_path / "work" / "data.csv")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_write_that_is_stopped_leaves_the_old_file_and_nothing_else(number, code, data):
    """Ctrl-C and SIGTERM clean up."""
    process, old = start_and_hang(
        "split data.csv --folds 2 -o out.csv --manifest m.json --force -q", data
    )
    returned, stderr = end(process, number)
    assert returned == code
    assert stderr.strip() == (
        "evenfold: stopped. Nothing was left half-written." if code == 130 else ""
    )
    assert old.read_text() == "old"
    assert sorted(path.name for path in data.parent.iterdir()) == ["data.csv", "out.csv"]


def test_a_write_that_is_killed_leaves_the_old_file(data):
    """A temporary folder stays, with evenfold in its name, until the next command."""
    process, old = start_and_hang("split data.csv --folds 2 -o out.csv --force -q", data)
    assert end(process, signal.SIGKILL)[0] == -signal.SIGKILL
    assert old.read_text() == "old"
    left = [path.name for path in data.parent.iterdir() if path.name not in ("data.csv", "out.csv")]
    assert len(left) == 1
    assert left[0].startswith(".out.csv.evenfold-")
    assert run("", "split data.csv --folds 2 -o out.csv --force -q", data.parent) == (0, "")
    assert sorted(path.name for path in data.parent.iterdir()) == ["data.csv", "out.csv"]


# Ends the process when the first of two old files of a folder has been replaced.
DIE_IN_EXCHANGE = """
import os, signal
from pathlib import Path
replace = Path.replace
def replace_and_die(self, target):
    replace(self, target)
    if target.name == "fold0.csv":
        os.kill(os.getpid(), signal.SIGKILL)
Path.replace = replace_and_die
"""


def test_parts_that_are_read_are_of_one_split(data):
    """A command that only reads finishes first what a killed one has begun."""
    line = "split data.csv --labels genres --folds 2 -o parts --force -q"
    run("", f"{line} --seed 5", data.parent)
    assert run(DIE_IN_EXCHANGE, line, data.parent)[0] == -signal.SIGKILL
    assert [path for path in (data.parent / "parts").iterdir() if path.name.startswith(".")]
    assert run("", "check parts/fold0.csv parts/fold1.csv --labels genres -q", data.parent) == (
        0,
        "",
    )
    run("", line.replace("parts", "whole"), data.parent)
    found, whole = (
        {path.name: path.read_bytes() for path in (data.parent / name).iterdir()}
        for name in ("parts", "whole")
    )
    assert found == whole


# The same, of folders of parts, each with its files.
DIE_BETWEEN_FOLDERS = DIE_IN_EXCHANGE.replace("fold0.csv", "part=fold0")


@pytest.mark.parametrize(
    "names",
    [
        "parts/part=fold0/part-0.csv parts/part=fold1/part-0.csv",
        "first.csv second.csv",
    ],
    ids=["files in folders of parts", "links to them"],
)
def test_parts_in_folders_that_are_read_are_of_one_split(names, data):
    """What a killed command has begun is also finished if files in its folders are named."""
    folder = data.parent
    for name, part in (("first.csv", "fold0"), ("second.csv", "fold1")):
        (folder / name).symlink_to(folder / "parts" / f"part={part}" / "part-0.csv")
    line = "split data.csv --labels genres --folds 2 -o parts --hive --force -q"
    run("", f"{line} --seed 5", folder)
    run("", line.replace("parts", "whole"), folder)
    assert run(DIE_BETWEEN_FOLDERS, line, folder)[0] == -signal.SIGKILL
    assert run("", f"check {names} --labels genres -q", folder) == (0, "")
    for part in ("fold0", "fold1"):
        found, whole = (
            (folder / name / f"part={part}" / "part-0.csv").read_bytes()
            for name in ("parts", "whole")
        )
        assert found == whole


DIE_IN_WRITING = """
import os, signal
from evenfold.files.formats.delimited import Csv
def die(self, path, *_):
    path.touch()
    os.kill(os.getpid(), signal.SIGKILL)
Csv.fill_column = Csv.write_with_column = die
"""


@pytest.mark.parametrize(
    "line",
    [
        "split data.csv --labels genres --folds 2 -q -o -",
        "extend old.csv --labels genres --part-column part -q -o parts",
    ],
    ids=["to stdout", "filled copy"],
)
def test_copies_that_a_killed_command_has_made_are_removed(line, data, tmp_path, monkeypatch):
    """By the next command that makes one."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    run("", "split data.csv --labels genres --folds 2 -o old.csv -q", data.parent)
    assert run(DIE_IN_WRITING, line, data.parent)[0] == -signal.SIGKILL
    assert list(scratch.iterdir())
    assert run("", line, data.parent)[0] == 0
    assert not list(scratch.iterdir())


STOP_IN_IMPORTS = """
import os, signal, sys
import evenfold.__main__ as command
signal.signal(signal.SIGINT, signal.default_int_handler)
class Stop:
    def find_spec(self, name, *_):
        if name == "evenfold.cli.main":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Stop())
command.main()
"""


def test_ctrl_c_while_modules_are_imported_shows_no_traceback():
    """Nothing has been done then, so the process just ends."""
    done = subprocess.run([sys.executable, "-c", STOP_IN_IMPORTS], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, b"", b"")


# Called after what the command itself has registered.
SIGNALS_AT_THE_END = """
import atexit, os, signal
for _ in range(2):
    atexit.register(lambda: os.kill(os.getpid(), signal.SIGTERM))
"""


@pytest.mark.parametrize(
    "line",
    ["split data.csv --labels genres --folds 2 -o parts -q", "info data.csv --labels genres -q"],
)
def test_signals_at_the_end_of_the_process_do_not_change_its_exit_code(line, data):
    """All has been done then."""
    returned, stderr = run(SIGNALS_AT_THE_END, line, data.parent)
    assert (returned, stderr) == (0, "")


def test_a_long_split_can_be_stopped(data):
    """Ctrl-C works while the split is improved; nothing is written."""
    process = start("", "split data.csv --folds 2 --effort 600 -o parts", data.parent)
    assert process.stderr.readline().startswith("No --labels given")
    returned, stderr = end(process, signal.SIGINT)
    assert returned == 130
    assert "Traceback" not in stderr
    assert stderr.strip() == "evenfold: stopped. Nothing was left half-written."
    assert [path.name for path in data.parent.iterdir()] == ["data.csv"]


def test_a_split_past_memory_that_is_stopped_goes_on(tmp_path):
    """Ctrl-C says that its work is kept, and the same command finishes it."""
    rows = pa.table({"labels": [["a"], ["b"], ["a", "b"], []] * 25})
    pq.write_table(rows, tmp_path / "data.parquet")
    line = "split data.parquet --labels labels --folds 2 --engine sync -o out"
    process = start(HANG_AFTER_READING, line, tmp_path)
    while not list(tmp_path.glob("out/.evenfold-work-*/**/units-00000.npz")):
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=0.01)
        assert process.poll() is None, process.communicate()
    returned, stderr = end(process, signal.SIGINT)
    assert returned == 130
    assert stderr.strip() == "evenfold: stopped. Run the same command again to go on."
    stderr = start("", f"{line} --seed 3", tmp_path).communicate()[1]
    assert "got out, which has an unfinished split of other data or settings." in stderr
    assert stderr.endswith("replace the split in it with --force.\n")
    process = start("", line, tmp_path)
    assert process.communicate()[1].endswith("Written: 1 file in out, out/_manifest.json\n")
    assert process.returncode == 0


def test_what_came_from_stdin_does_not_outlive_a_stopped_process(data):
    """The spooled copy is removed."""
    spool = data.parent / "spool"
    spool.mkdir()
    with data.open("rb") as stdin:
        line = "split - --labels genres --folds 2 --effort 600 -o parts"
        variables = {**os.environ, "TMPDIR": str(spool)}
        process = start("", line, data.parent, stdin=stdin, env=variables)
        assert process.stderr.readline().startswith("Each cell of 'genres'")
    assert [path.name[:15] for path in spool.iterdir()] == ["evenfold-stdin-"]
    assert end(process, signal.SIGTERM)[0] == 143
    assert list(spool.iterdir()) == []


def test_a_reader_that_has_enough_ends_it_quietly(tmp_path):
    """As with `| head`: no message."""
    data = tmp_path / "data.csv"
    data.write_text("tags\n" + "a|b\nb|a\n" * 100_000)
    process = start("", "split data.csv --folds 2 --method random -o - -q", tmp_path)
    with process:
        assert process.stdout.readline() == "tags,part\n"
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 1


@pytest.mark.parametrize(("variables", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_a_terminal_is_shown_a_bar(variables, coloured, data):
    """In colour unless NO_COLOR is set, on stderr, and not with --quiet."""
    environment = {
        **{name: value for name, value in os.environ.items() if name != "NO_COLOR"},
        "TERM": "xterm-256color",
        **variables,
    }
    shown = run_on_terminal("split data.csv --folds 2 -o a.csv", data.parent, environment)
    assert "splitting" in shown
    assert ("\x1b[38;5;" in shown or "\x1b[3" in shown) == coloured
    quiet = run_on_terminal("split data.csv --folds 2 -o b.csv -q", data.parent, environment)
    assert quiet == ""


def run_on_terminal(line, folder, environment):
    """Run the command with a terminal as its stderr, and return what is printed there."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [Path(sys.executable).parent / "evenfold", *line.split()],
        cwd=folder,
        env=environment,
        stderr=theirs,
    ) as process:
        os.close(theirs)
        shown = b""
        # A terminal whose other end is closed raises where a file would end.
        with contextlib.suppress(OSError):
            while piece := os.read(ours, 65536):
                shown += piece
    os.close(ours)
    assert process.returncode == 0
    return shown.decode()
