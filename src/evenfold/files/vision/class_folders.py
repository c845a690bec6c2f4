"""ClassFolders: images in folders named after their classes, maybe below folders of splits."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from ...exceptions import InputError
from .image_paths import list_images
from .same_images import group_same
from .transfers import SPLIT_FOLDERS


class ClassFile(NamedTuple):
    """An image in a folder of a class.

    Attributes
    ----------
    path : str
        Its path from the folder of the data.
    split : str
        The folder of its split; empty where there are none.
    class_name : str
        The folder of its class.
    name : str
        Its path from there.
    """

    path: str
    split: str
    class_name: str
    name: str


class ClassFolders(NamedTuple):
    """The images of a folder, as rows.

    Attributes
    ----------
    rows : list of list of ClassFile
        The files of each image: several where it is in the folders of several classes.
    n_different : int
        How many names several classes have, for images that are not the same.
    """

    rows: list[list[ClassFile]]
    n_different: int


def list_class_files(folder: Path, name: str) -> list[ClassFile]:
    """Return the images of a folder, sorted by path; messages call it `name`."""
    paths = list_images(folder)
    tops = _find_splits(paths, name)
    files = []
    for path in paths:
        split, _, below = path.partition("/") if tops else ("", "", path)
        class_name, slash, rest = below.partition("/")
        if not slash:
            raise InputError(
                f"{name}: the image {path} is in no folder of a class. Move it into one, or pass "
                "a folder that has only such folders."
            )
        files.append(ClassFile(path, split, class_name, rest))
    if not files:
        raise InputError(f"{name}: has no images in folders of classes. Check the folder.")
    return files


def _find_splits(paths: list[str], name: str) -> list[str]:
    """Return the top folders if they are splits, an empty list if they are classes.

    A folder is one of a split if it has such a name and its images are in folders below it.
    """
    has_images: dict[str, bool] = {}
    for path in paths:
        top, _, below = path.partition("/")
        has_images[top] = has_images.get(top, False) or "/" not in below
    named = [top for top in has_images if top.lower() in SPLIT_FOLDERS]
    splits = [top for top in named if not has_images[top]]
    others = [top for top in has_images if top not in named]
    if splits and others:
        raise InputError(
            f"{name}: {', '.join(splits)} has folders of classes and the name of a split, but "
            f"{', '.join(others[:5])} has not. Pass one of the folders, or rename them."
        )
    return named if splits else []


def find_rows(files: list[ClassFile], folder: Path) -> ClassFolders:
    """Join files of one name and one content in several classes of a split: they are one image."""
    files_of: dict[tuple[str, str], list[ClassFile]] = defaultdict(list)
    for file in files:
        files_of[file.split, file.name].append(file)
    rows, n_different = [], 0
    for own in files_of.values():
        if len(own) == 1:
            rows.append(own)
            continue
        file_at = {folder / file.path: file for file in own}
        groups = [[file_at[path] for path in group] for group in group_same(list(file_at))]
        n_different += len(groups) > 1
        rows += groups
    return ClassFolders(sorted(rows, key=lambda own: own[0].path), n_different)
