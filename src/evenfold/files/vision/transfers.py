"""Copies and hard links of images, under names that no two of them share."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from ...exceptions import InputError

# How images are put into a new folder.
TRANSFERS = ("copy", "link")
_IMAGES = "images"
# Folders of splits, which new names leave out where they can.
SPLIT_FOLDERS = frozenset(("train", "val", "valid", "validation", "test"))


def choose_names(paths: Sequence[str], where: str) -> list[str]:
    """Return a name for each image: its path below the folder that holds all of them.

    Parameters
    ----------
    paths : sequence of str
        Absolute paths, with slashes.
    where : str
        What messages call the data.

    Returns
    -------
    list of str
        The names, with slashes. Folders named images are left out, and so are folders of splits
        where no two names become equal by that.

    Examples
    --------
    >>> choose_names(["/d/images/train/a.jpg", "/d/images/val/b/c.jpg"], "d.yaml")
    ['a.jpg', 'b/c.jpg']
    >>> choose_names(["/d/images/train/a.jpg", "/d/images/val/a.jpg"], "d.yaml")
    ['train/a.jpg', 'val/a.jpg']
    """
    above = os.path.commonpath([path.rpartition("/")[0] or "/" for path in paths]).rstrip("/")
    whole = [_leave_out_images(path.removeprefix(f"{above}/")) for path in paths]
    short = [_leave_out_split(name) for name in whole]
    for names in (short, whole):
        if len(set(names)) == len(names):
            return names
    first: dict[str, str] = {}
    for name, path in zip(whole, paths, strict=True):
        if first.setdefault(name, path) != path:
            raise InputError(
                f"{where}: {first[name]} and {path} would both be written as {name}. "
                "Rename one of them, or write lists without images."
            )
    return whole


def _leave_out_images(name: str) -> str:
    *folders, last = name.split("/")
    return "/".join([*(own for own in folders if own != _IMAGES), last])


def _leave_out_split(name: str) -> str:
    folder, slash, rest = name.partition("/")
    return rest if slash and folder in SPLIT_FOLDERS else name


def transfer(source_of: Mapping[Path, str], how: str) -> None:
    """Copy or link files; the folders of the new ones are made.

    Parameters
    ----------
    source_of : mapping of Path to str
        The file that each new file is a copy or a hard link of.
    how : str
        One of `TRANSFERS`.

    Raises
    ------
    InputError
        If the file system cannot make the hard link.
    """
    for folder in {target.parent for target in source_of}:
        folder.mkdir(parents=True, exist_ok=True)
    for target, source in source_of.items():
        if how == "copy":
            shutil.copyfile(source, target)
            continue
        try:
            # A hard link to a symbolic link would not be one to the image.
            os.link(os.path.realpath(source), target)
        except OSError as error:
            if error.errno not in (errno.EXDEV, errno.EPERM, errno.EMLINK, errno.EOPNOTSUPP):
                raise
            raise InputError(
                f"{source}: cannot be linked ({error.strerror}). Hard links need one disk that "
                "allows them. Take --with-images copy."
            ) from None
