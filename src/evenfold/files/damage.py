"""Damaged files: what a library says about their content, as an error that names the file."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from ..exceptions import EvenfoldError, InputError

Value = TypeVar("Value")

CHECK_FORMAT = "Is it whole, and in the format its name says?"
_NOT_SUPPORTED = "Arrow cannot do that: write the file again, with a simpler type or compression."


def damaged(statement: str, reason: object, advice: str) -> InputError:
    """Return the error about damaged content; of the library's reason, the first line is shown."""
    first_line = str(reason).partition("\n")[0].rstrip(". ")
    return InputError(f"{statement}: {first_line}. {advice}")


@contextmanager
def explain_damage(
    statement: str, errors: tuple[type[Exception], ...], advice: str
) -> Iterator[None]:
    """Turn errors that a library raises about the content of a file into `InputError`.

    What the operating system refuses (no such file, disk full) stays an `OSError`.

    Parameters
    ----------
    statement : str
        The file and what is wrong: "data.npz: cannot be read as npz".
    errors : tuple of exception types
        What the library raises where the content is wrong.
    advice : str
        What to do.
    """
    try:
        yield
    except EvenfoldError:
        raise
    except errors as error:
        # Libraries raise OSError without a number about content. A damaged directory makes zipfile
        # seek to a negative position, which is EINVAL.
        if isinstance(error, OSError) and error.errno not in (None, errno.EINVAL):
            raise
        raise damaged(statement, error, advice) from error


@contextmanager
def explain_arrow_damage(name: str | Path, what: str = "cannot be read") -> Iterator[None]:
    """Turn Arrow's errors about a file into `InputError`; `what` may say where in the file."""
    import pyarrow as pa

    statement = f"{name}: {what}"
    about_content = (pa.ArrowException, EOFError, OSError, UnicodeDecodeError)
    with (
        explain_damage(statement, about_content, CHECK_FORMAT),
        explain_damage(statement, (pa.ArrowNotImplementedError,), _NOT_SUPPORTED),
    ):
        yield


def find_refused(read: Callable[[Value], object], values: Iterable[Value]) -> int:
    """Return the position of the first value that `read` raises an error for; there must be one."""
    return next(at for at, value in enumerate(values) if not _accepts(read, value))


def _accepts(read: Callable[[Value], object], value: Value) -> bool:
    try:
        read(value)
    except (LookupError, ValueError, OverflowError):
        return False
    return True
