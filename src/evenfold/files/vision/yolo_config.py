"""YoloConfig: the YAML file of a YOLO dataset, its classes and where the images are."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from ..._checks.numbers import is_whole
from ..._checks.values import show_value
from ...exceptions import InputError
from ..encoding import read_lines
from .yaml_text import YamlMapping, read_yaml

# The keys that name images. All others are about the classes or the training.
SPLITS = ("train", "val", "validation", "test")
_SUFFIXES = (".yaml", ".yml")
_CLASSES = "classes.txt"
_IMAGES = "images"


class Source(NamedTuple):
    """Where images of a split are.

    Attributes
    ----------
    path : Path
        A folder, or a list of images (.txt).
    place : str
        The file and the line that name it, for messages.
    """

    path: Path
    place: str


class YoloConfig(NamedTuple):
    """What the YAML file of a dataset says.

    Attributes
    ----------
    path : Path or None
        The YAML file; None where there is only a list of classes.
    root : Path
        The folder that other paths are relative to.
    class_names : dict of int to str
        The name of each class number, in order.
    sources_of_split : dict of str to list of Source
        Where the images of each split are. `""` is all images, where no splits are named.
    n_values : int or None
        How many numbers a line has where boxes have key points; None where they have none.
    values : dict of str to value
        All keys of the file.
    """

    path: Path | None
    root: Path
    class_names: dict[int, str]
    sources_of_split: dict[str, list[Source]]
    n_values: int | None
    values: dict[str, Any]


def find_configs(folder: Path) -> list[Path]:
    """Return the YAML files of a folder that describe a dataset: those that name classes."""
    return [
        path
        for path in sorted(folder.iterdir())
        if path.suffix.lower() in _SUFFIXES and path.is_file() and _names_classes(path)
    ]


def _names_classes(path: Path) -> bool:
    lines = path.read_bytes().splitlines()
    return any(line.startswith((b"names", b"nc")) for line in lines)


def is_yolo_folder(folder: Path) -> bool:
    """Tell whether a folder holds a dataset: a YAML file that names classes, or both folders."""
    return bool(find_configs(folder)) or all(
        (folder / name).is_dir() for name in (_IMAGES, "labels")
    )


def read_config(path: Path, name: str) -> YoloConfig:
    """Read the YAML file of a dataset, or that of a folder.

    Parameters
    ----------
    path : Path
        The YAML file; a folder with one, or with the file classes.txt; or a list of images with
        a YAML file beside it.
    name : str
        What messages call it.

    Returns
    -------
    YoloConfig
        What it says. That its folders are there is checked, not what is in them.
    """
    if path.suffix.lower() == ".txt":
        return _read_list_config(path, name)
    if path.is_dir():
        configs = find_configs(path)
        if len(configs) > 1:
            shown = ", ".join(own.name for own in configs[:5])
            raise InputError(f"{name}: holds several datasets: {shown}. Pass one of these files.")
        if not configs:
            return _read_classes(path, name)
        path, name = configs[0], str(configs[0])
    mapping = read_yaml(path, name)
    root = _find_root(path, mapping, name)
    sources = {
        split: _list_sources(mapping, split, root, name)
        for split in SPLITS
        if mapping.values.get(split) not in (None, "", [])
    }
    if not sources:
        if not (root / _IMAGES).is_dir():
            raise InputError(
                f"{name}: names no images under {', '.join(SPLITS)}, and there is no folder "
                f"{root / _IMAGES}. Add one of them."
            )
        sources = {"": [Source(root / _IMAGES, name)]}
    return YoloConfig(
        path,
        root,
        _read_names(mapping, name),
        sources,
        _count_values(mapping, name),
        mapping.values,
    )


def _read_list_config(path: Path, name: str) -> YoloConfig:
    """Read what a YAML file beside a list of images says, and take the images of the list."""
    configs = find_configs(path.parent)
    if not configs:
        raise InputError(
            f"{name}: there is no YAML file beside it that names the classes. Pass a YAML file."
        )
    config = read_config(configs[0], str(configs[0]))
    return config._replace(root=path.parent, sources_of_split={"": [Source(path, name)]})


def _read_classes(folder: Path, name: str) -> YoloConfig:
    """Read a folder with the names of its classes in a text file, one per line."""
    path = folder / _CLASSES
    if not path.is_file() or not (folder / _IMAGES).is_dir():
        raise InputError(
            f"{name}: has no YAML file with names of classes, nor {_CLASSES} beside the folder "
            f"{_IMAGES}. Add one of them."
        )
    lines = read_lines(path, str(path))
    found = {number: line.strip() for number, line in enumerate(lines) if line.strip()}
    values = {"names": list(found.values())}
    return YoloConfig(None, folder, found, {"": [Source(folder / _IMAGES, name)]}, None, values)


def _find_root(path: Path, mapping: YamlMapping, name: str) -> Path:
    """Return the folder that `path` names: from the folder of the file, else from this one."""
    given = mapping.values.get("path")
    if given in (None, ""):
        return path.parent
    tried = [path.parent / str(given), Path(str(given))]
    found = next((folder for folder in tried if folder.is_dir()), None)
    if found is None:
        raise InputError(
            f"{name}: line {mapping.line_of['path']}: 'path' names the folder {given}, which is "
            f"not there (looked for {tried[0]}). Correct it, or leave it out."
        )
    return found


def _list_sources(mapping: YamlMapping, split: str, root: Path, name: str) -> list[Source]:
    given = mapping.values[split]
    place = f"{name}: line {mapping.line_of[split]}"
    sources = []
    for text in given if isinstance(given, list) else [given]:
        if not isinstance(text, str):
            raise InputError(
                f"{place}: '{split}' must be a folder or a list of images, got {show_value(text)}. "
                "Write a path."
            )
        tried = [root / text]
        if text.startswith("../"):
            # So datasets of Roboflow are written, and read where the first folder is not there.
            tried.append(root / text.removeprefix("../"))
        found = next((path for path in tried if path.exists()), None)
        if found is None:
            raise InputError(
                f"{place}: '{split}' names {text}, but there is no {tried[0]}. Correct it."
            )
        if not found.is_dir() and found.suffix.lower() != ".txt":
            raise InputError(
                f"{place}: '{split}' names {text}, which is neither a folder of images nor a list "
                "of them in a .txt file. Correct it."
            )
        sources.append(Source(found, place))
    return sources


def _read_names(mapping: YamlMapping, name: str) -> dict[int, str]:
    values, lines = mapping
    n_classes = values.get("nc")
    if n_classes is not None and not (is_whole(n_classes) and n_classes > 0):
        raise InputError(
            f"{name}: line {lines['nc']}: 'nc' must be a number of classes, "
            f"got {show_value(n_classes)}. Correct it."
        )
    given = values.get("names")
    if given is None and n_classes is not None:
        return {number: f"class_{number}" for number in range(n_classes)}
    place = f"{name}: line {lines['names']}" if "names" in lines else name
    if not isinstance(given, list | dict) or not given:
        raise InputError(
            f"{place}: 'names' must be a list of classes or a mapping from number to class, "
            f"got {show_value(given)}. Write names: [cat, dog]."
        )
    if n_classes is not None and n_classes != len(given):
        raise InputError(
            f"{place}: 'names' has {len(given):,} classes, and 'nc' says {n_classes:,}. "
            "Correct one of them."
        )
    pairs = given.items() if isinstance(given, dict) else enumerate(given)
    names = {}
    for number, own in pairs:
        if not is_whole(number) or number < 0:
            raise InputError(
                f"{place}: 'names' has the class number {show_value(number)}. "
                "Class numbers are 0, 1, 2 and so on."
            )
        if isinstance(own, bool) or not isinstance(own, str | int | float):
            raise InputError(
                f"{place}: 'names' calls class {number} {show_value(own)}, which is no text. "
                "Write the name in quotes."
            )
        names[int(number)] = str(own)
    return dict(sorted(names.items()))


def _count_values(mapping: YamlMapping, name: str) -> int | None:
    """Return how many numbers a line has with key points: class, box, and those of each point."""
    shape = mapping.values.get("kpt_shape")
    if shape is None:
        return None
    if not (isinstance(shape, list) and len(shape) == 2 and all(map(is_whole, shape))):
        raise InputError(
            f"{name}: line {mapping.line_of['kpt_shape']}: 'kpt_shape' must be two numbers, "
            f"got {show_value(shape)}. Write kpt_shape: [17, 3]."
        )
    return 5 + int(shape[0]) * int(shape[1])
