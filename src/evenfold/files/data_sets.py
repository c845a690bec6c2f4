"""Data sets: one file, or several files of the same format and columns."""

from __future__ import annotations

import glob
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..exceptions import InputError
from .folder_formats import find_folder_format
from .registry import FORMATS, find_format, find_formats, open_data
from .tables import split_table

if TYPE_CHECKING:
    from .datafile import DataFile


def open_data_set(
    paths: Sequence[str],
    format: str | None = None,  # noqa: A002 - as --format
    xml: Path | None = None,
) -> DataFile:
    """Open files as one data set, in their order.

    Parameters
    ----------
    paths : sequence of str
        What `open_data` takes; patterns of files of any format, and folders of files of one
        format, whose files are sorted.
    format : str, default=None
        One of `FORMATS`, of all files; by default what the suffixes say.
    xml : Path, default=None
        Mulan's list of the labels of ARFF files.

    Returns
    -------
    DataFile
        The open file, or the data set of several files.
    """
    expanded = [own for path in paths for own in expand_pattern(path, format)]
    times_of = Counter(_identify(path) for path in expanded)
    repeated = next((path for path in expanded if times_of[_identify(path)] > 1), None)
    if repeated is not None:
        raise InputError(f"{repeated}: is named more than once. Name each file once.")
    files = [open_data(path, format, xml) for path in expanded]
    if len(files) == 1:
        return files[0]
    from .many_files import join_files

    return join_files(files)


def expand_pattern(path: str, format: str | None = None) -> list[str]:  # noqa: A002
    """Return the files that a pattern or a folder stands for; itself if its format reads it."""
    plain, table = split_table(path)
    if table is None and Path(plain).is_dir():
        return _list_files_of(Path(plain), format) or [path]
    if not glob.has_magic(plain) or Path(plain).exists():
        return [path]
    found = sorted(glob.glob(plain, recursive=True))  # noqa: PTH207 - also absolute patterns
    chosen = format or (find_format(Path(found[0])) if found else None)
    if not found or (chosen is not None and FORMATS[chosen].opens_folders):
        return [path]
    return found if table is None else [f"{own}::{table}" for own in found]


def _list_files_of(folder: Path, format_name: str | None) -> list[str]:
    """Return the files of a folder without folders, if all are in one format of files.

    With a format, files of others are left out.
    """
    if format_name is None and find_folder_format(folder, unknown="") != "":
        return []
    if format_name is not None and FORMATS[format_name].opens_folders:
        return []
    found = sorted(path for path in folder.iterdir() if not path.name.startswith((".", "_")))
    # It is not known whether folders in it are parts.
    if any(path.is_dir() for path in found):
        return []
    if format_name is not None:
        return [str(path) for path in found if format_name in find_formats(path)]
    formats = {find_format(path) for path in found}
    return [str(path) for path in found] if len(formats) == 1 and None not in formats else []


def _identify(path: str) -> tuple[str, str | None]:
    plain, table = split_table(path)
    # Path.resolve raises in a loop of links, before Python 3.13; opening the file tells of it.
    return os.path.realpath(plain), table
