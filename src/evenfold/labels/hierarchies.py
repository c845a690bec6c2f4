"""`parents` of a label hierarchy → a mapping from label to parents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from .._checks.values import shorten
from ..exceptions import InputError, InputTypeError


def check_hierarchy(parents: Any) -> dict[Any, list[Any]]:
    """Read a mapping label → parent or parents, or pairs (label, parent); every label that occurs is a key, and none is its own ancestor."""
    parents_of: dict[Any, list[Any]] = {}
    for child, parent in _pairs(parents):
        parents_of.setdefault(child, []).append(parent)
        parents_of.setdefault(parent, [])
    _refuse_circles(parents_of)
    return parents_of


def _pairs(parents: Any) -> Iterable[tuple[Any, Any]]:
    if isinstance(parents, Mapping):
        for child, own in parents.items():
            several = isinstance(own, list | tuple | set | frozenset | np.ndarray)
            # A set has no order of its own, and new labels must come in the same one every time.
            for parent in (
                sorted(own, key=str)
                if isinstance(own, set | frozenset)
                else own
                if several
                else [own]
            ):
                if parent is not None:
                    yield _as_name(child), _as_name(parent)
        return
    if isinstance(parents, str) or not isinstance(parents, Iterable):
        raise InputTypeError(
            f"must be a mapping from label to parents or pairs (label, parent), got {type(parents).__name__}. Try {{'kinase': 'enzyme'}}.",
            parameter="parents",
        )
    for at, pair in enumerate(parents):
        if isinstance(pair, str) or not hasattr(pair, "__len__") or len(pair) != 2:
            raise InputError(
                f"must hold pairs (label, parent), got {pair!r} at place {at}. Pass two labels each.",
                parameter="parents",
            )
        yield _as_name(pair[0]), _as_name(pair[1])


def _as_name(label: Any) -> Any:
    """Return a label as Python has it; refuse what cannot be one."""
    label = label.item() if isinstance(label, np.generic) else label
    if not isinstance(label, str | int):
        raise InputTypeError(
            f"must hold strings or whole numbers as labels, got {shorten(label)}, a {type(label).__name__}. Name each parent.",
            parameter="parents",
        )
    return label


def _refuse_circles(parents_of: dict[Any, list[Any]]) -> None:
    """Take away labels without parents left until none remain; what stays goes in a circle."""
    n_left = {label: len(own) for label, own in parents_of.items()}
    children: dict[Any, list[Any]] = {label: [] for label in parents_of}
    for label, own in parents_of.items():
        for parent in own:
            children[parent].append(label)
    free = [label for label, count in n_left.items() if count == 0]
    while free:
        for child in children[free.pop()]:
            n_left[child] -= 1
            if n_left[child] == 0:
                free.append(child)
    circle = [label for label, count in n_left.items() if count > 0]
    if circle:
        shown = ", ".join(map(repr, circle[:5]))
        raise InputError(
            f"must not go in a circle, got one through {shown}. Remove one of its edges.",
            parameter="parents",
        )
