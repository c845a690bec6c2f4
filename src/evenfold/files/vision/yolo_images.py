"""The images of a YOLO dataset: which there are, in which splits, and their label files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...exceptions import InputError
from ..encoding import read_lines
from .image_paths import find_existing, is_image, list_images, to_absolute
from .yolo_config import Source, YoloConfig

_IMAGES, _LABELS = "/images/", "/labels/"


class YoloImages(NamedTuple):
    """The images of all splits, each once, sorted by path.

    Attributes
    ----------
    paths : list of str
        Absolute paths, with slashes.
    splits : list of str
        The names of the splits.
    in_split : ndarray of bool
        (n_images, n_splits) whether an image is in a split.
    inputs : list of Path
        The lists they are in, and the folders of images and labels.
    """

    paths: list[str]
    splits: list[str]
    in_split: NDArray[np.bool_]
    inputs: list[Path]


def find_images(config: YoloConfig, name: str) -> YoloImages:
    """Find the images of a dataset, called `name` in messages."""
    images_of = {
        split: [image for source in sources for image in _read_source(source, config.root)]
        for split, sources in config.sources_of_split.items()
    }
    paths = sorted({image for images in images_of.values() for image in images})
    if not paths:
        raise InputError(f"{name}: has no images. Check its folders.")
    row_of = {path: row for row, path in enumerate(paths)}
    in_split = np.zeros((len(paths), len(images_of)), bool)
    for at, images in enumerate(images_of.values()):
        in_split[[row_of[image] for image in images], at] = True
    sources = [source.path for own in config.sources_of_split.values() for source in own]
    lists = [path for path in sources if not path.is_dir()]
    return YoloImages(paths, list(images_of), in_split, [*lists, *_list_folders(paths)])


def _read_source(source: Source, root: Path) -> Iterator[str]:
    """Yield the absolute paths of the images of a folder or a list."""
    if source.path.is_dir():
        folder = to_absolute(source.path)
        images = list_images(source.path)
        if not images:
            raise InputError(f"{source.place}: there are no images in {source.path}. Correct it.")
        yield from (f"{folder}/{image}" for image in images)
        return
    yield from _read_list(source.path, root)


def _read_list(path: Path, root: Path) -> list[str]:
    """Read a list of images: absolute, from its own folder (./), or from that of the dataset."""
    lines = [
        (number, line.strip())
        for number, line in enumerate(read_lines(path, str(path)), 1)
        if line.strip()
    ]
    own, top = to_absolute(path.parent), to_absolute(root)
    tried = [_list_places(line, own, top) for _, line in lines]
    found = find_existing(place for places in tried for place in places)
    images = []
    for (number, line), places in zip(lines, tried, strict=True):
        if not is_image(places[0].rpartition("/")[2]):
            raise InputError(f"{path}: line {number}: {line!r} is no image. Correct the list.")
        image = next((place for place in places if place in found), None)
        if image is None:
            raise InputError(
                f"{path}: line {number}: there is no image {places[0]}. Correct the list."
            )
        images.append(image)
    return images


def _list_places(line: str, own: str, top: str) -> list[str]:
    """Return where the image of a line may be."""
    folders = [own] if line.startswith("./") else list(dict.fromkeys([top, own]))
    # An absolute path replaces the folder.
    return list(dict.fromkeys(to_absolute(Path(folder, line)) for folder in folders))


def _list_folders(images: Sequence[str]) -> list[Path]:
    """Return the folders of images and of labels, or those of the images where both are one."""
    folders: dict[str, None] = {}
    for image in images:
        above, slash, _ = image.rpartition(_IMAGES)
        own = [above + _IMAGES, above + _LABELS] if slash else [image.rpartition("/")[0]]
        folders |= dict.fromkeys(own)
    return list(map(Path, folders))


def to_label_path(image: str) -> str:
    """Return where the labels of an image are: below labels instead of images, ending in .txt."""
    stem = image.rpartition(".")[0]
    return _LABELS.join(stem.rsplit(_IMAGES, 1)) + ".txt"


def find_label_files(images: Sequence[str], name: str) -> dict[int, str]:
    """Return the label file of each image that has one, by row; refuse if none has."""
    paths = [to_label_path(image) for image in images]
    found = find_existing(paths)
    if not found:
        raise InputError(
            f"{name}: none of the {len(images):,} images has a label file. The first would be "
            f"{paths[0]}. Check that the folders are named images and labels."
        )
    return {row: path for row, path in enumerate(paths) if path in found}
