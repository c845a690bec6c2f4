"""Writing files and folders whole or not at all."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple


@contextmanager
def staged(
    targets: Sequence[Path], *, force: bool = False, inputs: Sequence[Path] = ()
) -> Iterator[list[Path]]:
    """Give a path to write each target to; when the block ends all take their places, and where it fails none does.

    Such a path has the name of its target, in a folder of its own beside it. What else is written into that folder, a list of labels
    that goes with its data for one, takes its place beside the target. Only a killed process leaves such a folder behind.

    Parameters
    ----------
    targets : files, or folders that are written as a whole
    force : whether what is there already may be replaced
    inputs : what must not be written
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
        for new, place in moves:
            check_target(place, force=force, inputs=inputs)
            _flush(new)
        _put_in_place(moves)
    finally:
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)


def check_target(target: Path, *, force: bool = False, inputs: Sequence[Path] = ()) -> Path:
    """Return where a target really is, links followed; refuse what must not be replaced.

    What is there and neither file nor folder (a device, a pipe) is refused too, for renaming would take its place.
    """
    final = target.resolve()
    if not final.parent.is_dir():
        raise FileNotFoundError(f"{target}: there is no folder {target.parent}. Make it first.")
    if not os.access(final.parent, os.W_OK | os.X_OK):
        raise PermissionError(
            f"{target}: nothing may be written into the folder {target.parent}. Name another output, or change its permissions."
        )
    if any(_is_within(final, source) for source in inputs):
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
    """Write a file, over the old one if there is one."""
    with staged([path], force=True) as [part]:
        part.write_bytes(content)


def _is_within(final: Path, source: Path) -> bool:
    """Tell whether writing to a path would change a source: itself, another name of it, or what it is a folder of."""
    source = source.resolve()
    return (
        source == final
        or (source.is_dir() and source in final.parents)
        or (final.exists() and source.exists() and final.samefile(source))
    )


def _flush(path: Path) -> None:
    """Have the disk keep what was written, before the name says that it is there."""
    for file in [path] if path.is_file() else filter(Path.is_file, path.rglob("*")):
        with file.open("r+b") as opened:
            os.fsync(opened.fileno())


class _Move(NamedTuple):
    """What is written and where it goes; `aside`: where what is there stays until all have their places, None where nothing is."""

    new: Path
    place: Path
    aside: Path | None


def _put_in_place(moves: Sequence[tuple[Path, Path]]) -> None:
    """Rename each; whatever stops that, all that was there before is put back, and what was not is taken away."""
    begun: list[_Move] = []
    try:
        for number, (new, place) in enumerate(moves):
            if place.is_dir() != new.is_dir() and place.exists():
                raise FileExistsError(
                    f"{place}: is {'a folder' if place.is_dir() else 'a file'}, and the output is not. Name another output."
                )
            aside = (
                place.with_name(f"{new.parent.name}-old{number}")
                if os.path.lexists(place)
                else None
            )
            begun.append(_Move(new, place, aside))
            if aside is not None:
                _keep(place, aside)
            new.replace(place)
    except BaseException:
        for move in reversed(begun):
            _take_back(move)
        raise
    for move in begun:
        if move.aside is not None:
            _remove(move.aside)


def _keep(place: Path, aside: Path) -> None:
    """Give what is there another name; a file keeps its own too until it is replaced, where the file system has hard links."""
    try:
        os.link(place, aside, follow_symlinks=False)
    except (OSError, NotImplementedError):
        place.replace(aside)


def _take_back(move: _Move) -> None:
    """Leave a place as it was, however far the move has come."""
    if move.aside is None:
        # Still there: it has not been moved, and what stands in its place came from elsewhere.
        if not os.path.lexists(move.new):
            _remove(move.place)
    elif os.path.lexists(move.aside):
        if move.place.is_dir():
            _remove(move.place)
        move.aside.replace(move.place)
        # Renaming one name of a file to another of the same file leaves both.
        move.aside.unlink(missing_ok=True)


def _remove(path: Path) -> None:
    shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink(missing_ok=True)
