"""Mirrored parts: each file of the data is written again below a folder for each part."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..exceptions import InputError
from .writing import write_companions

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..files.datafile import DataFile


class MirroredFile(NamedTuple):
    """A file of the data.

    Attributes
    ----------
    file : DataFile
        The file, open by itself.
    place : Path
        Where it is below the folder that all files are in, and below the folder of each part.
    n_rows : int
        How many rows it has.
    """

    file: DataFile
    place: Path
    n_rows: int


def list_mirrored(file: DataFile, n_rows: int) -> list[MirroredFile]:
    """Return the files of the data, whose rows have been read; refuse two tables of one file."""
    found = file.list_files(n_rows)
    paths = [own.path.resolve() for own, _ in found]
    base = os.path.commonpath([path.parent for path in paths])
    places = [path.relative_to(base) for path in paths]
    for place, n_times in Counter(places).items():
        if n_times > 1:
            raise InputError(
                f"{place}: with --mirror a file is written once, and {n_times} tables of it are "
                "named. Leave out --mirror."
            )
    return [
        MirroredFile(own, place, n_own) for (own, n_own), place in zip(found, places, strict=True)
    ]


def write_mirrored(
    files: Sequence[MirroredFile], folders: Sequence[Path], part_of_row: NDArray[np.int32]
) -> None:
    """Write the rows of each file into the folders of their parts.

    A file that has no row of a part is left out there, since many formats could not read it.

    Parameters
    ----------
    files : sequence of MirroredFile
        The files of the data.
    folders : sequence of Path
        The folder of each part; they exist.
    part_of_row : ndarray of shape (n_rows,)
        The part of each row, -1 to leave it out.
    """
    start = 0
    for file, place, n_rows in files:
        part_of_own = part_of_row[start : start + n_rows]
        start += n_rows
        held = np.unique(part_of_own[part_of_own >= 0])
        paths = [folders[part] / place for part in held.tolist()]
        for path in paths:
            path.parent.mkdir(parents=True, exist_ok=True)
        # The last place is that of part -1.
        number_of_part = np.full(len(folders) + 1, -1, np.int32)
        number_of_part[held] = np.arange(len(held))
        file.write_parts(paths, number_of_part[part_of_own])
        for path in paths:
            write_companions(file, path)
