"""Paths of images: which files of a folder are images, and which of several paths are there."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from ...exceptions import InputError

IMAGE_SUFFIXES = frozenset(
    (
        "avif",
        "bmp",
        "dng",
        "gif",
        "heic",
        "heif",
        "jp2",
        "jpeg",
        "jpg",
        "mpo",
        "pfm",
        "pgm",
        "png",
        "ppm",
        "tif",
        "tiff",
        "webp",
    )
)
# Where no image can be.
_NO_SUCH_FOLDER = {errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.ELOOP}


def is_image(name: str) -> bool:
    """Tell whether a file is an image by its name; hidden files are none."""
    stem, _, suffix = name.rpartition(".")
    return suffix.lower() in IMAGE_SUFFIXES and stem != "" and not stem.startswith(".")


def list_images(folder: Path) -> list[str]:
    """Return the images of a folder and of the folders in it.

    Parameters
    ----------
    folder : Path
        The folder.

    Returns
    -------
    list of str
        Their paths relative to the folder, with slashes, sorted as text. Hidden files and folders
        are skipped; links are followed.

    Raises
    ------
    InputError
        If a name is not UTF-8 or has a line break, so that it cannot be written into a list.
    """
    found: list[str] = []
    waiting: list[tuple[str, tuple[str, ...]]] = [("", (os.path.realpath(folder),))]
    while waiting:
        prefix, above = waiting.pop()
        with os.scandir(folder / prefix) as entries:
            for entry in entries:
                if entry.name.startswith("."):
                    continue
                if is_image(entry.name) and entry.is_file():
                    found.append(prefix + entry.name)
                elif entry.is_dir():
                    real = f"{above[-1]}/{entry.name}"
                    if entry.is_symlink():
                        real = os.path.realpath(entry.path)
                    # A link to a folder above would be followed forever.
                    if real not in above:
                        waiting.append((f"{prefix}{entry.name}/", (*above, real)))
    for path in found:
        if not path.isascii() or "\n" in path or "\r" in path:
            _check_name(path, folder)
    return sorted(found)


def _check_name(path: str, folder: Path) -> None:
    """Refuse a path that cannot be a line of a list."""
    shown = path.encode(errors="replace").decode()
    if shown != path or "\n" in path or "\r" in path:
        raise InputError(
            f"{folder}: the name of the image {shown!r} is not UTF-8, or has a line break. "
            "Rename it."
        )


def find_existing(paths: Iterable[str]) -> set[str]:
    """Return those of these paths that are files, with slashes as given.

    Each folder is listed once, which takes less time than to look for every file.
    """
    names_of_folder: dict[str, set[str]] = {}
    found = set()
    for path in paths:
        folder, _, name = path.rpartition("/")
        if folder not in names_of_folder:
            names_of_folder[folder] = _list_names(folder or "/")
        if name in names_of_folder[folder]:
            found.add(path)
    return found


def _list_names(folder: str) -> set[str]:
    try:
        with os.scandir(folder) as entries:
            return {entry.name for entry in entries if entry.is_file()}
    except ValueError:  # a path with a null character
        return set()
    except OSError as error:
        if error.errno in _NO_SUCH_FOLDER:
            return set()
        raise


def to_absolute(path: Path) -> str:
    """Return the absolute path with slashes and without '..'; links stay as they are."""
    return Path(os.path.normpath(path.absolute())).as_posix()


def show_relative(paths: Sequence[str], folder: Path) -> list[str]:
    """Return absolute paths, those in a folder relative to it."""
    above = f"{to_absolute(folder).rstrip('/')}/"
    return [path.removeprefix(above) for path in paths]
