"""Where results go: what the options mean, and what is refused before the work begins."""

from __future__ import annotations

import glob
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from .._atomic import check_target
from ..files.registry import FORMATS, find_format
from .errors import describe
from .options import FILE_OUT, PATH_OUT, Reading, bundle, force_option

if TYPE_CHECKING:
    from ..files.datafile import DataFile

STDOUT = "-"
# What some file system or shell does not take in a name.
_NOT_IN_NAMES = '/\\:*?"<>|\0'


class Target(NamedTuple):
    """Where a split goes; without `column`, it is called part."""

    output: str | None
    column: str | None
    indices: Path | None
    manifest: Path | None
    report: Path | None
    force: bool


report_option = click.option(
    "--report",
    type=FILE_OUT,
    metavar="FILE",
    help="How even the split is, and where it is not, for a person to see: .html (one page), .md or .json.",
)
target_options = bundle(
    Target,
    "target",
    click.option(
        "-o",
        "--output",
        type=PATH_OUT,
        metavar="PATH",
        help="A file: DATA with one more column, which names the part. A path without a suffix: a folder with one file for each part. -: stdout.",
    ),
    click.option("--column", metavar="NAME", help="What the new column is called. Default: part."),
    click.option(
        "--indices",
        type=FILE_OUT,
        metavar="FILE",
        help="Row numbers of each part, from 0 (.json); or the part number of each row (.npy).",
    ),
    click.option(
        "--manifest",
        type=FILE_OUT,
        metavar="FILE",
        help="The record of the split (.json): parts, settings, a fingerprint of the labels.",
    ),
    report_option,
    force_option,
)


def check_stdout(output: str | None, as_json: bool) -> None:
    """Refuse two things on stdout, before anything is read."""
    if as_json and output == STDOUT:
        raise click.UsageError(
            "--json and -o - would both go to stdout. Write one of them to a file."
        )


def check_paths(paths: Sequence[Path], force: bool, inputs: Sequence[Path] = ()) -> None:
    """Refuse what exists, is the input, or has no folder to be in."""
    path_of: dict[Path, Path] = {}
    for path in paths:
        first = path_of.setdefault(path.resolve(), path)
        if first is not path:
            same = "" if first == path else f", there as {first}"
            raise click.UsageError(
                f"{path} is named for two outputs{same}. Give each a name of its own."
            )
    for path in paths:
        try:
            check_target(path, force=force, inputs=inputs)
        except OSError as error:
            raise click.UsageError(describe(error)) from None


def check_kind(path: Path, is_folder: bool) -> None:
    """Refuse a file where a folder is to be, and the other way round, which --force does not replace."""
    if path.is_file() if is_folder else path.is_dir():
        kinds = ("a file", "a folder") if is_folder else ("a folder", "a file")
        raise click.UsageError(
            f"{path}: is {kinds[0]}, and the output is {kinds[1]}. Name another output."
        )


def inputs_of(file: DataFile, reading: Reading) -> list[Path]:
    """Return what must not be written: the file or folder, or all files of a pattern, and what was read beside it."""
    data = (
        [file.path]
        if file.path.exists()
        else [Path(name) for name in glob.glob(str(file.path), recursive=True)]
    )
    return [*data, *file.goes_with, *reading.paths]


def check_indices(indices: Path | None) -> None:
    """Refuse a suffix that says neither how to write indices."""
    if indices is not None and indices.suffix not in (".json", ".npy"):
        raise click.UsageError(f"--indices {indices}: must end in .json or .npy.")


def check_report(report: Path | None) -> None:
    """Refuse a suffix that no report has."""
    if report is None:
        return
    from ..report.writing import SUFFIXES

    if report.suffix.lower() not in SUFFIXES:
        raise click.UsageError(f"--report {report}: must end in .html, .md or .json.")


def check_column(column: str, file: DataFile) -> None:
    """Refuse a new column that is there already, or that the file cannot have."""
    if column in file.columns:
        raise click.UsageError(
            f"{file.name} has a column {column!r} already. Name another with --column."
        )
    file.check_new(column)


def check_is_no_folder(file: DataFile) -> None:
    """Refuse to put a folder on stdout."""
    if is_made_of_folders(file):
        raise click.UsageError(
            f"-o -: the format {file.format} is of folders, which cannot go to stdout. Name a folder."
        )


def check_part_names(names: Sequence[str]) -> None:
    """Refuse names of parts that cannot be names of files."""
    for name in names:
        if not name.strip(". ") or any(character in _NOT_IN_NAMES for character in name):
            raise click.UsageError(
                f"a part named {name!r} cannot have a file of that name. Name the parts otherwise with --names."
            )


def suffix_of(file: DataFile) -> str:
    """Return the suffix of new files: that of the input, where its format has it."""
    return file.path.suffix if find_format(file.path) == file.format else file.suffix


def is_file(output: str, file: DataFile) -> bool:
    """Tell a file from a folder to be made; refuse a file that says it is in another format than the input."""
    path = Path(output)
    if output.endswith(("/", "\\")) or path.is_dir() or not path.suffix:
        return False
    asked = find_format(path)
    if asked is None:
        raise click.UsageError(
            f"-o {output}: no format has the suffix {path.suffix!r}. End a folder with a slash, a file with {suffix_of(file)!r}."
        )
    if asked != file.format:
        ending = "be a folder" if is_made_of_folders(file) else f"end in {suffix_of(file)!r}"
        raise click.UsageError(
            f"-o {output}: the output has the format of the input, {file.format}, so it must {ending}."
        )
    return True


def is_made_of_folders(file: DataFile) -> bool:
    """Tell formats of which every file is a folder."""
    return not FORMATS[file.format].suffixes
