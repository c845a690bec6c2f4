"""Writing of outputs: all of them or none, with the files that belong beside them."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .._atomic import ScratchFolder, staged
from .output_checks import choose_suffix
from .seen_inputs import check_inputs_unchanged
from .stopping import held, stop_if_told

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..files.datafile import DataFile


@contextmanager
def staged_unless_stopped(
    targets: Sequence[Path], *, force: bool, inputs: Sequence[Path]
) -> Iterator[list[Path]]:
    """Give paths as `staged` does; nothing is kept after a signal, or if an input has changed."""
    stop_if_told()
    with staged(targets, force=force, inputs=inputs, hold_signals=held) as paths:
        yield paths
        check_inputs_unchanged()
        stop_if_told()


def command_line() -> str:
    """Return the command as it was given, in a form that can be run again."""
    return shlex.join(["evenfold", *sys.argv[1:]])


def write_numbers(path: Path, array: NDArray[Any], content: Any) -> None:
    """Write the array as .npy, or the content as .json."""
    if path.suffix == ".npy":
        # To a file itself, NumPy writes in a way that does not tell why a disk refuses it.
        content = BytesIO()
        np.save(content, array)
        path.write_bytes(content.getvalue())
    else:
        path.write_text(json.dumps(content) + "\n", encoding="utf-8")


@contextmanager
def to_stdout(file: DataFile) -> Iterator[Path]:
    """Give a path to write to; the finished file is copied to stdout."""
    with ScratchFolder("stdout") as folder:
        path = folder / f"stdout{choose_suffix(file)}"
        yield path
        check_inputs_unchanged()
        with path.open("rb") as written:
            shutil.copyfileobj(written, sys.stdout.buffer)
        sys.stdout.buffer.flush()


def list_companions(file: DataFile, paths: Sequence[Path]) -> list[Path]:
    """Return the files to write beside these, except in folders that do not exist yet."""
    return [beside for path in paths if path.parent.is_dir() for beside, _ in file.companions(path)]


def write_companions(file: DataFile, path: Path) -> None:
    """Write the files that belong beside a data file, such as the label list of ARFF."""
    for beside, content in file.companions(path):
        beside.write_bytes(content)
