"""Data sets: one file, or several files of the same format and columns."""

from __future__ import annotations

import glob
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..exceptions import InputError
from .registry import FORMATS, find_format, open_data
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
        What `open_data` takes, and patterns of files of any format, whose files are sorted.
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
    """Return the files that a pattern stands for; the pattern itself if its format reads it."""
    plain, table = split_table(path)
    if not glob.has_magic(plain) or Path(plain).exists():
        return [path]
    found = sorted(glob.glob(plain, recursive=True))  # noqa: PTH207 - also absolute patterns
    chosen = format or (find_format(Path(found[0])) if found else None)
    if not found or (chosen is not None and FORMATS[chosen].opens_folders):
        return [path]
    return found if table is None else [f"{own}::{table}" for own in found]


def _identify(path: str) -> tuple[Path, str | None]:
    plain, table = split_table(path)
    return Path(plain).resolve(), table
