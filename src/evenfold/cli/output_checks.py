"""Checks of outputs: what cannot be written is refused before the work begins."""

from __future__ import annotations

import glob
import os
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .._atomic import check_target, follow_links
from .._checks.values import show_value
from ..files.compression import find_suffix, without_codec
from ..files.registry import FORMATS, find_formats, find_new_suffix
from .errors import describe
from .options import Reading

if TYPE_CHECKING:
    from ..files.datafile import DataFile

STDOUT = "-"
# Characters that some file system or shell does not allow in a name.
_FORBIDDEN_IN_NAMES = frozenset('/\\:*?"<>|\0')
_RESERVED_NAMES = {"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"} | {
    f"{device}{digit}" for device in ("COM", "LPT") for digit in "123456789¹²³"
}
# What most file systems allow, less a suffix such as ".parquet".
_MAX_BYTES_OF_NAME = 240


def check_stdout(output: str | None, as_json: bool) -> None:
    """Refuse two results on stdout."""
    if as_json and output == STDOUT:
        raise click.UsageError(
            "--json and -o - would both go to stdout. Write one of them to a file."
        )


def check_paths(paths: Sequence[Path], force: bool, inputs: Sequence[Path] = ()) -> None:
    """Refuse a path that is given twice, exists, is an input, or is in no folder."""
    path_of: dict[Path, Path] = {}
    try:
        for path in paths:
            first = path_of.setdefault(follow_links(path), path)
            if first is not path:
                same = "" if first == path else f", there as {first}"
                raise click.UsageError(
                    f"{path} is named for two outputs{same}. Give each its own name."
                )
        for path in paths:
            check_target(path, force=force, inputs=inputs)
    except OSError as error:
        raise click.UsageError(describe(error)) from None


def check_kind(path: Path, is_folder: bool) -> None:
    """Refuse if a file exists where a folder is needed, or the reverse, also with --force."""
    if path.is_file() if is_folder else path.is_dir():
        kinds = ("a file", "a folder") if is_folder else ("a folder", "a file")
        raise click.UsageError(
            f"{path}: is {kinds[0]}, and the output is {kinds[1]}. Name another output."
        )


def expand_pattern(path: str) -> list[Path]:
    """Return the file or folder itself, or the files that match a pattern."""
    if Path(path).exists():
        return [Path(path)]
    found = glob.glob(path, recursive=True)  # noqa: PTH207 - Path.glob takes no absolute pattern
    return [Path(name) for name in found]


def list_inputs(file: DataFile, reading: Reading) -> list[Path]:
    """Return all files that are read, none of which may be written."""
    return [*expand_pattern(str(file.path)), *file.goes_with, *reading.paths]


def check_indices(indices: Path | None) -> None:
    """Refuse a suffix that indices cannot have."""
    if indices is not None and indices.suffix not in (".json", ".npy"):
        raise click.UsageError(f"--indices {indices}: must end in .json or .npy. Rename it.")


def check_report(report: Path | None) -> None:
    """Refuse a suffix that a report cannot have."""
    if report is None:
        return
    from ..report.writing import SUFFIXES

    if report.suffix.lower() not in SUFFIXES:
        raise click.UsageError(f"--report {report}: must end in .html, .md or .json. Rename it.")


def check_column(column: str, file: DataFile) -> None:
    """Refuse a new column that exists already, or that the format cannot have."""
    if column in file.columns:
        raise click.UsageError(
            f"{file.name} has a column {column!r} already. Name another with --column."
        )
    file.check_new(column)


def check_hive(folder: Path | None, column: str, file: DataFile) -> None:
    """Refuse --hive without a folder, for a format of folders, or for a column that is there."""
    if folder is None:
        raise click.UsageError("--hive writes a folder for each part. Name their folder with -o.")
    if is_made_of_folders(file):
        raise click.UsageError(
            f"--hive writes files into folders, and the format {file.format} is of folders. "
            "Leave it out."
        )
    if file.has_images:
        raise click.UsageError(
            f"--hive writes tables into folders, and the format {file.format} is of images. "
            "Leave it out."
        )
    if column in file.columns:
        raise click.UsageError(
            f"{file.name} has a column {column!r} already. Name another with --column."
        )


def check_mirror(folder: Path | None, transfer: str | None, file: DataFile) -> None:
    """Refuse --mirror without a folder, with images, and of data that is no file."""
    if folder is None:
        raise click.UsageError(
            "--mirror writes the files of DATA into a folder for each part. Name their folder "
            "with -o."
        )
    if transfer is not None:
        raise click.UsageError(
            "--mirror and --with-images lay out the folder of -o in two ways. Choose one."
        )
    if file.has_images:
        raise click.UsageError(
            f"--mirror is not for data in the format {file.format}. Leave it out; --with-images "
            "puts images into the folder of -o."
        )


def check_is_no_folder(file: DataFile) -> None:
    """Refuse to write a folder to stdout."""
    if is_made_of_folders(file):
        raise click.UsageError(
            f"-o -: the format {file.format} is of folders, which cannot go to stdout. "
            "Name a folder."
        )


def check_part_names(names: Sequence[str]) -> None:
    """Refuse names of parts that cannot be names of files, here or on another system."""
    for name in names:
        if not name.strip(". ") or not name.isprintable() or set(name) & _FORBIDDEN_IN_NAMES:
            reason = "cannot have a file of that name"
        elif name.partition(".")[0].rstrip().upper() in _RESERVED_NAMES:
            reason = "would have a name that Windows keeps for a device"
        elif len(os.fsencode(name)) > _MAX_BYTES_OF_NAME:
            reason = f"would have a file name of more than {_MAX_BYTES_OF_NAME} bytes"
        else:
            continue
        raise click.UsageError(
            f"a part named {show_value(name)} {reason}. Choose other names with --names."
        )
    first_of: dict[str, str] = {}
    for name in names:
        # Windows ignores case, and dots and spaces at the end of the name of a folder.
        plain = unicodedata.normalize("NFC", name).casefold()
        first = first_of.setdefault(plain.rstrip(". "), name)
        if first != name:
            is_same = unicodedata.normalize("NFC", first).casefold() == plain
            raise click.UsageError(
                f"parts named {show_value(first)} and {show_value(name)} would be one file on a "
                f"system that ignores {'case' if is_same else 'case and dots at the end'}. "
                "Choose other names with --names."
            )


def choose_suffix(file: DataFile) -> str:
    """Return the suffix of new files: that of the input if its format has it."""
    return file.suffix if _is_written_as_lists(file) else find_new_suffix(file.path, file.format)


def is_file(output: str, file: DataFile) -> bool:
    """Tell whether an output is a file and not a folder; refuse a file of another format."""
    path = Path(output)
    if _is_folder(output):
        return False
    if path.suffix.lower() == file.suffix:
        return True
    formats = _list_formats(path, file)
    if not formats:
        raise click.UsageError(
            f"-o {output}: no format has the suffix {find_suffix(path)!r}. "
            f"End a folder with a slash, a file with {choose_suffix(file)!r}."
        )
    if _is_written_as_lists(file):
        raise click.UsageError(
            f"-o {output}: data in the format {file.format} is written as lists, so the output "
            f"must be a folder, or end in {file.suffix!r}."
        )
    if file.format not in formats:
        ending = "be a folder" if is_made_of_folders(file) else f"end in {choose_suffix(file)!r}"
        others = ""
        if file.is_table:
            from ..files.new_tables import WRITABLE

            others = f", or be one of {', '.join(WRITABLE)}"
        raise click.UsageError(
            f"-o {output}: the output has the format of the input, {file.format}, "
            f"so it must {ending}{others}."
        )
    return True


def in_format_of(output: str | None, file: DataFile) -> DataFile:
    """Return the file, or one that is written in the format of an output file.

    If that is not possible, `is_file` refuses the output. Of several files that are not written as
    one in their own way, tables are written in a new one.
    """
    if output is None:
        return file
    is_same = output == STDOUT or _is_folder(output)
    formats = [file.format] if is_same else _list_formats(Path(output), file)
    if not formats or (file.format in formats and file.is_written):
        return file
    from ..files.conversion import convert

    converted = convert(file, formats, Path(output).name)
    if converted is None and not file.is_written:
        raise file.cannot_be_one()
    return converted or file


def _list_formats(output: Path, file: DataFile) -> list[str]:
    """Return the formats that an output may have by its suffix.

    A suffix that is the usual one of some formats, such as .json, stands for others only if the
    input has it too.
    """
    found, suffix = find_formats(output), without_codec(output).suffix.lower()
    if file.format in found and without_codec(file.path).suffix.lower() == suffix:
        return [file.format]
    return [name for name in found if FORMATS[name].suffixes[0] == suffix] or found


def _is_folder(output: str) -> bool:
    path = Path(output)
    return output.endswith(("/", "\\")) or path.is_dir() or not path.suffix


def is_made_of_folders(file: DataFile) -> bool:
    """Tell whether new data in the format of a file is a folder."""
    return not file.suffix


def _is_written_as_lists(file: DataFile) -> bool:
    """Tell whether new files have another format than the data: they list its images."""
    return file.suffix not in ("", *FORMATS[file.format].suffixes)


def check_images(transfer: str | None, output: str | None, file: DataFile) -> None:
    """Refuse images in an output that cannot have them."""
    if transfer is None:
        return
    if not file.has_images:
        raise click.UsageError(
            f"--with-images is for folders of images, got the format {file.format}. Leave it out."
        )
    if output is None or output == STDOUT or is_file(output, file):
        raise click.UsageError(
            "--with-images puts images into the folder of -o. Name a folder with -o."
        )
