"""Files appear whole or not at all."""

import os
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


@pytest.mark.parametrize("name", ["a" * 255, "ä" * 127, "🂡" * 63, "a" + "🂡" * 63])
def test_names_may_have_255_bytes(name, tmp_path):
    """Temporary names are shorter, and begin with whole characters."""
    for content in (b"first", b"second"):
        write_whole(tmp_path / name, content)
        assert (tmp_path / name).read_bytes() == content
    with staged([tmp_path / name, tmp_path / "b"], force=True) as [long, short]:
        long.write_bytes(b"third")
        short.write_bytes(b"third")
        long.parent.name.encode()
    assert names_in(tmp_path) == sorted([name, "b"])
