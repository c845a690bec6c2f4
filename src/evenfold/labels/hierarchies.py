"""Label hierarchies: close labels over their ancestors."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import scipy

from .._checks.values import show_some, show_value
from ..exceptions import InputError, InputTypeError
from .entries import Positions, as_positions
from .labels import Labels, make_labels


def propagate(y: Any, parents: Any) -> Labels:
    """Close labels over a hierarchy: a row that holds a label holds all its ancestors.

    Parameters
    ----------
    y : array, sparse matrix, list, frame or column
        The labels, in any form `split` takes.
    parents : mapping or iterable of pairs
        A mapping from a label to its parent or parents, or pairs (label, parent). Ancestors that
        are no label yet become one.

    Returns
    -------
    Labels
        The labels of `y` first, in their order, then the new ones.

    Raises
    ------
    InputError, InputTypeError
        If `parents` is no hierarchy, or goes in a circle.

    Notes
    -----
    A row keeps what it held.
    An ancestor of a label that is held is held, whether it was unknown before or not.

    Examples
    --------
    >>> parents = {"kinase": "enzyme", "enzyme": "function", "binding": "function"}
    >>> labels = evenfold.labels.propagate([["kinase"], ["binding"]], parents)
    >>> labels.names, labels.count_of_label.tolist()
    (['binding', 'kinase', 'enzyme', 'function'], [1, 1, 1, 2])
    """
    labels = make_labels(y)
    parents_of = check_hierarchy(parents)
    names = list(dict.fromkeys([*labels.names, *parents_of]))
    held = _close(labels, _make_steps(names, parents_of))
    return Labels(*as_positions(held), names, _keep_unknown(labels, held), labels.index)


def _make_steps(names: list[Any], parents_of: dict[Any, list[Any]]) -> scipy.sparse.csr_array:
    """Return the matrix that leads from each label to its parents."""
    number_of = {name: number for number, name in enumerate(names)}
    child = [number_of[child] for child, own in parents_of.items() for _ in own]
    parent = [number_of[parent] for own in parents_of.values() for parent in own]
    ones = np.ones(len(child), bool)
    return scipy.sparse.csr_array((ones, (child, parent)), shape=(len(names), len(names)))


def _close(labels: Labels, steps: scipy.sparse.csr_array) -> scipy.sparse.csr_array:
    """Add the parents of what each row holds until nothing is new."""
    held = scipy.sparse.csr_array(
        (np.ones(len(labels.indices), bool), labels.indices, labels.indptr),
        shape=(labels.n_rows, steps.shape[1]),
    )
    while True:
        closed = scipy.sparse.csr_array(held + held @ steps)
        if closed.nnz == held.nnz:
            held.sort_indices()
            return held
        held = closed


def _keep_unknown(labels: Labels, held: scipy.sparse.csr_array) -> Positions | None:
    """Return the unknown entries that are not held now."""
    if labels.unknown is None:
        return None
    indptr, indices = labels.unknown
    unknown = scipy.sparse.csr_array(
        (np.ones(len(indices), np.int8), indices, indptr), shape=held.shape
    )
    unknown = scipy.sparse.csr_array(unknown - unknown.multiply(held.astype(np.int8)))
    unknown.eliminate_zeros()
    unknown.sort_indices()
    return as_positions(unknown)


def check_hierarchy(parents: Any) -> dict[Any, list[Any]]:
    """Read a mapping label → parent or parents, or pairs (label, parent).

    In what is returned every label that occurs is a key, and none is its own ancestor.
    """
    parents_of: dict[Any, list[Any]] = {}
    for child, parent in _pairs(parents):
        parents_of.setdefault(child, []).append(parent)
        parents_of.setdefault(parent, [])
    _refuse_circles(parents_of)
    return parents_of


def _pairs(parents: Any) -> Iterable[tuple[Any, Any]]:
    if isinstance(parents, Mapping):
        for child, own in parents.items():
            if isinstance(own, set | frozenset):
                # A set has no order, but new labels must come in the same order every time.
                own = sorted(own, key=str)
            for parent in own if isinstance(own, list | tuple | np.ndarray) else [own]:
                if parent is not None:
                    yield _as_name(child), _as_name(parent)
        return
    if isinstance(parents, str) or not isinstance(parents, Iterable):
        raise InputTypeError(
            "must be a mapping from label to parents or pairs (label, parent), "
            f"got {type(parents).__name__}. Try {{'kinase': 'enzyme'}}.",
            parameter="parents",
        )
    for at, pair in enumerate(parents):
        if isinstance(pair, str) or not hasattr(pair, "__len__") or len(pair) != 2:
            raise InputError(
                f"must hold pairs (label, parent), got {pair!r} at place {at}. "
                "Pass two labels each.",
                parameter="parents",
            )
        yield _as_name(pair[0]), _as_name(pair[1])


def _as_name(label: Any) -> Any:
    """Return a label as Python has it; refuse what cannot be one."""
    label = label.item() if isinstance(label, np.generic) else label
    if not isinstance(label, str | int):
        raise InputTypeError(
            f"must hold strings or whole numbers as labels, got {show_value(label)}, "
            f"a {type(label).__name__}. Name each parent.",
            parameter="parents",
        )
    return label


def _refuse_circles(parents_of: dict[Any, list[Any]]) -> None:
    """Take away labels without parents until there are none; what remains goes in a circle."""
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
        raise InputError(
            f"must not go in a circle, got one through {show_some(map(repr, circle), 5)}. "
            "Remove one of its edges.",
            parameter="parents",
        )
