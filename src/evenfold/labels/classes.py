"""One class per row, or per row and column → Entries, a label for each value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._checks.values import shorten
from ..exceptions import InputError, InputTypeError
from .entries import Entries, check_has_rows, lay_side_by_side


def read_class_columns(columns: Sequence[Any], names: Sequence[Any]) -> Entries:
    """Read columns of classes: one label per column and value, named 'column=value'."""
    return lay_side_by_side(
        [read_class_column(column, name) for column, name in zip(columns, names, strict=True)]
    )


def read_class_column(values: Any, name: Any) -> Entries:
    """Read one column of several; a missing value is no label."""
    codes, found = _code_values(values, f"column {name!r} of 'y'")
    return _as_entries(codes, [f"{name}={value}" for value in found])


def read_class_vector(values: Any) -> Entries:
    """Read one class per row; the labels are the classes themselves."""
    return _as_entries(*_code_values(values, "'y'"))


def _as_entries(codes: NDArray[np.int64], names: list[Any]) -> Entries:
    check_has_rows(len(codes))
    held = codes >= 0
    indptr = np.concatenate(([0], np.cumsum(held))).astype(np.int64)
    return Entries(indptr, codes[held].astype(np.int32), names)


def _code_values(values: Any, where: str) -> tuple[NDArray[np.int64], list[Any]]:
    """Number the values of a column by their sorted order; -1 where missing."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "buifSU":
        if values.dtype.kind == "f":
            return _code_floats(values, where)
        found, codes = np.unique(values, return_inverse=True)
        return codes.astype(np.int64), found.tolist()
    listed = values.tolist() if isinstance(values, np.ndarray) else list(values)
    for at, value in enumerate(listed):
        if getattr(value, "__hash__", None) is None:
            raise InputTypeError(
                f"{where} must hold strings or whole numbers as labels, got {shorten(value)} at row {at}, a {type(value).__name__}. "
                "Pass one class per row, or one list of labels per row."
            )
    missing = [is_missing(value) for value in listed]
    names = sort_names(
        {value for value, gone in zip(listed, missing, strict=True) if not gone}, where
    )
    code_of = {value: code for code, value in enumerate(names)}
    code_of_row = (
        -1 if gone else code_of[value] for value, gone in zip(listed, missing, strict=True)
    )
    return np.fromiter(code_of_row, np.int64, len(listed)), names


def _code_floats(values: NDArray[Any], where: str) -> tuple[NDArray[np.int64], list[Any]]:
    known = ~np.isnan(values)
    wrong = np.flatnonzero(known & ((values != np.floor(values)) | (np.abs(values) > 2.0**53)))
    if wrong.size:
        raise InputError(
            f"{where} must hold classes (whole numbers or strings), got {values[wrong[0]].item()!r} at row {wrong[0]}. "
            "Cut a numeric column into classes first."
        )
    codes = np.full(len(values), -1, np.int64)
    found, codes[known] = np.unique(values[known].astype(np.int64), return_inverse=True)
    return codes, found.tolist()


def sort_names(found: Iterable[Any], where: str) -> list[Any]:
    """Sort label names, which must be all strings or all whole numbers, so that every input form has one order."""
    names = [name.item() if isinstance(name, np.generic) else name for name in found]
    strings = sum(isinstance(name, str) for name in names)
    whole = sum(
        isinstance(name, int) or (isinstance(name, float) and name.is_integer()) for name in names
    )
    if strings == len(names) or whole == len(names):
        return sorted(names)
    odd = next((name for name in names if not isinstance(name, str | int)), None)
    if odd is None:
        raise InputTypeError(
            f"{where} must hold labels of one kind, got strings and numbers. Convert them all to strings."
        )
    raise InputTypeError(
        f"{where} must hold strings or whole numbers as labels, got {shorten(odd)}, a {type(odd).__name__}. Convert them to strings."
    )


def is_missing(value: Any) -> bool:
    """Tell None, NaN, NaT and pandas' NA from a value, without importing pandas."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float | np.floating) and bool(value != value)
