"""extend(): new rows join a split, old rows stay in their parts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._checks.values import show_value
from ..exceptions import InputError
from ..labels.fingerprints import make_fingerprint
from ..labels.labels import Labels, read_rows
from ..labels.row_values import check_old_parts, check_placed
from ..methods import Method, find_method
from ..methods.orders import Order
from ..problem.cover import Cover
from ..problem.parts import Parts
from ..problem.size_tolerance import SizeTolerance
from ..quality.measuring import match_parts
from .make_split import RandomState, make_split
from .split_result import Split


def extend(
    s: Any,
    y_all: Any,
    *,
    parts: int | Sequence[float] | Mapping[str, float] | None = None,
    names: Sequence[str] | None = None,
    groups: Any = None,
    balance: Any = None,
    method: str | Method = "even",
    order: Order | None = None,
    cover: Cover = None,
    size_tolerance: SizeTolerance = None,
    effort: str | float | None = None,
    random_state: RandomState = 0,
) -> Split:
    """Add rows to a split; the old rows stay where they were.

    Parameters
    ----------
    s : Split or array-like of shape (n_rows,)
        The split so far. A `Split`, made by `split` or read by `load_split`, has the first rows of
        `y_all`. Where old and new rows are mixed, or come in another order than in the split, pass
        the part of each row instead: its name or its number, and None, NaN or -1 for a new row.
    y_all : array-like, sparse matrix, frame or list of labels
        The labels of all rows, in any form that `split` takes.
    parts : int, sequence or mapping, default=None
        The sizes wanted of all rows, as for `split`. By default those of the split; if `s` is an
        array, sizes in proportion to the old rows.
    names : sequence of str, default=None
        The names of the parts, if `s` is an array of their numbers; by default part0, part1, ….
    groups : Links, array-like of shape (n_rows,), mapping or frame, default=None
        The groups of all rows, as for `split`; new rows of an old group join it.
    balance : mapping, frame or array-like, default=None
        What to keep even besides labels, for all rows, as for `split`.
    method : str or Method, default="even"
        How the new rows are placed, as for `split`.
    order : {"auto", 1, 2}, default=None
        What is kept even, as for `split`; by default that of the old split, if `s` is a `Split`.
    cover : int or bool, default=None
        How many rows of each label every part should hold, as for `split`; by default that of the
        old split, if `s` is a `Split`.
    size_tolerance : int or float, default=None
        By how much sizes may be off, as for `split`; by default that of the old split, if `s` is a
        `Split`.
    effort : {"fast", "normal", "best"} or float, default=None
        How long to search, as for `split`.
    random_state : int, Generator, RandomState or None, default=0
        The same number gives the same result; None draws a new one each time.

    Returns
    -------
    Split
        All rows in their parts, in the order of `y_all`.

    Raises
    ------
    InputError
        If `y_all` does not begin with the rows of the split, or `s` does not name two parts.

    Notes
    -----
    No old row moves.
    New rows of an old group are in its part.
    A part that is larger than its share gets no new rows but those of its groups.

    Examples
    --------
    >>> old = [["a"], ["b"], ["a"], ["b"]]
    >>> s = evenfold.split(old, parts=2)
    >>> more = evenfold.extend(s, [*old, ["a"], ["a"], ["b"], ["b"]])
    >>> more.sizes.tolist(), bool((more.part_of_row[:4] == s.part_of_row).all())
    ([4, 4], True)
    >>> mixed = evenfold.extend(["train", None, "test", None], [["a"], ["a"], ["b"], ["b"]])
    >>> mixed.names, mixed.part_of_row.tolist()
    (('train', 'test'), [0, 1, 1, 0])
    """
    labels, columns = read_rows(y_all, balance, "y_all")
    wanted, fixed = find_old_parts(s, labels, parts, names)
    parameters: dict[str, Any] = {"extended": int((fixed >= 0).sum())}
    n_folds = None
    if isinstance(s, Split):
        parameters["before"] = dict(s.origin.parameters)
        order = s.origin.parameters.get("order") if order is None else order
        chosen = find_method(method, effort)
        if cover is None and chosen.covers and chosen.cover is None:
            cover = s.origin.parameters.get("cover")
        if size_tolerance is None:
            size_tolerance = s.origin.parameters.get("size_tolerance")
        n_folds = s._n_folds if wanted.names == s.names else None
    return make_split(
        labels,
        wanted,
        groups=groups,
        balance=columns,
        fixed=fixed,
        method=method,
        order=order,
        cover=cover,
        size_tolerance=size_tolerance,
        effort=effort,
        random_state=random_state,
        measure_cover=True,
        n_folds=n_folds,
        parameters=parameters,
        may_outgrow=True,
    )


def find_old_parts(
    s: Any, labels: Labels, parts: Any = None, names: Sequence[str] | None = None
) -> tuple[Parts, NDArray[np.int32]]:
    """Return the parts wanted by `extend`, and the part of each row, -1 where it is new."""
    found: Sequence[str] | None
    if isinstance(s, Split):
        if names is not None:
            raise InputError(
                f"must be left out with a Split, which has names, got {show_value(list(names))}. "
                "Pass the part of each row to name the parts.",
                parameter="names",
            )
        fixed, found = _place_first_rows(s, labels), s.names
    elif names is not None:
        fixed, found = check_placed(s, labels.n_rows, names, "s", free=True), names
    else:
        fixed, found = check_old_parts(s, labels.n_rows, "s")
    is_old = fixed >= 0
    if parts is not None:
        wanted, fixed[is_old] = match_parts(parts, fixed[is_old], found, labels.n_rows)
        return wanted, fixed
    if isinstance(s, Split):
        return s._parts, fixed
    if found is None:
        found = [f"part{number}" for number in range(int(fixed.max()) + 1)]
    if len(found) < 2:
        raise InputError(
            f"must name two parts or more, got {', '.join(found) or 'none'}. "
            "Give all parts with their sizes as 'parts'.",
            parameter="s",
        )
    n_old = np.bincount(fixed[is_old], minlength=len(found))
    if not n_old.all():
        raise InputError(
            f"must have rows in every part, got none in '{found[int(n_old.argmin())]}'. "
            "Give the sizes wanted as 'parts'.",
            parameter="s",
        )
    return Parts(n_old, tuple(found)), fixed


def _place_first_rows(s: Split, labels: Labels) -> NDArray[np.int32]:
    """Return the parts of the old rows, which must come first, and -1 for the new ones."""
    n_old = len(s.part_of_row)
    if labels.n_rows < n_old:
        raise InputError(
            f"must hold the {n_old:,} rows of the split and the new ones, got {labels.n_rows:,}. "
            "Put the old rows first.",
            parameter="y_all",
        )
    if make_fingerprint(labels.first_rows(n_old)) != s.fingerprint:
        raise InputError(
            f"must begin with the {n_old:,} rows of the split, got other labels there. "
            "Put the old rows first, in their old order.",
            parameter="y_all",
        )
    fixed = np.full(labels.n_rows, -1, np.int32)
    fixed[:n_old] = s.part_of_row
    return fixed
