"""What a folder of YOLO parts has: lists or images, and YAML files that name them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...exceptions import InputError
from .yolo_config import SPLITS

_DEFAULT_NAME = "dataset.yaml"
# Keys that say where images are, or come from.
_OF_IMAGES = ("path", *SPLITS, "minival", "download")


def list_configs(
    names: Sequence[str], file_name: str | None
) -> dict[str, dict[str, str | list[str]]]:
    """Return the YAML files of a folder of parts: for each, the parts of every split.

    Parameters
    ----------
    names : sequence of str
        The names of the parts.
    file_name : str or None
        The name of the YAML file that was read.

    Returns
    -------
    dict of str to dict
        One file if a part is named train or val. Otherwise the parts are folds, and there is one
        file for each, in which that fold is val and the others are train.

    Examples
    --------
    >>> list_configs(["train", "val"], None)
    {'dataset.yaml': {'train': 'train', 'val': 'val'}}
    >>> list_configs(["a", "b", "test"], None)["a.yaml"]
    {'train': ['b'], 'val': 'a', 'test': 'test'}
    """
    folds = [name for name in names if name not in SPLITS]
    if len(folds) < 2 or {"train", "val"} & set(names):
        return {file_name or _DEFAULT_NAME: {name: name for name in names}}
    others: dict[str, str | list[str]] = {name: name for name in names if name not in folds}
    return {
        f"{fold}.yaml": {"train": [own for own in folds if own != fold], "val": fold, **others}
        for fold in folds
    }


def make_config(
    parts_of_split: dict[str, str | list[str]], values: dict[str, Any], pattern: str
) -> dict[str, Any]:
    """Return the content of a YAML file.

    Parameters
    ----------
    parts_of_split : dict of str to str or list of str
        The parts of each split.
    values : dict of str to value
        The content of the file that was read, of which all but the places of images is kept.
    pattern : str
        Where the images of a part are, with {} for its name.

    Returns
    -------
    dict of str to value
        The content. Paths are relative to the folder of the file.
    """
    kept = {key: value for key, value in values.items() if key not in _OF_IMAGES}
    taken = [name for name in parts_of_split if name in kept]
    if taken:
        raise InputError(
            f"a part of a YOLO dataset cannot be named {taken[0]!r}, which is a key of its YAML "
            "file. Choose other names with --names."
        )
    places = {
        split: pattern.format(parts)
        if isinstance(parts, str)
        else [pattern.format(part) for part in parts]
        for split, parts in parts_of_split.items()
    }
    return {**places, **kept}
