"""A collection of labels per row → Entries."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from .._checks.values import show_value
from ..exceptions import InputError, InputTypeError
from .classes import Subject, sort_names
from .column_rules import UNKNOWN, WRONG, is_missing
from .entries import Entries, check_has_rows, make_positions
from .list_matrices import MatrixEvidence
from .matrices import not_binary, read_dense


def is_collection(row: Any) -> bool:
    """Tell whether a value is a collection of labels, not a single class."""
    return isinstance(row, list | np.ndarray | set | frozenset | tuple)


def read_rows(rows: Sequence[Any]) -> Entries:
    """Read nested lists as a matrix if rectangular and all 0/1, as label lists otherwise.

    Sets and tuples are always labels. A matrix with a few wrong values is an error.
    """
    rows = [row.tolist() if isinstance(row, np.ndarray) else row for row in rows]
    check_has_rows(len(rows))
    if (
        all(isinstance(row, list) for row in rows)
        and len({len(row) for row in rows}) == 1
        and rows[0]
    ):
        if _is_binary(rows):
            return read_dense(
                np.array(
                    [[np.nan if is_missing(value) else value for value in row] for row in rows],
                    dtype=np.float64,
                )
            )
        _refuse_wrong_matrix(rows)
    return _read_label_lists(rows)


def _refuse_wrong_matrix(rows: Sequence[list[Any]]) -> None:
    """Raise an error if lists of one length are a 0/1 matrix with a few wrong values."""
    values = list(chain.from_iterable(rows))
    if not all(isinstance(value, int | float | np.number) or is_missing(value) for value in values):
        return
    flags = [
        UNKNOWN if is_missing(value) else int(value) if value in (0, 1) else WRONG
        for value in values
    ]
    evidence = MatrixEvidence()
    evidence.add(np.array([len(row) for row in rows]), np.array(flags, np.int8), values)
    wrong = evidence.find_wrong()
    if wrong is not None:
        raise not_binary(evidence.n_wrong, *wrong)


def _is_binary(rows: Sequence[Sequence[Any]]) -> bool:
    try:
        values = set(chain.from_iterable(rows))
    except TypeError:
        return False
    known = [value for value in values if not is_missing(value)]
    return bool(known) and all(not isinstance(value, str) and value in (0, 1) for value in known)


def _read_label_lists(rows: Sequence[Any]) -> Entries:
    for at, row in enumerate(rows):
        if not is_collection(row) and not is_missing(row):
            raise InputTypeError(
                f"must hold one collection of labels per row, got {show_value(row)} at row {at}, "
                f"a {type(row).__name__}. Write a single label as a list of one.",
                parameter="y",
            )
    rows = [() if is_missing(row) else row for row in rows]
    try:
        found = set(chain.from_iterable(rows))
    except TypeError:
        at, label = next(
            (at, label)
            for at, row in enumerate(rows)
            for label in row
            if getattr(label, "__hash__", None) is None
        )
        raise InputTypeError(
            f"must hold strings or whole numbers as labels, got {show_value(label)} at row {at}, "
            f"a {type(label).__name__}. Flatten the labels of each row.",
            parameter="y",
        ) from None
    for label in found:
        if is_missing(label):
            at = next(at for at, row in enumerate(rows) if any(is_missing(label) for label in row))
            raise InputError(
                f"holds a missing label ({label}) at row {at}. Leave it out of the row's list.",
                parameter="y",
            )
    names = sort_names(found, Subject())
    code_of = {name: code for code, name in enumerate(names)}
    lengths = np.fromiter((len(row) for row in rows), np.int64, len(rows))
    codes = np.fromiter(
        (code_of[label] for label in chain.from_iterable(rows)), np.int64, lengths.sum()
    )
    return Entries(
        *make_positions(np.repeat(np.arange(len(rows)), lengths), codes, len(rows), len(names)),
        names,
    )
