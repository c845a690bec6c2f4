"""Label files of YOLO: a class and a box, a polygon or key points in each line."""

from __future__ import annotations

import codecs
import itertools
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..._checks.values import show_value
from ...exceptions import InputError
from ..encoding import find_wrong_line, not_utf8
from .boxes import Boxes

# Numbers of a line: a class and a box, or a class and the corners of a polygon.
_BOX, _LEAST_POLYGON = 5, 7
# How far a coordinate may be outside of the image by rounding.
_TOLERANCE = 1e-5
# Files that a thread reads at a time, and that are cut into numbers at a time.
_FILES_OF_THREAD, _FILES_AT_ONCE = 128, 4096
# Small files wait for the disk, not for the processor.
_N_THREADS = 8
_BYTES_AT_ONCE = 1 << 16


class _Lines(NamedTuple):
    """Lines of label files: the file of each, how many numbers it has, and all numbers."""

    file: NDArray[np.int64]
    n_values: NDArray[np.int64]
    values: NDArray[np.float64]


def read_label_files(
    paths: Sequence[str], label_of_class: Mapping[int, int], n_values: int | None
) -> Boxes:
    """Read the boxes of all label files.

    Parameters
    ----------
    paths : sequence of str
        The files.
    label_of_class : mapping of int to int
        The label of each class number that may be used.
    n_values : int or None
        How many numbers a line has if boxes have key points; None for boxes and polygons.

    Returns
    -------
    Boxes
        The boxes; `row` is the number of the file. A polygon is the box around it.

    Raises
    ------
    InputError
        If a line is wrong; the message names file and line.
    """
    found = []
    with ThreadPoolExecutor(_N_THREADS) as pool:
        for number, own in enumerate(_cut_into(paths, _FILES_AT_ONCE)):
            pieces = pool.map(_read_all, _cut_into(own, _FILES_OF_THREAD))
            contents = list(itertools.chain.from_iterable(pieces))
            row, label, area = _read_contents(own, contents, label_of_class, n_values)
            found.append((number * _FILES_AT_ONCE + row, label, area))
    if not found:
        nothing = np.empty(0, np.int64)
        return Boxes(nothing, nothing, np.empty(0), np.empty(0))
    rows, labels, areas = map(np.concatenate, zip(*found, strict=True))
    return Boxes(rows, labels, areas, np.ones(len(rows)))


def _cut_into(paths: Sequence[str], n_paths: int) -> list[Sequence[str]]:
    return [paths[start : start + n_paths] for start in range(0, len(paths), n_paths)]


def _read_all(paths: Sequence[str]) -> list[bytes]:
    return list(map(_read_bytes, paths))


def _read_bytes(path: str) -> bytes:
    # Without the objects of `open`, which take a third of the time of a small file.
    file = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    try:
        content = b""
        while block := os.read(file, _BYTES_AT_ONCE):
            content += block
    finally:
        os.close(file)
    return content.removeprefix(codecs.BOM_UTF8)


def _read_contents(
    paths: Sequence[str],
    contents: Sequence[bytes],
    label_of_class: Mapping[int, int],
    n_values: int | None,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return file, label and area of each line."""
    try:
        lines = _cut(contents)
        return _read_lines(lines, label_of_class, n_values)
    except (ValueError, LookupError):
        for path, content in zip(paths, contents, strict=True):
            check_content(path, content, label_of_class, n_values)
        raise


def _cut(contents: Sequence[bytes]) -> _Lines:
    """Cut label files into numbers; raise ValueError where a word is none."""
    n_lines: list[int] = []
    n_values: list[int] = []
    values: list[float] = []
    for content in contents:
        rows = [words for line in content.splitlines() if (words := line.split())]
        n_lines.append(len(rows))
        n_values.extend(map(len, rows))
        values.extend(map(float, itertools.chain.from_iterable(rows)))
    return _Lines(
        np.repeat(np.arange(len(contents)), n_lines),
        np.array(n_values, np.int64),
        np.array(values, np.float64),
    )


def _read_lines(
    lines: _Lines, label_of_class: Mapping[int, int], n_values: int | None
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]:
    """Return file, label and area of each line; raise ValueError or LookupError if one is wrong."""
    file, counts, values = lines
    starts = np.cumsum(counts) - counts
    is_box = counts == (_BOX if n_values is None else n_values)
    is_polygon = (
        (counts >= _LEAST_POLYGON) & (counts % 2 == 1)
        if n_values is None
        else np.zeros(len(counts), bool)
    )
    if not (is_box | is_polygon).all():
        raise ValueError("a wrong number of values")
    classes, code = np.unique(values[starts], return_inverse=True)
    labels = np.array([label_of_class[own] for own in classes.tolist()], np.int64)
    area = np.empty(len(counts))
    sides = [values[starts[is_box] + at] for at in range(1, _BOX)]
    area[is_box] = sides[2] * sides[3]
    at_polygon = np.flatnonzero(is_polygon)
    offsets = [np.arange(1, n, 2) for n in counts[at_polygon].tolist()]
    own = np.array([len(points) for points in offsets], np.int64)
    at = np.repeat(starts[at_polygon], own) + np.concatenate([*offsets, np.empty(0, np.int64)])
    corners = [values[at], values[at + 1]]
    for points in (*sides, *corners):
        if not ((points >= -_TOLERANCE) & (points <= 1 + _TOLERANCE)).all():
            raise ValueError("a coordinate outside of the image")
    if len(own):
        first = np.cumsum(own) - own
        width, height = (
            np.maximum.reduceat(points, first) - np.minimum.reduceat(points, first)
            for points in corners
        )
        area[at_polygon] = width * height
    return file, labels[code], area


def check_content(
    path: str, content: bytes, label_of_class: Mapping[int, int], n_values: int | None
) -> None:
    """Raise the error about the first wrong line of a label file, if there is one."""
    try:
        content.decode()
    except UnicodeDecodeError:
        raise not_utf8(f"{path}: line {find_wrong_line(content)}") from None
    for number, line in enumerate(content.splitlines(), 1):
        words = [word.decode() for word in line.split()]
        for wrong in _find_wrong(words, label_of_class, n_values) if words else ():
            raise InputError(f"{path}: line {number}: {wrong}")


def _find_wrong(
    words: Sequence[str], label_of_class: Mapping[int, int], n_values: int | None
) -> Iterator[str]:
    """Yield what is wrong with a line."""
    numbers = []
    for word in words:
        try:
            numbers.append(float(word))
        except ValueError:
            yield f"{show_value(word)} is not a number. Correct it."
    n = len(words)
    if n_values is not None and n != n_values:
        yield f"holds {n} numbers, and by 'kpt_shape' a line has {n_values}. Correct it."
    if n_values is None and n != _BOX and (n < _LEAST_POLYGON or n % 2 == 0):
        yield (
            f"holds {n} numbers. A box has {_BOX}: class, centre, width and height; a polygon has "
            "a class and three or more corners. Correct it."
        )
    if numbers[0] not in label_of_class:
        first, last = min(label_of_class), max(label_of_class)
        yield (
            f"the class {words[0]} has no name. Classes are {first} to {last}. "
            "Correct it, or name the class."
        )
    placed = numbers[1:_BOX] if n == (n_values or _BOX) else numbers[1:]
    for word, number in zip(words[1:], placed, strict=False):
        if not -_TOLERANCE <= number <= 1 + _TOLERANCE:
            yield f"the coordinate {word} is not in 0 to 1, a share of the image. Correct it."
