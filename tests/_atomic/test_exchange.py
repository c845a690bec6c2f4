"""Outputs take the places of old ones: whole, also with other writers, kills and modes."""

import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from evenfold._atomic import staged, write_whole

from .test_staging import current_umask, names_in


@pytest.mark.parametrize("is_folder", [False, True])
def test_what_appears_while_it_renames_is_not_replaced(is_folder, tmp_path, monkeypatch):
    """Another program may write the target after it was checked."""
    target = tmp_path / "out"

    def write_first(_):
        path = target / "inner" if is_folder else target
        path.parent.mkdir(exist_ok=True)
        path.write_text("of someone else")

    monkeypatch.setattr("evenfold._atomic.exchange._keep_mode", write_first)

    def write():
        with staged([target]) as [new]:
            new.mkdir() if is_folder else new.write_text("ours")

    with pytest.raises(FileExistsError, match=r"out: exists already. Name another file"):
        write()
    assert names_in(tmp_path) == ["out"]
    path = target / "inner" if is_folder else target
    assert path.read_text() == "of someone else"


def test_a_rollback_leaves_what_is_not_ours(tmp_path, monkeypatch):
    """Of three outputs, the second is there when it is renamed; the first is removed again."""
    targets = [tmp_path / name for name in ("a", "b", "c")]
    monkeypatch.setattr(
        "evenfold._atomic.exchange._keep_mode", lambda _: targets[1].write_text("of someone else")
    )

    def write():
        with staged(targets) as paths:
            for path in paths:
                path.write_text("ours")

    with pytest.raises(FileExistsError, match=r"b: exists already"):
        write()
    assert names_in(tmp_path) == ["b"]
    assert targets[1].read_text() == "of someone else"


@pytest.mark.parametrize("force", [False, True])
def test_outputs_of_two_writers_do_not_mix(force, tmp_path):
    """The last one has written all files, or the first one if nothing may be replaced."""
    targets = [tmp_path / name for name in ("a", "b", "c")]
    together = threading.Barrier(4)
    refused = []

    def write(number):
        together.wait()
        try:
            with staged(targets, force=force) as paths:
                for path in paths:
                    path.write_text(str(number))
        except FileExistsError:
            refused.append(number)

    for _ in range(10):
        refused.clear()
        threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert names_in(tmp_path) == ["a", "b", "c"]
        assert len({target.read_text() for target in targets}) == 1
        assert len(refused) == (0 if force else 3)
        if not force:
            for target in targets:
                target.unlink()


# Ends the process in the middle of a call that changes what is in a folder.
WRITE_AND_DIE = """
import os, signal, sys
from pathlib import Path
from evenfold._atomic import staged
number, n_calls = int(sys.argv[1]), 0
def dying(function):
    def call(*given, **named):
        global n_calls
        n_calls += 1
        if n_calls == number:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*given, **named)
    return call
targets = [Path("a"), Path("b"), Path("folder")]
with staged(targets, force=True) as [a, b, folder]:
    a.write_text("new")
    b.write_text("new")
    folder.mkdir()
    (folder / "inner").write_text("new")
    for name in ("replace", "link", "unlink", "rmdir"):
        setattr(os, name, dying(getattr(os, name)))
"""


def test_a_killed_process_is_finished_by_the_next_one(tmp_path):
    """Whenever it was killed, all outputs are old or all are new."""
    seen = set()
    for number in range(1, 40):
        for path in tmp_path.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        for name in ("a", "b", "folder/inner"):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text("old")
        done = subprocess.run(
            [sys.executable, "-c", WRITE_AND_DIE, str(number)], cwd=tmp_path, check=False
        )
        if done.returncode == 0:
            break
        assert done.returncode == -signal.SIGKILL
        write_whole(tmp_path / "other", b"")
        states = {(tmp_path / name).read_text() for name in ("a", "b", "folder/inner")}
        assert len(states) == 1, number
        seen |= states
        left = [name for name in names_in(tmp_path) if not name.startswith(".")]
        assert left == ["a", "b", "folder", "other"]
        if states == {"new"}:  # an empty folder may be left, but nothing of the old files
            assert all(path.is_dir() for path in tmp_path.rglob(".*"))
            assert not list(tmp_path.glob(".*/*"))
    else:
        pytest.fail("it was killed each time")
    assert seen == {"old", "new"}


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[",
        "{}",
        "[1]",
        '[{"from": [".x.evenfold-1", "new"], "to": "../victim", "keep": null}]',
        '[{"from": ["..", "new"], "to": "victim", "keep": null}]',
        '[{"from": ["plain", "new"], "to": "victim", "keep": null}]',
        '[{"from": [".x.evenfold-1", "new"], "to": "victim", "keep": "precious"}]',
        '[{"from": [".x.evenfold-1", "new"], "to": 5, "keep": null}]',
        '[{"from": [".x.evenfold-1", "new"], "to": "a\\u0000", "keep": null}]',
        '[{"from": [".x.evenfold-1", "new"], "to": "\\ud800", "keep": null}]',
        '[{"from": [".x.evenfold-1", "%s"], "to": "victim", "keep": null}]' % ("x" * 300),
        "[" * 100_000,
    ],
)
def test_a_journal_of_another_form_changes_nothing(content, tmp_path):
    """It may name only what evenfold has made, in its own folder."""
    inner = tmp_path / "inner"
    for folder in (inner, inner / "plain", inner / ".x.evenfold-1"):
        folder.mkdir()
        (folder / "new").write_text("new")
    for path in (tmp_path / "victim", inner / "victim", inner / "precious", tmp_path / "new"):
        path.write_text("mine")
    (inner / ".evenfold-journal-1.json").write_text(content)
    write_whole(inner / "out", b"")
    assert (tmp_path / "victim").read_text() == (inner / "victim").read_text() == "mine"
    assert (inner / "precious").read_text() == (tmp_path / "new").read_text() == "mine"
    assert (inner / "plain" / "new").read_text() == "new"


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="needs to be root")
def test_a_journal_of_another_user_is_not_read(tmp_path):
    """In a folder that many may write to, it could rename our files."""
    staging = tmp_path / ".x.evenfold-1"
    staging.mkdir()
    (staging / "new").write_text("new")
    (tmp_path / "mine").write_text("mine")
    journal = tmp_path / ".evenfold-journal-1.json"
    journal.write_text('[{"from": [".x.evenfold-1", "new"], "to": "mine", "keep": null}]')
    os.chown(journal, 12345, 12345)
    write_whole(tmp_path / "out", b"")
    assert (tmp_path / "mine").read_text() == "mine"
    os.chown(journal, 0, 0)
    write_whole(tmp_path / "out", b"")
    assert (tmp_path / "mine").read_text() == "new"


def test_what_is_replaced_keeps_its_mode(tmp_path):
    """Also files in a folder. Temporary files are in folders that only their owner may open."""
    file, folder = tmp_path / "secret.csv", tmp_path / "parts"
    folder.mkdir(mode=0o750)
    for path, mode in ((file, 0o600), (folder / "a", 0o640)):
        path.write_text("old")
        path.chmod(mode)
    with staged([file, folder, tmp_path / "new"], force=True) as [new_file, new_folder, new]:
        new_file.write_text("new")
        new_folder.mkdir()
        new.write_text("new")
        for name in "ab":
            (new_folder / name).write_text("new")
        assert new_file.parent.stat().st_mode & 0o777 == 0o700
    modes = [path.stat().st_mode & 0o777 for path in (file, folder, folder / "a")]
    assert modes == [0o600, 0o750, 0o640]
    plain = 0o666 & ~current_umask()
    assert {path.stat().st_mode & 0o777 for path in (folder / "b", tmp_path / "new")} == {plain}


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="needs to be root")
def test_what_is_replaced_keeps_its_owner(tmp_path):
    """Where the system allows that."""
    file = tmp_path / "out.csv"
    file.write_text("old")
    os.chown(file, 12345, 12346)
    write_whole(file, b"new")
    assert (file.stat().st_uid, file.stat().st_gid) == (12345, 12346)
    assert file.read_bytes() == b"new"


@pytest.mark.parametrize("failing", ["os.open", "os.unlink"])
def test_an_error_after_the_exchange_is_not_one_of_the_outputs(failing, tmp_path, monkeypatch):
    """Too many open files, or a backup that cannot be removed: the outputs are there."""
    for name in "ab":
        (tmp_path / name).write_text("old")
    real = getattr(os, failing.removeprefix("os."))
    replaced = []

    def fail_late(path, *given, **named):
        done = len(replaced) == 2
        if done and (Path(path) == tmp_path or "-old" in str(path)):
            raise OSError(24, "Too many open files")
        return real(path, *given, **named)

    replace = os.replace

    def note(source, target):
        replace(source, target)
        if Path(target).name in ("a", "b"):
            replaced.append(target)

    monkeypatch.setattr("os.replace", note)
    monkeypatch.setattr(failing, fail_late)
    with staged([tmp_path / "a", tmp_path / "b"], force=True) as paths:
        for path in paths:
            path.write_text("new")
    monkeypatch.undo()
    assert {(tmp_path / name).read_text() for name in "ab"} == {"new"}
    write_whole(tmp_path / "other", b"")
    assert names_in(tmp_path) == ["a", "b", "other"]
