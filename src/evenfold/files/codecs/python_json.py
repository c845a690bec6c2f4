"""JSON as Python's json module reads it.

That is with NaN, Infinity and halves of surrogate pairs, which strict readers refuse.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any

# pandas writes NaN for missing values.
_CONSTANTS = {"NaN": None, "Infinity": math.inf, "-Infinity": -math.inf}
_BLANKS = re.compile(r"[ \t\r\n]*")
_decode_at = json.JSONDecoder().raw_decode


def read_python_json(text: bytes) -> Any:
    """Read JSON, slowly; NaN is None."""
    return json.loads(text.decode(), parse_constant=_CONSTANTS.__getitem__)


def find_members(text: str, at: int = 0) -> Iterator[tuple[str | None, int, int]]:
    """Yield the members of the object or list that starts at a position.

    Each is the key, None in a list, and where the value starts and ends.
    """
    at = _skip_blanks(text, at)
    closing = {"{": "}", "[": "]"}[text[at]]
    at = _skip_blanks(text, at + 1)
    while text[at] != closing:
        key = None
        if closing == "}":
            key, at = _decode_at(text, at)
            at = _skip_blanks(text, _skip_blanks(text, at) + 1)
        start, (_, at) = at, _decode_at(text, at)
        yield key, start, at
        at = _skip_blanks(text, at)
        if text[at] == ",":
            at = _skip_blanks(text, at + 1)


def _skip_blanks(text: str, at: int) -> int:
    found = _BLANKS.match(text, at)
    assert found is not None
    return found.end()
