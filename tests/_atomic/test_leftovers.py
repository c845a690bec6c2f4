"""What killed processes have left is removed or finished by the next one."""

import os
import signal
import subprocess
import sys

import pytest

from evenfold._atomic import ScratchFolder, finish_killed_runs, staged, write_whole

from .test_staging import names_in

# Ends the process while its outputs are written.
DIE_IN_BLOCK = """
import os, signal
from pathlib import Path
from evenfold._atomic import staged
with staged([Path("a"), Path("b")], force=True) as paths:
    for path in paths:
        path.write_text("new")
    os.kill(os.getpid(), signal.SIGKILL)
"""
# Ends the process at a call of os.replace; a single file has one.
DIE_AT_REPLACE = """
import os, signal, sys
from pathlib import Path
from evenfold._atomic import staged
with staged([Path(name) for name in sys.argv[2:]], force=True) as paths:
    for path in paths:
        path.write_text("new")
    replace, n_calls = os.replace, 0
    def die(*given):
        global n_calls
        n_calls += 1
        if n_calls == int(sys.argv[1]):
            os.kill(os.getpid(), signal.SIGKILL)
        replace(*given)
    os.replace = die
"""


def run_until_killed(code, folder, *words):
    """Run Python code that kills its process."""
    done = subprocess.run([sys.executable, "-c", code, *words], cwd=folder, check=False)
    assert done.returncode == -signal.SIGKILL


def test_temporary_folders_of_a_killed_process_are_removed(tmp_path):
    """By the next process that writes something into the folder."""
    run_until_killed(DIE_IN_BLOCK, tmp_path)
    assert len(names_in(tmp_path)) == 2
    write_whole(tmp_path / "other", b"")
    assert names_in(tmp_path) == ["other"]


def test_temporary_folders_in_use_stay(tmp_path):
    """Those of another writer that is alive."""
    with staged([tmp_path / "a", tmp_path / "b"]) as paths:
        for path in paths:
            path.write_text("new")
        write_whole(tmp_path / "other", b"")
    assert names_in(tmp_path) == ["a", "b", "other"]


def test_temporary_folders_that_another_writer_removes_are_passed_over(tmp_path, monkeypatch):
    """They are in the list of the folder, and gone when they are looked at."""
    own = tmp_path / ".a.evenfold-00000000aaaaaaaa-0"
    monkeypatch.setattr("evenfold._atomic.leftovers._list_folders", lambda _: [own])
    write_whole(tmp_path / "other", b"")
    assert names_in(tmp_path) == ["other"]


def test_a_file_is_written_whole_into_a_temporary_folder(tmp_path):
    """As reports are; the lock of the folder is no reason to wait."""
    with staged([tmp_path / "a"]) as [path]:
        write_whole(path, b"new")
    assert names_in(tmp_path) == ["a"]


@pytest.mark.parametrize(
    "name",
    [
        ".a.evenfold-00000000aaaaaaaa-0",  # of another machine
        ".a.evenfold-x-0",
        ".evenfold-00000000aaaaaaaa-0",
        "a.evenfold-00000000aaaaaaaa-0",
    ],
)
def test_folders_that_look_alike_stay(name, tmp_path):
    """They are not known to be left by a process of this machine."""
    (tmp_path / name).mkdir()
    write_whole(tmp_path / "other", b"")
    assert names_in(tmp_path) == sorted([name, "other"])


def test_without_locks_nothing_is_removed(tmp_path, monkeypatch):
    """It cannot be known whether the other process is alive."""
    run_until_killed(DIE_IN_BLOCK, tmp_path)

    def refuse(*_):
        raise OSError("no locks here")

    monkeypatch.setattr("fcntl.flock", refuse)
    write_whole(tmp_path / "other", b"")
    assert len(names_in(tmp_path)) == 3


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="needs to be root")
def test_folders_of_another_user_stay(tmp_path):
    """In a folder that many may write to."""
    run_until_killed(DIE_IN_BLOCK, tmp_path)
    left = names_in(tmp_path)
    for name in left:
        os.chown(tmp_path / name, 12345, 12345)
    write_whole(tmp_path / "other", b"")
    assert names_in(tmp_path) == [*left, "other"]


def test_a_single_file_is_replaced_without_a_second_name(tmp_path):
    """A process that is killed then leaves the old file and nothing that is not removed."""
    (tmp_path / "a").write_text("old")
    run_until_killed(DIE_AT_REPLACE, tmp_path, "1", "a")
    write_whole(tmp_path / "other", b"")
    assert names_in(tmp_path) == ["a", "other"]
    assert (tmp_path / "a").read_text() == "old"


def test_the_beginning_of_a_journal_is_removed(tmp_path):
    """It gets its name by the first renaming; nothing is replaced before."""
    for name in "ab":
        (tmp_path / name).write_text("old")
    run_until_killed(DIE_AT_REPLACE, tmp_path, "1", "a", "b")
    assert [name for name in names_in(tmp_path) if "journal" in name]
    write_whole(tmp_path / "other", b"")
    assert names_in(tmp_path) == ["a", "b", "other"]
    assert (tmp_path / "a").read_text() == (tmp_path / "b").read_text() == "old"


def test_a_folder_that_is_read_is_finished_first(tmp_path):
    """Otherwise a reader would take files of two splits for one."""
    for name in "ab":
        (tmp_path / name).write_text("old")
    run_until_killed(DIE_AT_REPLACE, tmp_path, "3", "a", "b")
    assert {(tmp_path / name).read_text() for name in "ab"} == {"old", "new"}
    finish_killed_runs(tmp_path)
    assert names_in(tmp_path) == ["a", "b"]
    assert {(tmp_path / name).read_text() for name in "ab"} == {"new"}


def test_a_folder_that_cannot_be_finished_is_refused(tmp_path, monkeypatch):
    """As on a disk that may only be read."""
    for name in "ab":
        (tmp_path / name).write_text("old")
    run_until_killed(DIE_AT_REPLACE, tmp_path, "3", "a", "b")

    def refuse(*_, **__):
        raise OSError(30, "Read-only file system")

    for name in ("replace", "link", "unlink"):
        monkeypatch.setattr(f"os.{name}", refuse)
    message = "a command was killed while it replaced files .* now .Read-only file system.. Allow"
    with pytest.raises(OSError, match=message):
        finish_killed_runs(tmp_path)


DIE_WITH_SCRATCH = """
import os, signal
from evenfold._atomic import ScratchFolder
(ScratchFolder("new").path / "rows").touch()
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_scratch_folder_of_a_killed_process_is_removed(tmp_path, monkeypatch):
    """By the next one; that of a process that is alive stays."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    first = ScratchFolder("new")
    run_until_killed(DIE_WITH_SCRATCH, tmp_path)
    assert len(names_in(tmp_path)) == 2
    second = ScratchFolder("stdin")
    assert names_in(tmp_path) == sorted([first.path.name, second.path.name])
    for each in (first, second):
        assert each.path.stat().st_mode & 0o777 == 0o700
        each.remove()
    assert names_in(tmp_path) == []


def test_a_scratch_folder_that_cannot_be_made_leaves_nothing(tmp_path, monkeypatch):
    """Whatever fails."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    def refuse(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.rename", refuse)
    with pytest.raises(OSError, match="No space left"):
        ScratchFolder("new")
    assert names_in(tmp_path) == []
