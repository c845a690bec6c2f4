"""Writing files and folders completely or not at all."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

# More files than this are written to the disk all together, not one after the other.
_MANY_FILES = 1000


@contextmanager
def staged(
    targets: Sequence[Path], *, force: bool = False, inputs: Sequence[Path] = ()
) -> Iterator[list[Path]]:
    """Give a temporary path for each target; rename all to their targets when the block ends.

    If the block or a renaming fails, no target is changed. A temporary path has the name of its
    target and is in a new folder beside it. Other files that are written into that folder, such as
    a list of labels, are moved beside the target too. The folder is removed unless the process is
    killed.

    Parameters
    ----------
    targets : sequence of Path
        Files, or folders that are written as a whole.
    force : bool, default=False
        Whether existing files and folders may be replaced.
    inputs : sequence of Path, default=()
        Files and folders that must not be written.

    Yields
    ------
    list of Path
        The temporary path of each target.
    """
    finals = [check_target(target, force=force, inputs=inputs) for target in targets]
    folders: list[Path] = []
    try:
        for final in finals:
            folders.append(
                Path(tempfile.mkdtemp(dir=final.parent, prefix=f".{final.name[:100]}.evenfold-"))
            )
        yield [folder / final.name for folder, final in zip(folders, finals, strict=True)]
        moves = [
            (new, final.parent / new.name)
            for folder, final in zip(folders, finals, strict=True)
            for new in sorted(folder.iterdir())
        ]
        for new, final in moves:
            check_target(final, force=force, inputs=inputs)
            _flush_to_disk(new)
        _rename_all(moves)
    finally:
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)


def check_target(target: Path, *, force: bool = False, inputs: Sequence[Path] = ()) -> Path:
    """Check that a path may be written.

    Parameters
    ----------
    target : Path
        The file or folder to write.
    force : bool, default=False
        Whether an existing file or folder may be replaced.
    inputs : sequence of Path, default=()
        Files and folders that must not be written.

    Returns
    -------
    Path
        The path with links followed.

    Raises
    ------
    OSError
        If its folder does not exist or cannot be written, if it is one of the inputs, if it exists
        and `force` is false, or if it is a device or a pipe, which renaming would replace.
    """
    final = target.resolve()
    if not final.parent.is_dir():
        raise FileNotFoundError(f"{target}: there is no folder {target.parent}. Make it first.")
    if not os.access(final.parent, os.W_OK | os.X_OK):
        raise PermissionError(
            f"{target}: nothing may be written into the folder {target.parent}. "
            "Name another output, or change its permissions."
        )
    if any(_would_change(source, final) for source in inputs):
        raise FileExistsError(
            f"{target}: is the input, which is never written. Name another output."
        )
    if not final.exists():
        return final
    if not final.is_file() and not final.is_dir():
        raise OSError(errno.EINVAL, "not a regular file", str(target))
    if not force:
        raise FileExistsError(
            f"{target}: exists already. Name another file, or add --force to overwrite it."
        )
    return final


def write_whole(path: Path, content: bytes) -> None:
    """Write a file completely or not at all; replace an existing one."""
    with staged([path], force=True) as [temporary]:
        temporary.write_bytes(content)


def _would_change(source: Path, final: Path) -> bool:
    """Tell whether writing to `final` changes `source`.

    It does if both are the same file, if one is a link to the other, or if one is a folder with the
    other in it.
    """
    source = source.resolve()
    return (
        source == final
        or (source.is_dir() and source in final.parents)
        or (final.is_dir() and final in source.parents)
        or (final.exists() and source.exists() and final.samefile(source))
    )


def _flush_to_disk(path: Path) -> None:
    """Write buffered content to the disk, before the renaming makes it visible."""
    files = [path] if path.is_file() else [own for own in path.rglob("*") if own.is_file()]
    # A hard link to an input is not opened for writing.
    files = [file for file in files if file.stat().st_nlink == 1]
    if len(files) > _MANY_FILES and hasattr(os, "sync"):
        os.sync()
        return
    for file in files:
        with file.open("r+b") as opened:
            os.fsync(opened.fileno())


class _Move(NamedTuple):
    """A renaming that has begun.

    Attributes
    ----------
    new : Path
        The temporary path.
    final : Path
        The target.
    backup : Path or None
        Where the old target is kept until all are renamed; None if there was none.
    """

    new: Path
    final: Path
    backup: Path | None


def _rename_all(moves: Sequence[tuple[Path, Path]]) -> None:
    """Rename each temporary path to its target; if one fails, undo all."""
    begun: list[_Move] = []
    try:
        for number, (new, final) in enumerate(moves):
            if final.is_dir() != new.is_dir() and final.exists():
                raise FileExistsError(
                    f"{final}: is {'a folder' if final.is_dir() else 'a file'}, "
                    "and the output is not. Name another output."
                )
            backup = None
            if os.path.lexists(final):
                backup = final.with_name(f"{new.parent.name}-old{number}")
            begun.append(_Move(new, final, backup))
            if backup is not None:
                _make_backup(final, backup)
            new.replace(final)
    except BaseException:
        for move in reversed(begun):
            _undo(move)
        raise
    for move in begun:
        if move.backup is not None:
            _remove(move.backup)


def _make_backup(final: Path, backup: Path) -> None:
    """Give the old target another name.

    With hard links a file keeps its own name too, so that it is never missing.
    """
    try:
        os.link(final, backup, follow_symlinks=False)
    except (OSError, NotImplementedError):
        final.replace(backup)


def _undo(move: _Move) -> None:
    """Restore a target, however far its renaming has come."""
    if move.backup is None:
        # If the temporary path still exists, it was not renamed, and the target is not ours.
        if not os.path.lexists(move.new):
            _remove(move.final)
    elif os.path.lexists(move.backup):
        if move.final.is_dir():
            _remove(move.final)
        move.backup.replace(move.final)
        # If both are names of the same file, renaming one to the other leaves both.
        move.backup.unlink(missing_ok=True)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
