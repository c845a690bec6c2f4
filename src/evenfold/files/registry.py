"""All formats, which of them a file is in, and opening it."""

from __future__ import annotations

import importlib
import shutil
import sys
import tempfile
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from .._checks.choices import find_close
from ..exceptions import InputError
from .folder_formats import find_folder_format

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
    names_files : bool
        Whether a file says where other files are, so that it cannot come from a stream.
    names_parts : bool
        Whether a file may say which rows are in which part.
    """

    module: str
    class_name: str
    suffixes: tuple[str, ...]
    opens_folders: bool = False
    names_files: bool = False
    names_parts: bool = False


FORMATS = {
    "csv": Format("delimited", "Csv", (".csv",)),
    "tsv": Format("delimited", "Tsv", (".tsv",)),
    "parquet": Format("parquet", "Parquet", (".parquet",), opens_folders=True),
    "feather": Format("arrow_ipc", "ArrowFile", (".feather", ".arrow")),
    "jsonl": Format("json_lines", "JsonLines", (".jsonl",)),
    "arff": Format("arff", "Arff", (".arff",)),
    "svmlight": Format("svmlight", "Svmlight", (".svm", ".svmlight", ".txt")),
    "npz": Format("npz", "Npz", (".npz",)),
    "coco": Format("coco", "Coco", (".json",)),
    "labelstudio": Format("label_studio", "LabelStudio", (".json",)),
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
    """Open a file, a folder, a pattern of parquet files, or `-` for stdin.

    What comes from stdin or a pipe is copied to a temporary file, which is removed with the
    object returned.

    Parameters
    ----------
    path : str
        The file.
    format : str, default=None
        One of `FORMATS`; by default what the suffix says, for stdin csv.
    xml : Path, default=None
        Mulan's list of the labels of an ARFF file; by default the one beside it.

    Returns
    -------
    DataFile
        The open file.
    """
    found = Path(path)
    if path == "-":
        return _open_stream(sys.stdin.buffer, format or _FORMAT_OF_STREAMS, xml)
    if found.exists() and not found.is_file() and not found.is_dir():
        # A pipe, such as a shell makes of <(command), can be read only once.
        with found.open("rb") as stream:
            return _open_stream(stream, format or _FORMAT_OF_STREAMS, xml)
    is_pattern = not found.exists() and any(character in path for character in "*?[")
    if not found.exists() and not is_pattern:
        raise InputError(f"{path}: no such file. Check the name and the folder.")
    chosen = format or _choose_format(found, is_pattern)
    if (found.is_dir() or is_pattern) and not FORMATS[chosen].opens_folders:
        others = ", ".join(name for name, known in FORMATS.items() if known.opens_folders)
        raise InputError(
            f"{path}: is not one file, as the format {chosen} must be. "
            f"Name a file, or take one of {others}."
        )
    return _open(found, chosen, xml)


def find_format(path: Path) -> str | None:
    """Return the format that a suffix stands for, or None."""
    suffix = path.suffix.lower()
    return next((name for name, known in FORMATS.items() if suffix in known.suffixes), None)


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
        suffixes = [suffix for known in FORMATS.values() for suffix in known.suffixes]
        near = find_close(path.suffix, suffixes)
        hint = "" if near is None else f" Did you mean '{path.stem}{near}'?"
        raise InputError(
            f"{path}: the suffix {path.suffix!r} does not tell its format. "
            f"Say it with --format: {', '.join(FORMATS)}.{hint}"
        )
    return "labelstudio" if found == "coco" and _starts_list(path) else found


def _starts_list(path: Path) -> bool:
    """Tell whether a JSON file is a list; COCO is an object."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(1 << 10).removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"["


def _open(path: Path, format_name: str, xml: Path | None, shown: str | None = None) -> DataFile:
    if xml is not None and format_name != "arff":
        raise InputError(
            f"{path if shown is None else shown}: a list of labels in xml goes with ARFF files, "
            f"got one in the format {format_name}. Leave out --xml."
        )
    known = FORMATS[format_name]
    module = importlib.import_module(f"evenfold.files.formats.{known.module}")
    options = {} if xml is None else {"xml": xml}
    opened: DataFile = getattr(module, known.class_name)(path, shown, **options)
    return opened


def _open_stream(stream: BinaryIO, format_name: str, xml: Path | None) -> DataFile:
    known = FORMATS[format_name]
    if not known.suffixes or known.names_files:
        what = "names other files, so it" if known.suffixes else "is of folders, which"
        raise InputError(
            f"the format {format_name} {what} cannot come from a stream. Name the "
            f"{'file' if known.suffixes else 'folder'}."
        )
    folder = Path(tempfile.mkdtemp(prefix="evenfold-stdin-"))
    try:
        path = folder / f"stdin{known.suffixes[0]}"
        with path.open("wb") as copy:
            shutil.copyfileobj(stream, copy)
        opened = _open(path, format_name, xml, _STREAM_NAME)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    weakref.finalize(opened, shutil.rmtree, folder, ignore_errors=True)
    return opened
