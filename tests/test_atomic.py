"""Files appear whole or not at all."""

import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from evenfold._atomic import check_target, staged, write_whole


def names_in(folder):
    """Return what is in a folder, hidden files included."""
    return sorted(path.name for path in folder.iterdir())


def current_umask():
    """Return the umask, which can only be read by setting it."""
    umask = os.umask(0)
    os.umask(umask)
    return umask


def fail_when(monkeypatch, is_failing, error):
    """Let renaming raise an error for some sources."""
    replace = os.replace

    def fail_or_replace(source, place):
        if is_failing(Path(source)):
            raise error
        return replace(source, place)

    monkeypatch.setattr("os.replace", fail_or_replace)


def test_a_write_follows_links_and_refuses_devices(tmp_path):
    """Renaming would replace a link or a device."""
    real, link, pipe = tmp_path / "real.csv", tmp_path / "link.csv", tmp_path / "pipe"
    real.write_bytes(b"old")
    link.symlink_to(real)
    write_whole(link, b"new")
    assert link.is_symlink()
    assert real.read_bytes() == b"new"
    assert real.stat().st_mode & 0o777 == 0o666 & ~current_umask()
    os.mkfifo(pipe)
    with pytest.raises(OSError, match="not a regular file"):
        write_whole(pipe, b"new")


@pytest.mark.parametrize("failing", ["os.fsync", "os.replace"])
def test_a_write_that_fails_leaves_nothing(failing, tmp_path, monkeypatch):
    """Neither an incomplete file nor a temporary one; the old file stays."""
    target = tmp_path / "out.csv"
    target.write_bytes(b"old")
    error = OSError(28, "No space left on device")

    def full(*_):
        raise error

    if failing == "os.replace":
        fail_when(monkeypatch, lambda source: source.name == "out.csv", error)
    else:
        monkeypatch.setattr(failing, full)
    with pytest.raises(OSError, match="No space left"):
        write_whole(target, b"new")
    assert target.read_bytes() == b"old"
    assert names_in(tmp_path) == ["out.csv"]


def test_all_targets_appear_together_with_files_beside_them(tmp_path):
    """Files, a folder, and a second file; none is there before the end."""
    (tmp_path / "there").mkdir()
    targets = [tmp_path / "a.arff", tmp_path / "there" / "b.json", tmp_path / "parts"]
    with staged(targets) as [a, b, parts]:
        a.write_text("a")
        a.with_suffix(".xml").write_text("labels")
        b.write_text("b")
        parts.mkdir()
        (parts / "train.csv").write_text("train")
        assert [path.name for path in (a, b, parts)] == ["a.arff", "b.json", "parts"]
        assert not any(target.exists() for target in targets)
    assert names_in(tmp_path) == ["a.arff", "a.xml", "parts", "there"]
    assert (tmp_path / "parts" / "train.csv").read_text() == "train"
    assert names_in(tmp_path / "there") == ["b.json"]


def test_many_files_are_written_to_the_disk_together(tmp_path, monkeypatch):
    """Where the system can; one after the other takes minutes for thousands of images."""
    calls = []
    monkeypatch.setattr("evenfold._atomic.staging._MANY_FILES", 1)
    monkeypatch.setattr(os, "sync", lambda: calls.append("sync"), raising=False)
    monkeypatch.setattr(os, "fsync", lambda _: calls.append("fsync"))
    with staged([tmp_path / "many", tmp_path / "one.txt"]) as [many, one]:
        many.mkdir()
        for name in "ab":
            (many / name).write_text(name)
        one.write_text("c")
    # What follows is of the journal and of the folder.
    assert calls[:2] == ["sync", "fsync"]
    assert names_in(tmp_path / "many") == ["a", "b"]


def test_a_hard_link_is_not_opened_for_writing(tmp_path, monkeypatch):
    """It is a file of the user under another name; other files are written to the disk."""
    (tmp_path / "mine.jpg").write_text("mine")
    (tmp_path / "mine.jpg").chmod(0o400)
    opened = []
    real_open = Path.open
    monkeypatch.setattr(
        Path, "open", lambda path, *given: opened.append(path.name) or real_open(path, *given)
    )
    with staged([tmp_path / "parts"]) as [parts]:
        parts.mkdir()
        os.link(tmp_path / "mine.jpg", parts / "1.jpg")
        os.close(os.open(parts / "2.txt", os.O_CREAT))
    assert opened == ["2.txt"]
    assert names_in(tmp_path / "parts") == ["1.jpg", "2.txt"]


@pytest.mark.parametrize("failure", [ValueError, KeyboardInterrupt, SystemExit])
def test_whatever_ends_the_block_early_leaves_nothing(failure, tmp_path):
    """An error, Ctrl-C, and SystemExit, as after a SIGTERM."""
    old = tmp_path / "old.csv"
    old.write_text("old")

    def write_half():
        with staged([old, tmp_path / "new"], force=True) as [first, second]:
            first.write_text("half")
            second.mkdir()
            raise failure

    with pytest.raises(failure):
        write_half()
    assert old.read_text() == "old"
    assert names_in(tmp_path) == ["old.csv"]


def test_a_failure_while_renaming_removes_what_is_new(tmp_path):
    """The first target is renamed before the second fails."""

    def write_while_a_folder_appears():
        with staged([tmp_path / "a", tmp_path / "b"], force=True) as paths:
            for path in paths:
                path.write_text("new")
            (tmp_path / "b").mkdir()

    with pytest.raises(
        FileExistsError, match=r"b: is a folder, and the output is not. Name another output."
    ):
        write_while_a_folder_appears()
    assert names_in(tmp_path) == ["b"]


@pytest.mark.parametrize("has_links", [True, False], ids=["hard links", "no hard links"])
@pytest.mark.parametrize(
    "error", [OSError(28, "No space left on device"), KeyboardInterrupt()], ids=repr
)
@pytest.mark.parametrize("failing", ["old1.csv", "old2", "new.csv"])
def test_a_failure_while_renaming_restores_what_was_there(
    failing, error, has_links, tmp_path, monkeypatch
):
    """Files and folders that were replaced are restored, and nothing else is left."""

    def refuse(*_, **__):
        raise PermissionError(1, "Operation not permitted")

    targets = [tmp_path / name for name in ("old0.csv", "old1.csv", "old2", "new.csv", "new")]
    for target in targets[:2]:
        target.write_text(f"old {target.name}")
    targets[2].mkdir()
    (targets[2] / "inner").write_text("old inner")
    if not has_links:
        monkeypatch.setattr("os.link", refuse)
    fail_when(
        monkeypatch,
        lambda source: source.name == failing and ".evenfold-" in str(source.parent),
        error,
    )

    def replace_all():
        with staged(targets, force=True) as paths:
            for path in paths:
                if path.suffix:
                    path.write_text("new")
                else:
                    path.mkdir()

    with pytest.raises(type(error)):
        replace_all()
    assert names_in(tmp_path) == ["old0.csv", "old1.csv", "old2"]
    assert [target.read_text() for target in targets[:2]] == ["old old0.csv", "old old1.csv"]
    assert names_in(targets[2]) == ["inner"]


@pytest.mark.parametrize("failing", [1, 2])
def test_an_interruption_after_a_rename_restores_what_was_there(failing, tmp_path, monkeypatch):
    """Ctrl-C may come when the file is renamed already."""
    replace, calls = os.replace, []

    def replace_and_stop(source, place):
        replace(source, place)
        calls.append(place)
        if len(calls) == failing:
            raise KeyboardInterrupt

    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("old")
    monkeypatch.setattr("os.replace", replace_and_stop)

    def replace_both():
        with staged([old, new], force=True) as paths:
            for path in paths:
                path.write_text("new")

    with pytest.raises(KeyboardInterrupt):
        replace_both()
    assert names_in(tmp_path) == ["old"]
    assert old.read_text() == "old"


def test_a_folder_is_replaced_whole(tmp_path):
    """Files of the old folder that the new one lacks are gone."""
    target = tmp_path / "train"
    target.mkdir()
    (target / "stale").write_text("old")
    with staged([target], force=True) as [new]:
        new.mkdir()
        (new / "fresh").write_text("new")
    assert names_in(tmp_path) == ["train"]
    assert names_in(target) == ["fresh"]


def test_a_folder_that_cannot_be_replaced_stays(tmp_path, monkeypatch):
    """The old folder is restored."""
    target = tmp_path / "train"
    target.mkdir()
    (target / "kept").write_text("old")
    fail_when(
        monkeypatch,
        lambda source: source.name == "train" and ".evenfold-" in str(source.parent),
        PermissionError(13, "Permission denied"),
    )
    with pytest.raises(PermissionError), staged([target], force=True) as [new]:
        new.mkdir()
    assert names_in(tmp_path) == ["train"]
    assert (target / "kept").read_text() == "old"


def test_what_exists_is_refused_unless_forced(tmp_path):
    """Before the block begins, and again when it ends."""
    target = tmp_path / "out.csv"
    target.write_text("precious")
    with (
        pytest.raises(
            FileExistsError,
            match=r"out.csv: exists already. Name another file, or add --force to overwrite it.",
        ),
        staged([target]),
    ):
        pass
    new = tmp_path / "new.csv"

    def write_while_another_appears():
        with staged([new]) as [path]:
            path.write_text("ours")
            new.write_text("of someone else")

    with pytest.raises(FileExistsError, match=r"new.csv: exists already"):
        write_while_another_appears()
    assert new.read_text() == "of someone else"
    assert names_in(tmp_path) == ["new.csv", "out.csv"]


def test_the_input_is_never_a_target(tmp_path):
    """By its name, a link, another name of the file, or as a file in an input folder."""
    data, link, twin, folder = (
        tmp_path / "data.csv",
        tmp_path / "link.csv",
        tmp_path / "twin.csv",
        tmp_path / "folder",
    )
    data.write_text("rows")
    link.symlink_to(data)
    os.link(data, twin)
    folder.mkdir()
    for target in (data, link, twin, folder, folder / "part.parquet"):
        with pytest.raises(
            FileExistsError,
            match=f"{target.name}: is the input, which is never written. Name another output.",
        ):
            check_target(target, force=True, inputs=[data, folder])


def test_a_target_needs_its_folder(tmp_path):
    """Parent folders are not made."""
    with pytest.raises(FileNotFoundError, match=r"a/b.csv: there is no folder .*a. Make it first."):
        check_target(tmp_path / "a" / "b.csv")


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
