"""Paths on any file system that fsspec knows: which files there are, and writing them whole."""

from __future__ import annotations

import glob
import os
import posixpath
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple
from uuid import uuid4

from ..exceptions import InputError, InputTypeError

if TYPE_CHECKING:
    import fsspec

_SUFFIX = ".parquet"
# Spark and Hive keep their own files beside the data, under names that begin so.
_HIDDEN = (".", "_")
_DELTA_LOG = "_delta_log"
# File systems other than the local one on which a file can be renamed at once.
_WITH_RENAME = frozenset({"hdfs", "webhdfs", "arrow_hdfs", "sftp", "ssh", "smb"})
# What tells one version of a file from another, by file system; the first that is known is taken.
_STAMPS = ("ETag", "etag", "mtime", "LastModified", "last_modified", "updated", "created")


def list_files(data: str | os.PathLike[str] | Sequence[Any]) -> list[str]:
    """Return the files of partitioned data.

    Parameters
    ----------
    data : str, path or sequence of these
        A file, a folder of Parquet files, a pattern such as `data/*.parquet`, or a URL of one of
        these, such as `s3://bucket/data`.

    Returns
    -------
    list of str
        Absolute paths, or URLs. The files of one folder or pattern are sorted, those of a sequence
        are in its order.

    Raises
    ------
    InputError, InputTypeError
        If there is no such file, or if a file is named twice.

    Notes
    -----
    Files and folders within a folder or pattern are skipped if their names begin with . or _.
    """
    return [file.path for file in find_files(data)]


class FoundFile(NamedTuple):
    """A file of partitioned data.

    Attributes
    ----------
    path : str
        Its absolute path, or its URL.
    folder : str
        The folder that it is in, below the folder that the user named.
    """

    path: str
    folder: str


def find_files(data: str | os.PathLike[str] | Sequence[Any]) -> list[FoundFile]:
    """Return the files of partitioned data as `list_files` does, with their folders."""
    if isinstance(data, str | os.PathLike):
        files = _find_files(_to_text(data))
    elif isinstance(data, Sequence) and not isinstance(data, bytes | bytearray):
        if not data:
            raise InputError(
                "must name at least one file, got none. Check the pattern.", parameter="data"
            )
        files = [file for each in data for file in _find_files(_to_text(each))]
    else:
        raise InputTypeError(
            f"must be a path, a pattern or a list of these, got {type(data).__name__}. "
            "Try data='folder/*.parquet'.",
            parameter="data",
        )
    n_times_of = Counter(file.path for file in files)
    repeated = [path for path, n_times in n_times_of.items() if n_times > 1]
    if repeated:
        raise InputError(
            f"must name each file once, got {repeated[0]} more than once. "
            "Leave out what is in another folder or pattern already.",
            parameter="data",
        )
    return files


def open_file_system(path: str) -> tuple[fsspec.AbstractFileSystem, str]:
    """Return the file system of a path or URL, and the path within it.

    Parameters
    ----------
    path : str
        A path or a URL.

    Returns
    -------
    fsspec.AbstractFileSystem
        The file system.
    str
        The path as this file system names it.

    Raises
    ------
    InputError
        If the file system is not known, or its package is not installed.
    """
    import fsspec

    try:
        file_system, inner = fsspec.core.url_to_fs(path)
    except (ImportError, ValueError) as error:
        raise InputError(f"{path}: cannot be reached: {error}. Check the URL.") from error
    return file_system, str(inner)


def is_local(path: str) -> bool:
    """Tell whether a path is on this machine or on a folder mounted by it."""
    return "://" not in path or path.startswith(("file://", "local://"))


def join_path(folder: str, *names: str) -> str:
    """Return the path of a file in a folder, with slashes on every file system, also on Windows."""
    if "://" in folder:
        return posixpath.join(folder, *names)
    return Path(folder, *names).as_posix()


def to_absolute(path: str) -> str:
    """Return a path that means the same on every worker; a URL as it is."""
    return open_file_system(path)[1] if is_local(path) else path


def exists(path: str) -> bool:
    """Tell whether there is a file or a folder."""
    file_system, inner = open_file_system(path)
    return bool(file_system.exists(inner))


def stamp_file(path: str) -> tuple[int, str]:
    """Return the size of a file, and what tells its versions apart: a time or an ETag.

    Parameters
    ----------
    path : str
        A path or a URL.

    Returns
    -------
    int
        Its size in bytes.
    str
        The time or ETag; empty where the file system knows none.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    """
    file_system, inner = open_file_system(path)
    info = file_system.info(inner)
    return info["size"], next((str(info[stamp]) for stamp in _STAMPS if info.get(stamp)), "")


def write_whole(path: str, write: Callable[[BinaryIO], object]) -> None:
    """Write a file completely or not at all; replace an existing one.

    Parameters
    ----------
    path : str
        A path or a URL. Its folder is made if there is none.
    write : callable
        Writes the content to the open file that it gets.

    Notes
    -----
    On file systems that can rename, the content is written under a temporary name in the same
    folder. On object stores it is first written on this machine and then stored under its key.
    """
    file_system, inner = open_file_system(path)
    if is_local(path):
        _write_local(Path(inner), write)
        return
    with tempfile.TemporaryDirectory(prefix="evenfold-") as folder:
        source = Path(folder, "content")
        with source.open("wb") as file:
            write(file)
        file_system.makedirs(posixpath.dirname(inner), exist_ok=True)
        if _can_rename(file_system):
            _put_and_rename(file_system, str(source), inner)
        else:
            # A file that is opened to write would become an object also where copying fails.
            file_system.put_file(str(source), inner)


def restore_whole(path: str) -> None:
    """Bring back a file that was being replaced when a process was killed.

    Parameters
    ----------
    path : str
        A path or a URL. If the file is there, or was never there, nothing is done.
    """
    file_system, inner = open_file_system(path)
    if is_local(path) or not _can_rename(file_system) or file_system.exists(inner):
        return
    if file_system.exists(_name_aside(inner)):
        file_system.mv(_name_aside(inner), inner)


def _can_rename(file_system: Any) -> bool:
    protocol = file_system.protocol
    protocols = {protocol} if isinstance(protocol, str) else set(protocol)
    return not protocols.isdisjoint(_WITH_RENAME)


def _write_local(path: Path, write: Callable[[BinaryIO], object]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(_make_temporary_name(path.name))
    try:
        with temporary.open("wb") as file:
            write(file)
            file.flush()
            # The name must not be on the disk before the content.
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _put_and_rename(file_system: Any, source: str, path: str) -> None:
    folder, name = posixpath.split(path)
    temporary, aside = posixpath.join(folder, _make_temporary_name(name)), _name_aside(path)
    try:
        file_system.put_file(source, temporary)
        # These file systems refuse to rename onto an existing file. The old one is kept under
        # another name until the new one is there, so that it can be restored.
        if file_system.exists(path):
            if file_system.exists(aside):
                file_system.rm_file(aside)
            file_system.mv(path, aside)
        file_system.mv(temporary, path)
    except BaseException:
        with suppress(Exception):
            file_system.rm_file(temporary)
        with suppress(Exception):
            if not file_system.exists(path):
                file_system.mv(aside, path)
        raise
    if file_system.exists(aside):
        file_system.rm_file(aside)


def _name_aside(path: str) -> str:
    """Return the name of a file while another one takes its place; `list_files` skips it."""
    folder, name = posixpath.split(path)
    return posixpath.join(folder, f".{name}.old")


def _make_temporary_name(name: str) -> str:
    """Return a name that no other writer has and that `list_files` skips."""
    return f".{name[:100]}.{uuid4().hex[:12]}.tmp"


def _to_text(path: Any) -> str:
    if not isinstance(path, str | os.PathLike):
        raise InputTypeError(
            f"must hold paths, got {path!r}, a {type(path).__name__}. "
            "Try data=['a.parquet', 'b.parquet'].",
            parameter="data",
        )
    return os.fspath(path)


def _find_files(given: str) -> list[FoundFile]:
    """Return the files that one path, folder, pattern or URL stands for, sorted."""
    if not given:
        raise InputError("must name files, got ''. Try data='folder/*.parquet'.", parameter="data")
    file_system, path = open_file_system(given)
    to_name = str if is_local(given) else file_system.unstrip_protocol
    if file_system.isfile(path):
        return [FoundFile(to_name(path), "")]
    base = path
    if file_system.isdir(path):
        found = _find_in_folder(file_system, path)
        if not found:
            raise InputError(
                f"must name Parquet files, got the folder {given}, which has no *{_SUFFIX} file. "
                "Name the folder that holds them.",
                parameter="data",
            )
    elif not glob.has_magic(path):
        raise InputError(
            f"must name files that are there, got {given}, which is not. Check the path.",
            parameter="data",
        )
    else:
        base = _find_base(path)
        found = _match_pattern(file_system, path)
        if not found:
            raise InputError(
                f"must name files that are there, got {given}, which matches none. "
                "Check the pattern.",
                parameter="data",
            )
    return [
        FoundFile(to_name(name), posixpath.dirname(posixpath.relpath(name, base or "/")))
        for name in sorted(found)
    ]


def _find_base(pattern: str) -> str:
    """Return the folder in which a pattern begins to match."""
    fixed = pattern[: min(pattern.index(sign) for sign in "*?[" if sign in pattern)]
    return fixed.rpartition("/")[0]


def _match_pattern(file_system: Any, pattern: str) -> list[str]:
    """Return the files that a pattern matches, and those in the folders that it matches."""
    base = _find_base(pattern)
    matched = [
        path
        for path in file_system.glob(pattern)
        if not _is_hidden(path, base) or pattern.rpartition("/")[2].startswith(_HIDDEN)
    ]
    files = {path for path in matched if file_system.isfile(path)}
    for folder in matched:
        if folder not in files:
            files.update(_find_in_folder(file_system, folder))
    return list(files)


def _find_in_folder(file_system: Any, folder: str) -> list[str]:
    if file_system.isdir(posixpath.join(folder, _DELTA_LOG)):
        raise InputError(
            f"must name Parquet files, got {folder}, which is a Delta table: its folder also has "
            "files of rows that were deleted. Pass it as a DataFrame, or write it as Parquet.",
            parameter="data",
        )
    return [
        path
        for path in file_system.find(folder)
        if path.endswith(_SUFFIX) and not _is_hidden(path, folder)
    ]


def _is_hidden(path: str, folder: str) -> bool:
    inner = path[len(folder) :] if path.startswith(folder) else path
    return any(name.startswith(_HIDDEN) for name in inner.split("/"))
