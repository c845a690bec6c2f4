"""Lists of JSON records, cut into the bytes of each and written from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import msgspec

from .python_json import find_members, read_python_json

JsonBytes = bytes | msgspec.Raw
WriteElements = Callable[[Iterable[JsonBytes]], None]


def cut_list(content: JsonBytes) -> Sequence[JsonBytes]:
    """Return the elements of a list, byte for byte.

    Parameters
    ----------
    content : bytes
        JSON that is a list; of Python's kind, too.

    Returns
    -------
    sequence of bytes
        The elements.

    Raises
    ------
    msgspec.DecodeError
        If it is not JSON.
    msgspec.ValidationError
        If it is not a list.
    """
    try:
        return msgspec.json.decode(content, type=list[msgspec.Raw])
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError as error:
        text = bytes(content)
        try:
            read_python_json(text)
        except ValueError:
            raise error from None
        decoded = text.decode()
        return [decoded[start:end].encode() for _, start, end in find_members(decoded)]


@contextmanager
def open_list(file: IO[bytes], between: bytes = b", ") -> Iterator[WriteElements]:
    """Begin a list, and end it when the block ends.

    Parameters
    ----------
    file : binary file
        The file, open for writing.
    between : bytes, default=b", "
        What is between two elements.

    Yields
    ------
    callable
        Writes elements into the list.
    """
    before = b"["

    def write(elements: Iterable[JsonBytes]) -> None:
        nonlocal before
        for element in elements:
            file.write(before)
            file.write(element)
            before = between

    yield write
    file.write(b"[]" if before == b"[" else b"]")


@contextmanager
def open_array(target: Path) -> Iterator[WriteElements]:
    """Open a new file that is one list, with an element on each line."""
    with target.open("wb") as file:
        with open_list(file, b",\n ") as write:
            yield write
        file.write(b"\n")
