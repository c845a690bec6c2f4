"""Columns of paths."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from .._checks.values import show_value
from ..exceptions import InputError, InputTypeError
from ..labels.column_rules import is_missing


def read_path(value: Any, row: int, parameter: str) -> Path | None:
    """Return the path of a row; None if it is missing or empty.

    Parameters
    ----------
    value : str, path or None
        The path.
    row : int
        Its row, for errors.
    parameter : str
        The name of the argument, for errors.

    Returns
    -------
    Path or None
        The path.
    """
    if is_missing(value) or value == "":
        return None
    if not isinstance(value, str | os.PathLike):
        raise InputTypeError(
            f"must hold paths of files, got {show_value(value)} at row {row}, "
            f"a {type(value).__name__}. Pass strings or paths.",
            parameter=parameter,
        )
    return Path(value)


def not_readable(path: Path, row: int, reason: object, parameter: str) -> InputError:
    """Return the error about a file that cannot be read.

    Parameters
    ----------
    path : Path
        The file.
    row : int
        Its row.
    reason : object
        What the operating system or a library says.
    parameter : str
        The name of the argument, which says what the file must be: "files" or "images".

    Returns
    -------
    InputError
        The error to raise.
    """
    why = getattr(reason, "strerror", None) or str(reason).partition("\n")[0].rstrip(". ")
    return InputError(
        f"must name {parameter} that can be read, got {show_value(str(path), 200)} at row {row}: "
        f"{why or type(reason).__name__}. Correct the path or leave out the row.",
        parameter=parameter,
    )
