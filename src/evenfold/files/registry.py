"""All formats, which of them a file is in, and opening it."""

from __future__ import annotations

import importlib
import shutil
import sys
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from .._atomic import ScratchFolder
from .._checks.choices import find_close
from ..exceptions import InputError
from .compression import (
    CODECS,
    MAGIC_BYTES,
    find_codec,
    find_codec_of_content,
    find_suffix,
    without_codec,
)
from .content import tell_apart
from .folder_formats import find_folder_format
from .tables import split_table

if TYPE_CHECKING:
    from .datafile import DataFile


class Format(NamedTuple):
    """Where a format is defined, and the suffixes of its files.

    Attributes
    ----------
    module : str
        The module in `files/formats`, imported when a file is opened.
    class_name : str
        The class in it.
    suffixes : tuple of str
        The suffixes of its files; none where every data file is a folder.
    opens_folders : bool
        Whether a folder, or a pattern of files, can be opened.
    may_be_compressed : bool
        Whether files may be compressed as a whole, such as data.csv.gz.
    holds_tables : bool
        Whether a file may hold several tables, one of which is named as in data.xlsx::Sheet2.
    names_files : bool
        Whether a file says where other files are, so that it cannot come from a stream.
    names_parts : bool
        Whether a file may say which rows are in which part.
    """

    module: str
    class_name: str
    suffixes: tuple[str, ...]
    opens_folders: bool = False
    may_be_compressed: bool = False
    holds_tables: bool = False
    names_files: bool = False
    names_parts: bool = False


FORMATS = {
    "csv": Format("delimited", "Csv", (".csv",), may_be_compressed=True),
    "tsv": Format("delimited", "Tsv", (".tsv",), may_be_compressed=True),
    "parquet": Format("parquet", "Parquet", (".parquet",), opens_folders=True),
    "feather": Format("arrow_ipc", "ArrowFile", (".feather", ".arrow")),
    "jsonl": Format(
        "json_lines", "JsonLines", (".jsonl", ".ndjson", ".json"), may_be_compressed=True
    ),
    "arff": Format("arff", "Arff", (".arff",)),
    "svmlight": Format("svmlight", "Svmlight", (".svm", ".svmlight", ".txt")),
    "npz": Format("npz", "Npz", (".npz",)),
    "coco": Format("coco", "Coco", (".json",)),
    "labelstudio": Format("label_studio", "LabelStudio", (".json",)),
    "json": Format("json_records", "JsonRecords", (".json",)),
    "xlsx": Format("excel", "Excel", (".xlsx",), holds_tables=True),
    "sqlite": Format("sqlite", "Sqlite", (".sqlite", ".sqlite3", ".db"), holds_tables=True),
    "duckdb": Format("duckdb_tables", "DuckDb", (".duckdb", ".ddb", ".db"), holds_tables=True),
    "huggingface": Format("hf_datasets", "HuggingFaceFolder", (), opens_folders=True),
    "yolo": Format(
        "yolo", "Yolo", (".yaml", ".yml"), opens_folders=True, names_files=True, names_parts=True
    ),
    "imagefolder": Format("image_folder", "ImageFolder", (), opens_folders=True, names_parts=True),
}
# What messages call data that came from stdin or a pipe.
_STREAM_NAME = "stdin"
_FORMAT_OF_STREAMS = "csv"


def open_data(
    path: str,
    format: str | None = None,  # noqa: A002 - as --format
    xml: Path | None = None,
) -> DataFile:
    """Open a file, a table of a file, a folder, a pattern of parquet files, or `-` for stdin.

    What comes from stdin or a pipe is copied to a temporary file, which is removed with the
    object returned.

    Parameters
    ----------
    path : str
        The file; of one that holds several tables, `file::table`.
    format : str, default=None
        One of `FORMATS`; by default what the suffix says, for stdin csv.
    xml : Path, default=None
        Mulan's list of the labels of an ARFF file; by default the one beside it.

    Returns
    -------
    DataFile
        The open file.
    """
    plain, table = split_table(path)
    found = Path(plain)
    if path == "-":
        return _open_stream(sys.stdin.buffer, format or _FORMAT_OF_STREAMS, xml)
    if found.exists() and not found.is_file() and not found.is_dir():
        # A pipe, such as a shell makes of <(command), can be read only once.
        with found.open("rb") as stream:
            return _open_stream(stream, format or _FORMAT_OF_STREAMS, xml)
    is_pattern = not found.exists() and any(character in plain for character in "*?[")
    if not found.exists() and not is_pattern:
        raise InputError(f"{plain}: no such file. Check the name and the folder.")
    chosen = format or _choose_format(found, is_pattern)
    if (found.is_dir() or is_pattern) and not FORMATS[chosen].opens_folders:
        others = ", ".join(name for name, known in FORMATS.items() if known.opens_folders)
        raise InputError(
            f"{path}: is not one file, as the format {chosen} must be. "
            f"Name a file, or take one of {others}."
        )
    if table is None:
        return _open(found, chosen, xml)
    if not FORMATS[chosen].holds_tables:
        others = ", ".join(name for name, known in FORMATS.items() if known.holds_tables)
        raise InputError(
            f"{path}: a table is named after ::, and only files of {others} have tables, "
            f"got {chosen}. Name the file alone."
        )
    return _open(found, chosen, xml, path, table)


def find_formats(path: Path) -> list[str]:
    """Return the formats that a suffix stands for; data.csv.gz is csv."""
    suffix, is_compressed = without_codec(path).suffix.lower(), find_codec(path) is not None
    found = [
        name
        for name, known in FORMATS.items()
        if suffix in known.suffixes and known.may_be_compressed >= is_compressed
    ]
    # Formats for which it is the usual suffix come first.
    return sorted(found, key=lambda name: FORMATS[name].suffixes[0] != suffix)


def find_format(path: Path) -> str | None:
    """Return the format of a file by its suffix, and by its content if several have the suffix.

    It is None if no format has the suffix, and the first one if there is no such file.
    """
    found = find_formats(path)
    return tell_apart(path, found) if len(found) > 1 else next(iter(found), None)


def find_new_suffix(path: Path, format_name: str) -> str:
    """Return the suffix of new files in the format of a file: its own if the format has it."""
    if format_name in find_formats(path):
        return find_suffix(path)
    suffixes, codec = FORMATS[format_name].suffixes, find_codec(path)
    return (suffixes[0] if suffixes else "") + ("" if codec is None else codec.suffix)


def may_name_parts(path: str, format: str | None) -> bool:  # noqa: A002 - as --format
    """Tell whether data is in a format in which it may say which rows are in which part."""
    try:
        return FORMATS[format or _choose_format(Path(path), not Path(path).exists())].names_parts
    except InputError:
        return False


def _choose_format(path: Path, is_pattern: bool) -> str:
    if is_pattern:
        return "parquet"
    if path.is_dir():
        return find_folder_format(path)
    found = find_format(path)
    if found is None:
        plain, suffix = without_codec(path), find_suffix(path)
        suffixes = [own for known in FORMATS.values() for own in known.suffixes]
        if plain.suffix.lower() in suffixes:
            raise _not_compressed(path, suffix)
        near = find_close(plain.suffix, suffixes)
        codec = suffix.removeprefix(plain.suffix)
        hint = "" if near is None else f" Did you mean '{plain.stem}{near}{codec}'?"
        raise InputError(
            f"{path}: the suffix {suffix!r} does not tell its format. "
            f"Say it with --format: {', '.join(FORMATS)}.{hint}"
        )
    return found


def _open(
    path: Path,
    format_name: str,
    xml: Path | None,
    shown: str | None = None,
    table: str | None = None,
) -> DataFile:
    if xml is not None and format_name != "arff":
        raise InputError(
            f"{path if shown is None else shown}: a list of labels in xml goes with ARFF files, "
            f"got one in the format {format_name}. Leave out --xml."
        )
    known = FORMATS[format_name]
    if find_codec(path) is not None and not known.may_be_compressed:
        raise _not_compressed(path if shown is None else shown, format_name)
    module = importlib.import_module(f"evenfold.files.formats.{known.module}")
    options = {"xml": xml, "table": table}
    options = {name: value for name, value in options.items() if value is not None}
    opened: DataFile = getattr(module, known.class_name)(path, shown, **options)
    return opened


def _not_compressed(what: Path | str, kind: str) -> InputError:
    names = ", ".join(name for name, known in FORMATS.items() if known.may_be_compressed)
    suffixes = " and ".join(codec.suffix for codec in CODECS)
    return InputError(
        f"{what}: only {names} are read compressed ({suffixes}), got {kind}. Decompress it first."
    )


def _open_stream(stream: BinaryIO, format_name: str, xml: Path | None) -> DataFile:
    known = FORMATS[format_name]
    if not known.suffixes or known.names_files:
        what = "names other files, so it" if known.suffixes else "is of folders, which"
        raise InputError(
            f"the format {format_name} {what} cannot come from a stream. Name the "
            f"{'file' if known.suffixes else 'folder'}."
        )
    start = stream.read(MAGIC_BYTES)
    codec = find_codec_of_content(start)
    suffix = known.suffixes[0] + ("" if codec is None else codec.suffix)
    scratch = ScratchFolder("stdin")
    try:
        path = scratch.path / f"stdin{suffix}"
        with path.open("wb") as copy:
            copy.write(start)
            shutil.copyfileobj(stream, copy)
        opened = _open(path, format_name, xml, _STREAM_NAME)
    except BaseException:
        scratch.remove()
        raise
    weakref.finalize(opened, scratch.remove)
    return opened
