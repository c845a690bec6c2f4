"""Writing files and folders whole or not at all."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def staged(targets: Sequence[Path], *, force: bool = False, inputs: Sequence[Path] = ()) -> Iterator[list[Path]]:
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
            folders.append(Path(tempfile.mkdtemp(dir=final.parent, prefix=f".{final.name[:100]}.evenfold-")))
        yield [folder / final.name for folder, final in zip(folders, finals, strict=True)]
        moves = [(new, final.parent / new.name) for folder, final in zip(folders, finals, strict=True) for new in sorted(folder.iterdir())]
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
    if any(_is_within(final, source) for source in inputs):
        raise FileExistsError(f"{target}: is the input, which is never written. Name another output.")
    if not final.exists():
        return final
    if not final.is_file() and not final.is_dir():
        raise OSError(errno.EINVAL, "not a regular file", str(target))
    if not force:
        raise FileExistsError(f"{target}: exists already. Name another file, or add --force to overwrite it.")
    return final


def write_whole(path: Path, content: bytes) -> None:
    """Write a file, over the old one if there is one."""
    with staged([path], force=True) as [part]:
        part.write_bytes(content)


def _is_within(final: Path, source: Path) -> bool:
    """Tell whether writing to a path would change a source: itself, another name of it, or what it is a folder of."""
    source = source.resolve()
    return source == final or (source.is_dir() and source in final.parents) or (final.exists() and source.exists() and final.samefile(source))


def _flush(path: Path) -> None:
    """Have the disk keep what was written, before the name says that it is there."""
    for file in [path] if path.is_file() else filter(Path.is_file, path.rglob("*")):
        with file.open("r+b") as opened:
            os.fsync(opened.fileno())


def _put_in_place(moves: Sequence[tuple[Path, Path]]) -> None:
    """Rename each; where one fails, take away those that were not there before."""
    made: list[Path] = []
    try:
        for new, place in moves:
            if place.is_dir() != new.is_dir() and place.exists():
                raise FileExistsError(f"{place}: is {'a folder' if place.is_dir() else 'a file'}, and the output is not. Name another output.")
            if place.is_dir():
                _swap(new, place)
                continue
            if not place.exists():
                made.append(place)
            new.replace(place)
    except BaseException:
        for place in made:
            shutil.rmtree(place) if place.is_dir() else place.unlink(missing_ok=True)
        raise


def _swap(new: Path, place: Path) -> None:
    """Put a folder where another is, which is removed only when it has been replaced."""
    old = place.with_name(f"{new.parent.name}-old")
    place.rename(old)
    try:
        new.rename(place)
    except BaseException:
        old.rename(place)
        raise
    shutil.rmtree(old)
