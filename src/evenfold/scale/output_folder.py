"""The folder of the output: names of its files, what may be in it, and its work folder."""

from __future__ import annotations

import glob
import hashlib
import json
import os
import posixpath
import re
import shutil
from collections.abc import Collection, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from .. import __version__
from .._checks.values import show_some
from .._tables.numbers import show_count
from ..exceptions import InputError
from .locations import exists, is_local, join_path, open_file_system, stamp_file, write_whole
from .manifest import MANIFEST, has_manifest, read_manifest

_WORK = ".evenfold-work-"
# Beside the work folder of a run: the list of the files that it writes, and new files of `extend`.
_NOTE, _STAGE = "-files.json", "-new"
_MAX_NAMES_SHOWN = 3
# Names that `locations.write_whole` gives to files while it writes them.
_TEMPORARY = re.compile(r"\..*\.[0-9a-f]{12}\.tmp")


def digest_run(settings: Mapping[str, Any], paths: Sequence[str]) -> str:
    """Return the SHA-256 of settings and input files, by which a second run finds the first.

    Parameters
    ----------
    settings : mapping of str to Any
        What the split depends on, fit for JSON. Not the engine or the number of workers.
    paths : sequence of str
        The input files. Their sizes and times of change, or ETags, are part of the digest.

    Returns
    -------
    str
        64 hexadecimal digits.
    """
    record = [__version__, settings, [[path, *stamp_file(path)] for path in paths]]
    return hashlib.sha256(json.dumps(record, default=str).encode()).hexdigest()


def digest_files(paths: Sequence[str]) -> list[str]:
    """Return a digest of the path, the size and the stamp of each file, without reading it."""
    stamped = [json.dumps([path, *stamp_file(path)]) for path in paths]
    return [hashlib.sha256(own.encode()).hexdigest()[:16] for own in stamped]


def name_work_folder(folder: str, run: str, output: str | None = None) -> str:
    """Return the path of the work folder of a run.

    Parameters
    ----------
    folder : str
        The folder that it is in: that of the output, or another one.
    run : str
        The digest of the run.
    output : str, default=None
        The output folder, if `folder` is another one. It may have work folders of other outputs.

    Returns
    -------
    str
        The path.
    """
    if output is not None:
        run = hashlib.sha256(f"{run} {_normalise(output)}".encode()).hexdigest()
    return join_path(folder, f"{_WORK}{run[:12]}")


def name_stage(output: str, work: str) -> str:
    """Return the folder, hidden in the output, for new files until the manifest is written."""
    return join_path(output, posixpath.basename(work) + _STAGE)


def note_targets(output: str, names: Sequence[str], work: str) -> None:
    """Note in the output folder which files a run writes, in case that it is killed.

    Parameters
    ----------
    output : str
        The folder.
    names : sequence of str
        The files.
    work : str
        The work folder of the run.
    """
    text = json.dumps(list(names))
    note = join_path(output, posixpath.basename(work) + _NOTE)
    write_whole(note, lambda file: file.write(text.encode()))


def move_files(source: str, target: str, names: Sequence[str]) -> None:
    """Move files from one folder of this machine to another, and remove the first."""
    for name in names:
        path = Path(target, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        Path(source, name).replace(path)
    shutil.rmtree(source)


def name_outputs(paths: Sequence[str], taken: Collection[str] = ()) -> list[str]:
    """Return the path within the output folder of each input file.

    Parameters
    ----------
    paths : sequence of str
        The input files.
    taken : collection of str, default=()
        Paths that are in the output folder already, such as those of earlier rows.

    Returns
    -------
    list of str
        The paths relative to the common folder of the input: `data/a.parquet` and
        `data/b/c.parquet` become `a.parquet` and `b/c.parquet`. If one of them is taken, all are
        in a new folder with the name of the common folder, and a number if need be.
    """
    inner = [_normalise(path) for path in paths]
    try:
        common = posixpath.commonpath([posixpath.dirname(path) for path in inner])
    except ValueError:  # on different drives
        common = ""
    names = [posixpath.relpath(path, common) if common else _drop_root(path) for path in inner]
    if len(set(names)) < len(names):  # on different file systems
        names = [f"{number:05d}-{posixpath.basename(path)}" for number, path in enumerate(inner)]
    taken = set(taken)
    folder, number = "", 1
    while not taken.isdisjoint(posixpath.join(folder, name) for name in names):
        base = posixpath.basename(common) or "more"
        folder = base if number == 1 else f"{base}-{number}"
        number += 1
    return [posixpath.join(folder, name) for name in names]


def check_output(
    output: str,
    data: Any,
    paths: Sequence[str],
    names: Sequence[str],
    work: str | None = None,
    force: bool = False,
) -> None:
    """Check that a split may be written into a folder.

    Parameters
    ----------
    output : str
        The folder: a path or a URL.
    data : Any
        The input as the user named it. No output is written where a second run would read it.
    paths : sequence of str
        The input files.
    names : sequence of str
        The files that will be written, from `name_outputs`.
    work : str, default=None
        The work folder of this run. If it is there, the files were written by an earlier attempt.
    force : bool, default=False
        Whether the files of an earlier split may be replaced.

    Raises
    ------
    InputError
        If the folder is a file, if a second run would read it, if the input is in it, or if it has
        other files.
    """
    own = _normalise(output)
    targets = [own, *(f"{own}/{name}" for name in names)]
    for source in _list_given(data):
        if _protocol(source) == _protocol(output) and _would_read(source, targets):
            raise InputError(
                f"must be outside the data, got {output}, which {source} would read the next time. "
                "Name another folder.",
                parameter="output",
            )
    for path in paths:
        if _is_within(_normalise(path), own) and _protocol(path) == _protocol(output):
            raise InputError(
                f"must be a folder without the input, got {output}, which holds {path}. "
                "Name another folder.",
                parameter="output",
            )
    file_system, inner = open_file_system(output)
    if file_system.isfile(inner):
        raise InputError(
            f"must be a folder, got {output}, which is a file. Name another folder.",
            parameter="output",
        )
    others = _find_others(output, names, work, force)
    if others and not force:
        has = f"{show_count(len(others), 'file')}: {show_some(others, _MAX_NAMES_SHOWN)}"
        if any(name.startswith(_WORK) for name in others) and not has_manifest(output):
            has = "an unfinished split of other data or settings"
        raise InputError(
            f"must be a folder without other files, got {output}, which has {has}. "
            "Name another folder, or replace the split in it with force=True.",
            parameter="output",
        )
    others = [name for name in others if name.endswith(".parquet")]
    if others:
        raise InputError(
            f"must be a folder without other Parquet files, which would be read with the split, "
            f"got {output}, which has {show_some(others, _MAX_NAMES_SHOWN)}. "
            "Name another folder, or remove them.",
            parameter="output",
        )


def clear_output(
    output: str, names: Sequence[str], work: str | None = None, kept: Sequence[str] | None = None
) -> None:
    """Remove what an earlier split left in the folder, before new files are written.

    Its manifest goes first: from then on, the folder holds no finished split. Files that this
    split does not replace, those of runs that did not finish, other work folders and temporary
    files follow.

    Parameters
    ----------
    output : str
        The folder.
    names : sequence of str
        The files that will be written.
    work : str, default=None
        The work folder of this run, which is kept.
    kept : sequence of str, default=None
        The files of the split that is extended, which stays as it is.
    """
    stale = _list_begun(output)
    if kept is not None:
        stale -= set(kept)
    elif has_manifest(output):
        remove_outputs(output, [MANIFEST, *sorted(set(_list_earlier(output)) - set(names))])
    remove_outputs(output, sorted(stale - set(names)))
    remove_left_over(output, work)


def remove_work(output: str, work: str) -> None:
    """Remove what else a run keeps in the output folder beside its work folder.

    Parameters
    ----------
    output : str
        The folder.
    work : str
        The work folder of the run.
    """
    own = posixpath.basename(work)
    remove_outputs(output, [name for name in list_content(output) if name.startswith(own)])


def remove_left_over(output: str, work: str | None = None) -> None:
    """Remove files that processes were writing when they were killed, and work folders.

    Parameters
    ----------
    output : str
        The folder.
    work : str, default=None
        The work folder of this run, which is kept.
    """
    remove_outputs(output, [name for name in list_content(output, work) if _is_left_over(name)])


def remove_outputs(output: str, names: Sequence[str]) -> None:
    """Remove files from the output folder, and the folders that are then empty.

    Parameters
    ----------
    output : str
        The folder.
    names : sequence of str
        The files, such as those of a split that failed. They need not be there.
    """
    for name in names:
        file_system, path = open_file_system(join_path(output, name))
        if file_system.isfile(path):
            file_system.rm_file(path)
    if is_local(output):  # an object store has no folders
        _remove_empty_folders(output, names)


def list_content(output: str, work: str | None = None) -> list[str]:
    """Return the paths of all files in the output folder, without those of a run's own work."""
    file_system, inner = open_file_system(output)
    file_system.invalidate_cache()
    names = [posixpath.relpath(path, inner) for path in sorted(file_system.find(inner))]
    if work is None:
        return names
    within, own = posixpath.relpath(_normalise(work), _normalise(output)), posixpath.basename(work)
    return [name for name in names if not _is_within(name, within) and not name.startswith(own)]


def _find_others(output: str, names: Sequence[str], work: str | None, force: bool) -> list[str]:
    """Return the files of the folder that neither this run nor, with force, another has written."""
    allowed = set()
    if force or (work is not None and exists(work)):
        allowed |= {*names, *_list_begun(output)}
    if force:
        allowed |= {MANIFEST, *(_list_earlier(output) if has_manifest(output) else ())}
    return [
        name
        for name in list_content(output, work)
        if name not in allowed and not (allowed and _is_left_over(name))
    ]


def _list_earlier(output: str) -> list[str]:
    """Return the files of the split that is in the folder; none if its manifest is damaged."""
    try:
        return [file.path for file in read_manifest(output).files]
    except InputError:
        return []


def _list_begun(output: str) -> set[str]:
    """Return the files that runs wrote, or were to write, that have not ended."""
    begun: set[str] = set()
    for name in list_content(output):
        if name.startswith(_WORK) and name.endswith(_NOTE) and "/" not in name:
            file_system, path = open_file_system(join_path(output, name))
            begun.update(map(str, json.loads(file_system.cat_file(path))))
    return begun


def _is_left_over(name: str) -> bool:
    """Tell whether a file is of a work folder, or one that was being written."""
    return name.startswith(_WORK) or bool(_TEMPORARY.fullmatch(posixpath.basename(name)))


def _remove_empty_folders(output: str, names: Sequence[str]) -> None:
    inner = Path(open_file_system(output)[1])
    for name in names:
        for folder in (inner / name).parents:
            if not folder.is_relative_to(inner):
                break
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()


def _list_given(data: Any) -> list[str]:
    """Return the paths and patterns that the user named; none if it is a frame."""
    named = [data] if isinstance(data, str | os.PathLike) else data
    if not isinstance(named, list | tuple):
        return []
    return [os.fspath(each) for each in named if isinstance(each, str | os.PathLike)]


def _would_read(source: str, targets: Sequence[str]) -> bool:
    """Tell whether a folder or pattern that is read includes one of the targets."""
    file_system, inner = open_file_system(source)
    if file_system.isdir(inner):
        return _is_within(targets[0], _normalise(source))
    if not glob.has_magic(inner):
        return False
    if "**" in inner:
        return _is_within(targets[0], _normalise(posixpath.dirname(source.partition("**")[0])))
    fixed = inner[: min(inner.index(sign) for sign in "*?[" if sign in inner)].rpartition("/")[0]
    pattern = (_normalise(fixed) if is_local(source) else fixed) + inner[len(fixed) :]
    return any(_matches(target, pattern) for target in targets)


def _matches(path: str, pattern: str) -> bool:
    """Tell whether a pattern matches a path, name by name."""
    names, patterns = path.split("/"), pattern.split("/")
    return len(names) == len(patterns) and all(map(fnmatchcase, names, patterns))


def _normalise(path: str) -> str:
    """Return a path by which files of one file system can be compared."""
    _, inner = open_file_system(path)
    if is_local(path):
        return os.path.realpath(inner).replace(os.sep, "/")
    return inner.rstrip("/")


def _drop_root(path: str) -> str:
    """Return a path that is below the folder it is put into; a drive becomes a folder."""
    return re.sub(r"^([A-Za-z]):/", r"\1/", path).lstrip("/")


def _protocol(path: str) -> str:
    return "" if is_local(path) else path.partition("://")[0]


def _is_within(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder.rstrip('/')}/")
