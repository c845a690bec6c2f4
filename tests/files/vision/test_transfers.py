"""Copies and hard links of images, and their names."""

import errno
import os

import pytest

from evenfold.exceptions import InputError
from evenfold.files.vision.transfers import choose_names, transfer


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["/d/images/a.jpg"], ["a.jpg"]),
        (["/a.jpg", "/b.jpg"], ["a.jpg", "b.jpg"]),
        (["/d/images/train/x/a.jpg", "/d/images/val/a.jpg"], ["x/a.jpg", "a.jpg"]),
        (["/d/images/train/a.jpg", "/d/images/val/a.jpg"], ["train/a.jpg", "val/a.jpg"]),
        (["/d/train/images/a.jpg", "/d/valid/images/b.jpg"], ["a.jpg", "b.jpg"]),
        (["/d/train/images/a.jpg", "/d/valid/images/a.jpg"], ["train/a.jpg", "valid/a.jpg"]),
        (["/d/cat/a.jpg", "/d/dog/train/a.jpg"], ["cat/a.jpg", "dog/train/a.jpg"]),
    ],
)
def test_names_are_short_and_different(paths, names):
    """Folders named images are left out, folders of splits where names stay different."""
    assert choose_names(paths, "data.yaml") == names


def test_equal_names_are_refused():
    """Which would replace each other."""
    with pytest.raises(
        InputError,
        match=r"data\.yaml: /d/x/images/a\.jpg and /d/x/a\.jpg would both be written as x/a\.jpg\.",
    ):
        choose_names(["/d/x/images/a.jpg", "/d/x/a.jpg", "/d/b.jpg"], "data.yaml")


def test_copies_are_new_files_and_links_are_not(tmp_path):
    """A link to a symbolic link is one to the image."""
    (tmp_path / "a.jpg").write_bytes(b"image")
    (tmp_path / "b.jpg").symlink_to("a.jpg")
    for how in ("copy", "link"):
        new = tmp_path / how / "deep" / "c.jpg"
        transfer({new: str(tmp_path / "b.jpg")}, how)
        assert (new.read_bytes(), new.is_symlink()) == (b"image", False)
        assert new.samefile(tmp_path / "a.jpg") == (how == "link")


@pytest.mark.parametrize(
    ("code", "kind", "message"),
    [
        (errno.EXDEV, InputError, r"a\.jpg: cannot be linked \(.*\)\. Hard links need one disk"),
        (errno.EACCES, PermissionError, "Permission denied"),
    ],
)
def test_a_disk_without_hard_links_is_named(tmp_path, monkeypatch, code, kind, message):
    """The other errors of the system stay as they are."""

    def fail(*_):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "link", fail)
    with pytest.raises(kind, match=message):
        transfer({tmp_path / "b.jpg": str(tmp_path / "a.jpg")}, "link")
