"""One value per row: groups, and the part a row is in."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from ..exceptions import InputError, InputTypeError
from .classes import is_missing, sort_names
from .frames import to_narwhals

_USUAL_ORDER = ("train", "val", "test")


def check_groups(groups: Any, n_rows: int) -> NDArray[np.int64]:
    """Number the groups by first appearance, so that it does not matter what they are called."""
    values = _one_per_row(groups, n_rows, "groups")
    if values.dtype.kind in "biu":
        _, first, codes = np.unique(values, return_index=True, return_inverse=True)
        rank = np.empty(len(first), np.int64)
        rank[np.argsort(first)] = np.arange(len(first))
        return rank[codes]
    listed = values.tolist()
    _refuse_missing(listed, "groups", "Give every row a group, a row that belongs to none one of its own.")
    number_of: dict[Any, int] = {}
    return np.fromiter((number_of.setdefault(group, len(number_of)) for group in listed), np.int64, n_rows)


def check_part_of_row(part_of_row: Any, n_rows: int) -> tuple[NDArray[np.int32], list[str] | None]:
    """Return the number of each row's part and, where parts came as strings, their names in order."""
    values = _one_per_row(part_of_row, n_rows, "part_of_row")
    if values.dtype.kind == "f" and np.array_equal(values, np.floor(values)):
        values = values.astype(np.int64)
    if values.dtype.kind in "iu":
        if values.min() < 0:
            at = int(np.flatnonzero(values < 0)[0])
            raise InputError(f"'part_of_row' must number the parts from 0, got {values[at]} at row {at}. Leave out rows that are in no part.")
        if values.max() >= n_rows + 1_000:
            raise InputError(f"'part_of_row' must number the parts from 0, got part {values.max():,} for {n_rows:,} rows. Pass names as strings.")
        return values.astype(np.int32), None
    listed = values.tolist()
    _refuse_missing(listed, "part_of_row", "Leave out rows that are in no part.")
    odd = next((value for value in listed if not isinstance(value, str)), None)
    if odd is not None:
        raise InputTypeError(f"'part_of_row' must hold part numbers or part names, got {odd!r}, a {type(odd).__name__}. Use 0, 1, … or strings.")
    names = sort_names(set(listed), "'part_of_row'")
    if set(names) <= set(_USUAL_ORDER):
        names = [name for name in _USUAL_ORDER if name in names]
    number_of = {name: number for number, name in enumerate(names)}
    return np.fromiter((number_of[name] for name in listed), np.int32, n_rows), names


def _one_per_row(values: Any, n_rows: int, parameter: str) -> NDArray[Any]:
    if isinstance(values, str | bytes | dict | set | frozenset) or not hasattr(values, "__len__"):
        raise InputTypeError(f"'{parameter}' must be an array with one entry per row, got {type(values).__name__}. Pass a list or a column.")
    wrapped = None if isinstance(values, list | tuple | np.ndarray) else to_narwhals(values)
    if wrapped is not None and isinstance(wrapped, nw.DataFrame):
        raise InputError(f"'{parameter}' must be one column, got a frame of {wrapped.shape[1]}. Pass the column itself.")
    if wrapped is not None:
        values = wrapped.to_numpy() if wrapped.dtype.is_integer() and not wrapped.is_null().any() else wrapped.to_list()
    array = values if isinstance(values, np.ndarray) else _as_array(values)
    if array.ndim != 1:
        raise InputError(f"'{parameter}' must have one dimension, got {array.ndim}. Pass one entry per row.")
    if len(array) != n_rows:
        raise InputError(
            f"'{parameter}' must have one entry for each of the {n_rows:,} rows, got {len(array):,}. Check that both come from the same data."
        )
    return array


def _as_array(values: Any) -> NDArray[Any]:
    """Keep Python values as they are, so that 1 and "1" stay two groups, unless all are whole numbers."""
    listed = values.tolist() if hasattr(values, "tolist") else list(values)
    if all(type(value) is int or isinstance(value, np.integer) for value in listed):
        return np.array(listed, dtype=np.int64)
    array = np.empty(len(listed), dtype=object)
    array[:] = listed
    return array


def _refuse_missing(values: list[Any], parameter: str, advice: str) -> None:
    gone = [at for at, value in enumerate(values) if is_missing(value)]
    if gone:
        raise InputError(f"'{parameter}' is missing for {len(gone):,} of {len(values):,} rows, first row {gone[0]}. {advice}")
