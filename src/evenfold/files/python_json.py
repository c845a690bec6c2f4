"""JSON as Python's json module writes it: with NaN and Infinity, which are not JSON, and which strict readers refuse."""

from __future__ import annotations

import json
import math
import re
from typing import Any

# NaN is what pandas makes of missing values.
_VALUES = {"NaN": None, "Infinity": math.inf, "-Infinity": -math.inf}
_TEXT_OR_CONSTANT = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:NaN|Infinity)')
# The constants as text that nobody else writes so, since plain letters need no escapes.
_HIDDEN = {name.encode(): b'"' + b"".join(b"\\u%04x" % letter for letter in name.encode()) + b'"' for name in _VALUES}
_ANY_HIDDEN = re.compile(b"|".join(map(re.escape, _HIDDEN.values())))
_SHOWN = {text: name for name, text in _HIDDEN.items()}


def read_python_json(text: bytes) -> Any:
    """Read JSON, slowly; NaN is None."""
    return json.loads(text.decode(), parse_constant=_VALUES.__getitem__)


def hide_constants(text: bytes) -> bytes:
    """Put text in place of the constants, so that a strict reader can cut the JSON into pieces."""
    return _TEXT_OR_CONSTANT.sub(lambda found: _HIDDEN.get(found[0], found[0]), text)


def show_constants(piece: bytes) -> bytes:
    """Put the constants back into a piece."""
    return _ANY_HIDDEN.sub(lambda found: _SHOWN[found[0]], piece)
