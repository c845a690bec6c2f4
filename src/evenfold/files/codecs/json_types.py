"""Arrow types for values as JSON has them: whatever the order they come in, a column has one type."""

from __future__ import annotations

from collections.abc import Sequence, Set
from itertools import chain
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

_WORDS = {
    str: "text",
    int: "whole numbers",
    float: "numbers",
    bool: "booleans",
    dict: "objects",
    list: "lists",
}
_OF = "lists of "


def find_kinds(values: Sequence[Any]) -> set[str]:
    """Return what the values are, in words; null is of no kind."""
    types = set(map(type, values)) - {type(None)}
    kinds = {_WORDS[kind] for kind in types - {list}}
    if list in types:
        elements = chain.from_iterable(value for value in values if isinstance(value, list))
        kinds |= {_OF + _WORDS[kind] for kind in set(map(type, elements)) - {type(None)}} or {
            _OF + "nothing"
        }
    return kinds


def choose_type(kinds: Set[str]) -> pa.DataType | None:
    """Return the type that holds all of these kinds, None if there is none."""
    import pyarrow as pa

    if kinds and all(kind.startswith(_OF) for kind in kinds):
        element = _choose_plain_type({kind.removeprefix(_OF) for kind in kinds} - {"nothing"})
        return element and pa.list_(element)
    return _choose_plain_type(kinds)


def _choose_plain_type(kinds: Set[str]) -> pa.DataType | None:
    import pyarrow as pa

    if kinds == {"whole numbers"}:
        return pa.int64()
    if kinds == {"booleans"}:
        return pa.bool_()
    if kinds <= {"text"}:
        return pa.string()
    return pa.float64() if kinds <= {"whole numbers", "numbers"} else None


def fits(value: Any, kind: pa.DataType) -> bool:
    """Say whether Arrow takes the value: no whole number beyond 64 bits, no half of a surrogate pair."""
    import pyarrow as pa

    try:
        pa.array([value], kind)
    except (ValueError, OverflowError):
        return False
    return True
