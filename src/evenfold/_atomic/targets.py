"""Targets: which paths may be written."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from pathlib import Path


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
        If its folder does not exist or cannot be written, if it is in a loop of links, if it is one
        of the inputs, if it exists and `force` is false, or if it is a device or a pipe, which
        renaming would replace.
    """
    final = follow_links(target)
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
        raise exists_already(target)
    return final


def follow_links(target: Path) -> Path:
    """Return a path with links followed; a loop of links is an `OSError`."""
    try:
        return target.resolve()
    except RuntimeError:  # before Python 3.13
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(target)) from None


def exists_already(target: Path) -> FileExistsError:
    """Return the error about a target that is there and may not be replaced."""
    return FileExistsError(
        f"{target}: exists already. Name another file, or add --force to overwrite it."
    )


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
