"""The Arrow type of a column of JSON values, which does not depend on their order."""

from __future__ import annotations

from collections.abc import Sequence, Set
from itertools import chain
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

OBJECTS = "objects"
_KIND_OF_TYPE = {
    str: "text",
    int: "whole numbers",
    float: "numbers",
    bool: "booleans",
    dict: OBJECTS,
    list: "lists",
}
_LISTS_OF = "lists of "


def find_kinds(values: Sequence[Any]) -> set[str]:
    """Return the kinds of the values, in words; null has none."""
    types = set(map(type, values)) - {type(None)}
    kinds = {_KIND_OF_TYPE[kind] for kind in types - {list}}
    if list in types:
        elements = chain.from_iterable(value for value in values if isinstance(value, list))
        kinds_of_elements = {
            _KIND_OF_TYPE[kind] for kind in set(map(type, elements)) - {type(None)}
        }
        kinds |= {_LISTS_OF + kind for kind in kinds_of_elements or {"nothing"}}
    return kinds


def choose_type(kinds: Set[str]) -> pa.DataType | None:
    """Return the type that holds all of these kinds, None if there is none."""
    import pyarrow as pa

    if kinds and all(kind.startswith(_LISTS_OF) for kind in kinds):
        element = _choose_plain_type({kind.removeprefix(_LISTS_OF) for kind in kinds} - {"nothing"})
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
