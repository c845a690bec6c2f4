"""Which format a file is in, and opening it."""

from __future__ import annotations

import difflib
import importlib
import shutil
import sys
import tempfile
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple

from ..exceptions import InputError

if TYPE_CHECKING:
    from .datafile import DataFile


class Format(NamedTuple):
    """Where the class of a format is, imported when a file is opened, and the suffixes of its files; none for folders."""

    module: str
    class_name: str
    suffixes: tuple[str, ...]


FORMATS = {
    "csv": Format("delimited", "Csv", (".csv",)),
    "tsv": Format("delimited", "Tsv", (".tsv",)),
    "parquet": Format("parquet", "Parquet", (".parquet",)),
    "feather": Format("arrow_ipc", "ArrowFile", (".feather", ".arrow")),
    "jsonl": Format("json_lines", "JsonLines", (".jsonl",)),
    "arff": Format("arff", "Arff", (".arff",)),
    "svmlight": Format("svmlight", "Svmlight", (".svm", ".svmlight", ".txt")),
    "npz": Format("npz", "Npz", (".npz",)),
    "coco": Format("coco", "Coco", (".json",)),
    "huggingface": Format("hf_datasets", "HuggingFaceFolder", ()),
}
# What the temporary folder of what came from stdin or a pipe begins with.
SPOOL = "evenfold-stdin-"
_FOLDERS = ("parquet", "huggingface")


def open_data(path: str, format: str | None = None, xml: Path | None = None) -> DataFile:  # noqa: A002 - as --format
    """Open a file, a folder, a glob of parquet files, or `-` for stdin, which is kept in a temporary file as long as it is needed.

    Parameters
    ----------
    path : the file
    format : one of `FORMATS`; default what the suffix says, for stdin csv
    xml : Mulan's list of the labels of an ARFF file; default the one beside it
    """
    found = Path(path)
    if path == "-":
        return _open_stream(sys.stdin.buffer, format or "csv", xml)
    if found.exists() and not found.is_file() and not found.is_dir():
        # A pipe, such as a shell makes of <(command), gives its rows only once.
        with found.open("rb") as stream:
            return _open_stream(stream, format or "csv", xml)
    is_glob = not found.exists() and any(character in path for character in "*?[")
    if not found.exists() and not is_glob:
        raise InputError(f"{path}: no such file. Check the name and the folder.")
    chosen = format or _find_format(found, is_glob)
    if (found.is_dir() or is_glob) and chosen not in _FOLDERS:
        raise InputError(
            f"{path}: is not one file, as the format {chosen} must be. Name a file, or take one of {', '.join(_FOLDERS)}."
        )
    return _open(found, chosen, xml)


def find_format(path: Path) -> str | None:
    """Return the format that a suffix stands for, or None."""
    return next(
        (name for name, known in FORMATS.items() if path.suffix.lower() in known.suffixes), None
    )


def _find_format(path: Path, is_glob: bool) -> str:
    if path.is_dir() or is_glob:
        return "huggingface" if (path / "state.json").exists() else "parquet"
    found = find_format(path)
    if found is None:
        suffixes = [suffix for known in FORMATS.values() for suffix in known.suffixes]
        near = difflib.get_close_matches(path.suffix, suffixes, n=1)
        hint = f" Did you mean '{path.stem}{near[0]}'?" if near else ""
        raise InputError(
            f"{path}: the suffix {path.suffix!r} does not tell its format. Say it with --format: {', '.join(FORMATS)}.{hint}"
        )
    return found


def _open(path: Path, name: str, xml: Path | None) -> DataFile:
    if xml is not None and name != "arff":
        raise InputError(
            f"{path}: a list of labels in xml goes with ARFF files, got one in the format {name}. Leave out --xml."
        )
    module = importlib.import_module(f"evenfold.files.formats.{FORMATS[name].module}")
    opened: DataFile = getattr(module, FORMATS[name].class_name)(
        path, *([] if xml is None else [xml])
    )
    return opened


def _open_stream(stream: BinaryIO, name: str, xml: Path | None) -> DataFile:
    known = FORMATS[name]
    if not known.suffixes:
        raise InputError(
            f"the format {name} is of folders, which cannot come from a stream. Name the folder."
        )
    folder = Path(tempfile.mkdtemp(prefix=SPOOL))
    try:
        path = folder / f"stdin{known.suffixes[0]}"
        with path.open("wb") as spool:
            shutil.copyfileobj(stream, spool)
        opened = _open(path, name, xml)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    weakref.finalize(opened, shutil.rmtree, folder, ignore_errors=True)
    return opened
