"""One value per row: its group, or its part."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._checks.numbers import is_whole
from .._checks.values import show_some, show_value
from ..exceptions import InputError, InputTypeError
from .column_rules import is_missing
from .tensors import to_array, unpack_tensors
from .wrapping import is_column, to_narwhals

_USUAL_ORDER = ("train", "val", "test")
_MOST_DIGITS = 1_000


def number_values(
    values: Any, n_rows: int, parameter: str
) -> tuple[NDArray[np.int64], Sequence[Any] | NDArray[Any]]:
    """Number the values of a column by first appearance, so that their names do not matter.

    Returns
    -------
    ndarray of int64
        (n_rows,) the number of each row's value; -1 where it is missing: None, NaN or blank text.
    sequence
        The value that each number stands for.
    """
    column = _one_per_row(values, n_rows, parameter)
    if column.dtype.kind in "biu":
        return number_by_first(column)
    listed = column.tolist()
    at = next((at for at, value in enumerate(listed) if not _is_one_value(value)), None)
    if at is not None:
        raise InputTypeError(
            f"must hold one name or number per row, got {show_value(listed[at])} at row {at}. "
            "Pass several columns as a mapping or a frame: rows that share any value are then "
            "together. Join values into one text if all must be shared.",
            parameter=parameter,
        )
    return number_hashable(None if _is_blank(value) else value for value in listed)


def _is_blank(value: Any) -> bool:
    return is_missing(value) or (isinstance(value, str) and not value.strip())


def number_hashable(values: Iterable[Any]) -> tuple[NDArray[np.int64], list[Any]]:
    """Number hashable values by first appearance; None is -1.

    Parameters
    ----------
    values : iterable
        One value per row.

    Returns
    -------
    numbers : ndarray of int64
        (n_rows,) the number of each row's value.
    different : list
        The different values by their numbers.
    """
    number_of: dict[Any, int] = {}
    numbers = np.fromiter(
        (-1 if value is None else number_of.setdefault(value, len(number_of)) for value in values),
        np.int64,
    )
    return numbers, list(number_of)


def _is_one_value(value: Any) -> bool:
    # Tuples could mean rows that share all of their values, or any.
    if isinstance(value, tuple):
        return False
    try:
        hash(value)
    except TypeError:
        return False
    return True


def number_by_first(values: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[Any]]:
    """Number values by first appearance; return the numbers, and the value of each number."""
    found, first, codes = np.unique(values, return_index=True, return_inverse=True)
    by_first = np.argsort(first)
    rank = np.empty(len(first), np.int64)
    rank[by_first] = np.arange(len(first))
    return rank[codes], found[by_first]


def check_part_of_row(
    part_of_row: Any, n_rows: int, parameter: str = "part_of_row"
) -> tuple[NDArray[np.int32], list[str] | None]:
    """Return the number of each row's part and, where parts are strings, their names in order."""
    if hasattr(part_of_row, "part_of_row"):
        raise InputTypeError(
            f"must be the part of each row, got {type(part_of_row).__name__}. "
            "Pass its 'part_of_row'.",
            parameter=parameter,
        )
    values = _one_per_row(part_of_row, n_rows, parameter)
    if (
        values.dtype.kind == "f"
        and np.isfinite(values).all()
        and np.array_equal(values, np.floor(values))
    ):
        values = values.astype(np.int64)
    if values.dtype.kind in "iu":
        if values.min() < 0:
            at = int(np.flatnonzero(values < 0)[0])
            raise InputError(
                f"must number the parts from 0, got {values[at]} at row {at}. "
                "Leave out rows that are in no part.",
                parameter=parameter,
            )
        if values.max() >= n_rows + 1_000:
            raise InputError(
                f"must number the parts from 0, got part {values.max():,} for {n_rows:,} rows. "
                "Pass names as strings.",
                parameter=parameter,
            )
        return values.astype(np.int32), None
    listed = values.tolist()
    _refuse_missing(listed, parameter, "Leave out rows that are in no part.")
    odd = next((value for value in listed if not isinstance(value, str)), None)
    if odd is not None:
        raise InputTypeError(
            f"must hold part numbers or part names, got {show_value(odd)}, a {type(odd).__name__}. "
            "Use 0, 1, … or strings.",
            parameter=parameter,
        )
    names = sorted(set(listed), key=_by_number)
    if set(names) <= set(_USUAL_ORDER):
        names = [name for name in _USUAL_ORDER if name in names]
    number_of = {name: number for number, name in enumerate(names)}
    return np.fromiter((number_of[name] for name in listed), np.int32, n_rows), names


def check_old_parts(
    part_of_row: Any, n_rows: int, parameter: str
) -> tuple[NDArray[np.int32], list[str] | None]:
    """Do as `check_part_of_row` where some rows are new: -1, None or NaN, whose number is -1."""
    listed = _one_per_row(part_of_row, n_rows, parameter).tolist()
    is_new = np.fromiter((is_missing(part) or part == -1 for part in listed), bool, n_rows)
    if is_new.all():
        return np.full(n_rows, -1, np.int32), []
    # New rows count as rows of some old part while the old ones are checked.
    some_part = listed[int(is_new.argmin())]
    filled = [some_part if new else part for new, part in zip(is_new, listed, strict=True)]
    numbers, names = check_part_of_row(filled, n_rows, parameter)
    numbers[is_new] = -1
    return numbers, names


def _by_number(name: str) -> tuple[list[tuple[int, str]], str]:
    """Sort fold2 before fold10, and names of the same number, such as fold02, by their text."""
    pieces = re.split(r"(\d+)", name)
    return [(_read_digits(own), "") if own.isdecimal() else (0, own) for own in pieces], name


def _read_digits(digits: str) -> int:
    """Return a number; of one with many digits, which Python does not read, a bound."""
    return int(digits) if len(digits) <= _MOST_DIGITS else 10**_MOST_DIGITS


def check_placed(
    placed: Any, n_rows: int, names: Sequence[str], parameter: str, free: bool
) -> NDArray[np.int32]:
    """Return the part of each row.

    Parameters
    ----------
    placed : array, list or column
        (n_rows,) the part of each row, by number or name.
    n_rows : int
        The number of rows.
    names : sequence of str
        The names of the parts.
    parameter : str
        The name of the argument, for errors.
    free : bool
        Whether a row may have no part: -1, None or NaN.

    Returns
    -------
    ndarray of int32
        (n_rows,) the number of each row's part, -1 where it has none.
    """
    values = _one_per_row(placed, n_rows, parameter)
    if values.dtype.kind == "i" and values.min() >= -free and values.max() < len(names):
        return values.astype(np.int32)
    number_of: dict[Any, int] = {name: number for number, name in enumerate(names)}
    numbers = np.empty(n_rows, np.int32)
    for at, value in enumerate(values.tolist()):
        if free and (is_missing(value) or value == -1):
            numbers[at] = -1
        elif isinstance(value, str) and value in number_of:
            numbers[at] = number_of[value]
        elif (
            (is_whole(value) or isinstance(value, float))
            and 0 <= value < len(names)
            and value == int(value)
        ):
            numbers[at] = int(value)
        else:
            none = ", or -1 where it is free" if free else ""
            raise InputError(
                f"must name a part for each row (0 to {len(names) - 1}: {show_some(names, 5)})"
                f"{none}, got {show_value(value)} at row {at}. Correct it, or add the part.",
                parameter=parameter,
            )
    return numbers


def _one_per_row(values: Any, n_rows: int, parameter: str) -> NDArray[Any]:
    if isinstance(values, str | bytes | dict | set | frozenset) or not hasattr(values, "__len__"):
        raise InputTypeError(
            f"must be an array with one entry per row, got {type(values).__name__}. "
            "Pass a list or a column.",
            parameter=parameter,
        )
    values = to_array(values, parameter)
    wrapped = to_narwhals(values, parameter)
    if wrapped is not None and not is_column(wrapped):
        raise InputError(
            f"must be one column, got a frame of {wrapped.shape[1]}. Pass the column itself.",
            parameter=parameter,
        )
    if wrapped is not None:
        values = (
            wrapped.to_numpy()
            if wrapped.dtype.is_integer() and not wrapped.is_null().any()
            else wrapped.to_list()
        )
    if isinstance(values, np.ma.MaskedArray):
        values = values.tolist()
    array = np.asarray(values) if isinstance(values, np.ndarray) else _as_array(values)
    if array.ndim != 1:
        raise InputError(
            f"must have one dimension, got {array.ndim}. Pass one entry per row.",
            parameter=parameter,
        )
    if len(array) != n_rows:
        raise InputError(
            f"must have one entry for each of the {n_rows:,} rows, got {len(array):,}. "
            "Check that both come from the same data.",
            parameter=parameter,
        )
    return array


def _as_array(values: Any) -> NDArray[Any]:
    """Keep Python values as they are, so that 1 and "1" stay two groups, unless all are numbers."""
    listed = unpack_tensors(values.tolist() if hasattr(values, "tolist") else list(values))
    if all(is_whole(value) and -(2**63) <= value < 2**63 for value in listed):
        return np.array(listed, dtype=np.int64)
    if all(isinstance(value, float) for value in listed):
        return np.array(listed, dtype=np.float64)
    array = np.empty(len(listed), dtype=object)
    array[:] = listed
    return array


def _refuse_missing(values: list[Any], parameter: str, advice: str) -> None:
    gone = [at for at, value in enumerate(values) if is_missing(value)]
    if gone:
        raise InputError(
            f"is missing for {len(gone):,} of {len(values):,} rows, first row {gone[0]}. {advice}",
            parameter=parameter,
        )


def list_values(values: Any, n_rows: int | None, parameter: str) -> list[Any]:
    """Return one value per row as Python values.

    Parameters
    ----------
    values : array, list or column
        (n_rows,) the values.
    n_rows : int or None
        The number of rows; None if the values tell it.
    parameter : str
        The name of the argument, for errors.

    Returns
    -------
    list
        The values.
    """
    if n_rows is None and hasattr(values, "__len__"):
        n_rows = len(values)
    if isinstance(values, list | tuple):
        # The values may be anything, also what NumPy would take apart, such as images.
        _one_per_row(np.empty(len(values)), n_rows or 0, parameter)
        return list(values)
    listed: list[Any] = _one_per_row(values, n_rows or 0, parameter).tolist()
    return listed
