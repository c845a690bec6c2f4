"""The encoding of text files, which must be UTF-8."""

from __future__ import annotations

from pathlib import Path

from ..exceptions import InputError


def not_utf8(place: str) -> InputError:
    """Return the error about text in another encoding; `place` is the file and the line."""
    return InputError(f"{place} is not UTF-8. Convert the file to UTF-8.")


def read_lines(path: Path, name: str) -> list[str]:
    """Return the lines of a text file, called `name` in messages, without their ends."""
    content = path.read_bytes()
    try:
        return content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise not_utf8(f"{name}: line {find_wrong_line(content)}") from None


def find_wrong_line(content: bytes) -> int:
    """Return the first line, from 1, that is not UTF-8; there must be one."""
    try:
        content.decode()
    except UnicodeDecodeError as error:
        return content.count(b"\n", 0, error.start) + 1
    raise ValueError("all of it is UTF-8")
