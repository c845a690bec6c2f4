"""The encoding of text files, which must be UTF-8."""

from __future__ import annotations

from ..exceptions import InputError


def not_utf8(place: str) -> InputError:
    """Return the error about text in another encoding; `place` is the file and the line."""
    return InputError(f"{place} is not UTF-8. Convert the file to UTF-8.")
