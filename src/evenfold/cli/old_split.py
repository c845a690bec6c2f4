"""An old split and new rows: parts in a column, in one file for each part, or in a manifest."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from .messages import say
from .options import Reading
from .reading import PART, order_parts, read_codes

if TYPE_CHECKING:
    from ..files.datafile import DataFile
    from ..splits import Split

# What files of parts are called in a folder that is named alone.
_PART_NAME = re.compile(r"(train|val|valid|validation|dev|test|holdout|fold[-_]?\d+|part[-_]?\d+)")
_MANIFEST_AT_SCALE = "_manifest.json"


class OldSplit(NamedTuple):
    """Old rows, followed by new ones.

    Attributes
    ----------
    file : DataFile
        All rows.
    part_column : str or None
        The column that names the part of each row, empty in new ones; None where there is none.
    names : sequence of str
        The parts, if each is a file.
    part_of_file : sequence of int
        The part that each file of the data is, and -1 for new ones.
    saved : Split or None
        The record of the split.
    """

    file: DataFile
    part_column: str | None
    names: Sequence[str] = ()
    part_of_file: Sequence[int] = ()
    saved: Split | None = None

    def read_parts(self) -> tuple[Any, list[str] | None]:
        """Return the arguments `s` and `names` of `evenfold.extend`; labels must have been read."""
        import numpy as np

        if self.saved is not None:
            return self.saved, None
        if self.names:
            part_of_row = np.repeat(np.array(self.part_of_file), self.file.rows_of_file)
            return part_of_row, list(self.names)
        assert self.part_column is not None
        codes = order_parts(read_codes(self.file, self.part_column, "--part-column"))
        return codes.code_of_row, codes.values


def is_at_scale(data: Sequence[str], is_told: bool) -> bool:
    """Tell whether an old split is one past memory: a URL or a folder, but no folder of parts.

    A folder without the manifest of such a split may be a data set, if options say what its parts
    are.
    """
    if any("://" in path for path in data):
        return True
    folder = Path(data[0])
    if not folder.exists():
        return not folder.suffix
    if (folder / _MANIFEST_AT_SCALE).exists():
        return True
    if len(data) > 1 or not folder.is_dir():
        return False
    return not is_told and not _list_part_files(folder)


def _list_part_files(folder: Path) -> dict[str, Path]:
    """Return the file or folder of each part, if all files of the folder have names of parts."""
    from ..files.compression import without_codec
    from ..files.part_folders import find_parts

    found = find_parts(folder)
    if found:
        return found
    entries = [path for path in folder.iterdir() if not path.name.startswith((".", "_"))]
    names = [without_codec(path).stem for path in entries]
    is_parts = len(entries) > 1 and all(
        path.is_file() and _PART_NAME.fullmatch(name)
        for path, name in zip(entries, names, strict=True)
    )
    if not is_parts or len(set(names)) < len(names):
        return {}
    usual = ["train", "valid", "val", "validation", "dev", "test"]
    by_name = dict(zip(names, entries, strict=True))
    place = {name: usual.index(name) if name in usual else len(usual) for name in names}
    return {name: by_name[name] for name in sorted(names, key=lambda one: (place[one], one))}


def open_old_split(
    data: Sequence[str],
    new: Sequence[str],
    reading: Reading,
    part_column: str | None,
    saved: Split | None,
    quiet: bool,
) -> OldSplit:
    """Open an old split and new rows as one data set; print what was assumed.

    Parameters
    ----------
    data : sequence of str
        The old rows; without new files, new rows are among them.
    new : sequence of str
        The files of new rows.
    reading : Reading
        How both are read.
    part_column : str or None
        The column of the parts, as given or recorded.
    saved : Split or None
        The record of the split.
    quiet : bool
        Whether nothing is printed.

    Returns
    -------
    OldSplit
        The rows, and where their parts are.
    """
    from ..files.data_sets import open_data_set
    from ..files.many_files import join_files
    from .reading import take_items

    if not new:
        file = take_items(open_data_set(data, reading.format, reading.xml), reading, quiet)
        return OldSplit(file, part_column, saved=saved)
    if part_column is None and saved is None:
        part_column = _find_column(data, reading)
        if part_column is None:
            return _open_parts(data, new, reading, quiet)
        if part_column == PART:
            say(f"The parts are those of the column '{PART}'.", quiet)
    old_files = _open_files(data, reading)
    new_files = _open_files(new, reading)
    if part_column is not None and all(part_column in file.columns for file in old_files):
        from ..files.empty_columns import add_empty_column

        new_files = [
            file
            if part_column in file.columns
            else add_empty_column(file, old_files[0], part_column)
            for file in new_files
        ]
    file = take_items(join_files([*old_files, *new_files]), reading, quiet)
    return OldSplit(file, part_column, saved=saved)


def _open_files(paths: Sequence[str], reading: Reading) -> list[DataFile]:
    from ..files.data_sets import expand_pattern
    from ..files.registry import open_data

    names = [own for path in paths for own in expand_pattern(path, reading.format)]
    return [open_data(name, reading.format, reading.xml) for name in names]


def _find_column(data: Sequence[str], reading: Reading) -> str | None:
    """Return the column of parts of a single file; None if the data is one file for each part."""
    if len(data) > 1 or Path(data[0]).is_dir():
        return None
    _refuse_manifest(Path(data[0]))
    file = _open_files(data, reading)[0]
    if PART in file.columns:
        return PART
    from ..exceptions import InputError
    from ..files.named_columns import show_columns

    raise InputError(
        f"{file.name}: does not say which row is in which part: no column is '{PART}'. Name one "
        "with --part-column, the record of the split with --from-manifest, or one file for each "
        f"part. Columns: {show_columns(file.columns)}."
    )


def _refuse_manifest(path: Path) -> None:
    """Refuse the record of a split in place of its data."""
    if path.suffix.lower() != ".json" or not path.is_file():
        return
    from ..exceptions import InputError
    from ..splits.saved_split import FORMAT

    with path.open("rb") as file:
        start = file.read(100)
    if start.startswith(b'{"format": "' + FORMAT.encode()):
        raise InputError(
            f"{path}: is the record of a split. Name the data of the split as DATA, and the record "
            f"with --from-manifest {path}."
        )


def _open_parts(data: Sequence[str], new: Sequence[str], reading: Reading, quiet: bool) -> OldSplit:
    """Open one file for each part, and new files."""
    from ..files.many_files import join_files
    from .existing_split import name_parts

    if reading.long is not None:
        raise click.UsageError(
            "--long does not go with one file for each part. Name the data before the split, and "
            "its record with --from-manifest."
        )
    found = _list_part_files(Path(data[0])) if len(data) == 1 else {}
    names = list(found) or name_parts(data)
    files_of_part = [_open_files([str(path)], reading) for path in found.values() or data]
    old_files = [file for files in files_of_part for file in files]
    if not found:
        _refuse_column(old_files)
    part_of_file = [part for part, files in enumerate(files_of_part) for _ in files]
    new_files = _open_files(new, reading)
    say(f"Each file is a part: {', '.join(names)}.", quiet)
    return OldSplit(
        join_files([*old_files, *new_files]),
        None,
        names,
        [*part_of_file, *(-1 for _ in new_files)],
    )


def _refuse_column(files: Sequence[DataFile]) -> None:
    """Refuse files that name the parts of their rows, and so are not one part each."""
    from ..exceptions import InputError

    named = next((file for file in files if PART in file.columns), None)
    if named is not None:
        raise InputError(
            f"{named.name}: has a column '{PART}', so DATA is not taken for one file for each "
            "part. Write --part-column part if it names the parts. Put a pattern of new files in "
            "quotes: --new 'new/*.csv'."
        )
