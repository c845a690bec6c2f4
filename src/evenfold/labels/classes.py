"""One class per row, or per row and column → Entries, a label for each value."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._checks.values import show_value
from ..exceptions import InputError, InputTypeError
from .column_rules import find_fractions, is_missing
from .entries import Entries, check_has_rows


class Subject(NamedTuple):
    """What an error is about.

    Attributes
    ----------
    parameter : str or None
        The parameter; None where the labels are those of a file.
    prefix : str
        What the message begins with: the column, with a blank after it.
    """

    parameter: str | None = "y"
    prefix: str = ""


class CodedColumn(NamedTuple):
    """A column as codes: `values[code_of_row[i]]` is in row i, -1 where it is missing.

    Attributes
    ----------
    code_of_row : ndarray of int64
        (n_rows,) the code of each row.
    values : list
        The different values, sorted: all text or all whole numbers.
    """

    code_of_row: NDArray[np.int64]
    values: list[Any]

    @property
    def holds_text(self) -> bool:
        """Whether the values are text."""
        return bool(self.values) and isinstance(self.values[0], str)


def make_class_entries(column: CodedColumn, name: Any = None) -> Entries:
    """Make a label of each value, named value, or column=value where the column has a name."""
    check_has_rows(len(column.code_of_row))
    is_held = column.code_of_row >= 0
    indptr = np.concatenate(([0], np.cumsum(is_held))).astype(np.int64)
    names = column.values if name is None else [f"{name}={value}" for value in column.values]
    return Entries(indptr, column.code_of_row[is_held].astype(np.int32), names)


def code_column(values: Any, subject: Subject) -> CodedColumn:
    """Number the values of a column by their sorted order; -1 where missing."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "buifSU":
        if values.dtype.kind == "f":
            return _code_floats(values, subject)
        found, code_of_row = np.unique(values, return_inverse=True)
        if values.dtype.kind in "bui":
            return CodedColumn(code_of_row.astype(np.int64), found.tolist())
        return _sort_codes(code_of_row, found.tolist(), subject)
    listed = values.tolist() if isinstance(values, np.ndarray) else list(values)
    for row, value in enumerate(listed):
        if getattr(value, "__hash__", None) is None:
            raise InputTypeError(
                f"{subject.prefix}must hold strings or whole numbers as labels, "
                f"got {show_value(value)} at row {row}, a {type(value).__name__}. "
                "Pass one class per row, or one list of labels per row.",
                parameter=subject.parameter,
            )
    number_of: dict[Any, int] = {}
    # NaN is not equal to itself: a missing value is None before it is looked up.
    numbers = (
        number_of.setdefault(None if is_missing(value) else value, len(number_of))
        for value in listed
    )
    code_of_row = np.fromiter(numbers, np.int64, len(listed))
    return _sort_codes(code_of_row, list(number_of), subject)


def _sort_codes(code_of_row: NDArray[np.int64], found: list[Any], subject: Subject) -> CodedColumn:
    """Number values by their sorted order: bytes as text, blank text as missing."""
    texts = [
        _decode(value, code, code_of_row, subject) if isinstance(value, bytes) else value
        for code, value in enumerate(found)
    ]
    values = [None if isinstance(text, str) and not text.strip() else text for text in texts]
    names = sort_names({value for value in values if value is not None}, subject)
    return CodedColumn(rank_values(values, names)[code_of_row], names)


def _decode(value: bytes, code: int, code_of_row: NDArray[np.int64], subject: Subject) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        row = np.flatnonzero(code_of_row == code)[0]
        raise InputError(
            f"{subject.prefix}must hold text, got bytes that are not UTF-8, {show_value(value)} "
            f"at row {row}. Decode them first.",
            parameter=subject.parameter,
        ) from None


def _code_floats(values: NDArray[Any], subject: Subject) -> CodedColumn:
    wrong = find_fractions(values)
    if wrong.size:
        raise InputError(
            f"{subject.prefix}must hold classes (whole numbers or strings), "
            f"got {values[wrong[0]].item()!r} at row {wrong[0]}. "
            "Cut a numeric column into classes first.",
            parameter=subject.parameter,
        )
    known = ~np.isnan(values)
    code_of_row = np.full(len(values), -1, np.int64)
    found, code_of_row[known] = np.unique(values[known].astype(np.int64), return_inverse=True)
    return CodedColumn(code_of_row, found.tolist())


def sort_names(found: Iterable[Any], subject: Subject) -> list[Any]:
    """Sort label names, which must be all strings or all whole numbers."""
    names = [name.item() if isinstance(name, np.generic) else name for name in found]
    n_strings = sum(isinstance(name, str) for name in names)
    n_whole = sum(
        isinstance(name, int) or (isinstance(name, float) and name.is_integer()) for name in names
    )
    if len(names) in (n_strings, n_whole):
        return sorted(int(name) if isinstance(name, float) else name for name in names)
    odd = next((name for name in names if not isinstance(name, str | int)), None)
    if odd is None:
        raise InputTypeError(
            f"{subject.prefix}must hold labels of one kind, got strings and numbers. "
            "Convert them all to strings.",
            parameter=subject.parameter,
        )
    raise InputTypeError(
        f"{subject.prefix}must hold strings or whole numbers as labels, got {show_value(odd)}, "
        f"a {type(odd).__name__}. Convert them to strings.",
        parameter=subject.parameter,
    )


def rank_values(values: Iterable[Any], names: Iterable[Any]) -> NDArray[np.int64]:
    """Return the place of each value among sorted names, -1 where it is not one of them."""
    code_of = {name: code for code, name in enumerate(names)}
    return np.array([code_of.get(value, -1) for value in values], np.int64)
