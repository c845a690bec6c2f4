"""One target of any kind, or several → labels of its classes, and numbers to keep even.

The rule for each column, unless the user says what it holds:

=============================================  ====================================================
Values                                         Kept even
=============================================  ====================================================
text, categories, booleans, other objects      as classes: a label for each value
numbers with fractions                         as numbers: total and quantile bins, as `balance` is
whole numbers, at most 20 different ones       as classes
more whole numbers                             as classes, and as numbers besides
whole numbers in fewer than 2 rows each, on    as numbers, with a warning that names both readings;
average                                        as classes if there are at most 5 different ones
=============================================  ====================================================

Missing values are a class of their own, or a bin of their own and the mean in the total.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._checks.assumptions import warn_of_assumption
from .._checks.choices import check_choice, suggest
from .._checks.values import show_some, show_value
from ..exceptions import InputError
from .balances import N_BINS, Balance, read_numbers
from .classes import CodedColumn, Subject, code_column, make_class_entries
from .column_rules import find_fractions, is_missing
from .entries import join_columns
from .labels import Labels, make_labels
from .target_columns import TargetColumn, list_columns
from .tensors import to_array
from .wrapping import is_column, to_narwhals

TARGETS = ("auto", "classes", "numbers")
# Bins would cut more whole numbers than this in a way that classes do not. With fewer rows for each
# on average, most classes are in one row, which no split can make even. Chosen by judgement.
_MOST_CLASSES_ALONE, _LEAST_ROWS_OF_CLASS = 20, 2

Target = str | Mapping[Any, str]


def check_target(target: Any) -> Target:
    """Return what the user says a target holds, or each of several by its name."""
    if not isinstance(target, Mapping):
        return check_choice(target, "target", TARGETS)
    return {name: check_choice(own, "target", TARGETS) for name, own in target.items()}


def read_target(y: Any, target: Target = "auto") -> tuple[Labels, list[Balance]]:
    """Read one target, or several in columns.

    Parameters
    ----------
    y : array, list, column, frame or mapping
        (n_rows,) or (n_rows, n_columns) values.
    target : str or mapping, default="auto"
        One of `TARGETS`, or one for some of the columns by name.

    Returns
    -------
    labels : Labels
        A label for each value of the columns of classes.
    balance : list of Balance
        The columns of numbers.
    """
    columns = list_columns(y)
    if isinstance(target, Mapping):
        _check_names(target, columns)
    entries, balance = [], []
    for column in columns:
        own = target.get(column.name, "auto") if isinstance(target, Mapping) else target
        are_classes, numbers = _find_kind(column, own)
        if are_classes:
            entries.append(make_class_entries(_code_values(column), column.name))
        if numbers is not None:
            name = "y" if column.name is None else str(column.name)
            balance.append(read_numbers(name, numbers, column.where, "y"))
    if entries:
        joined = join_columns(entries)
        return Labels(joined.indptr, joined.indices, joined.names), balance
    indptr = np.zeros(len(columns[0].values) + 1, np.int64)
    return Labels(indptr, np.empty(0, np.int32), []), balance


def read_labels_or_target(y: Any, target: Target) -> tuple[Labels, list[Balance]]:
    """Read labels in any form, but a single column of numbers as a target.

    Numbers that are classes alone are labels, as `make_labels` reads them.
    """
    if target != "auto":
        return read_target(y, target)
    if _is_column_of_numbers(y):
        labels, balance = read_target(y)
        if balance:
            return labels, balance
    return make_labels(y), []


def _is_column_of_numbers(y: Any) -> bool:
    """Tell whether there is one column, and its type, or that of its values, is of numbers."""
    if isinstance(y, Labels):
        return False
    if isinstance(y, list | tuple):
        return _to_floats(y) is not None
    y = to_array(y, "y")
    if isinstance(y, np.ndarray):
        is_single = y.ndim == 1 or (y.ndim == 2 and y.shape[1] == 1)
        return is_single and y.dtype.kind in "iuf" and y.size > 0
    wrapped = to_narwhals(y)
    if wrapped is not None and not is_column(wrapped):
        wrapped = wrapped[wrapped.columns[0]] if len(wrapped.columns) == 1 else None
    return is_column(wrapped) and wrapped.dtype.is_numeric()


def _find_kind(column: TargetColumn, target: str) -> tuple[bool, NDArray[np.float64] | None]:
    """Return whether a column holds classes, and its numbers, NaN where missing, if it has some."""
    if target == "classes" or (target == "auto" and column.is_category):
        return True, None
    numbers = _to_floats(column.values, may_be_flags=target == "numbers")
    known = np.empty(0) if numbers is None else numbers[~np.isnan(numbers)]
    if target == "numbers":
        if not len(known):
            raise _no_numbers(column)
        return False, numbers
    if not _are_whole(column.values) and len(find_fractions(known)):
        return False, numbers
    n_values = len(np.unique(known))
    if n_values <= N_BINS:
        return True, None
    if len(known) < _LEAST_ROWS_OF_CLASS * n_values:
        _warn_of_whole_numbers(column, n_values)
        return False, numbers
    return True, numbers if n_values > _MOST_CLASSES_ALONE else None


def _warn_of_whole_numbers(column: TargetColumn, n_values: int) -> None:
    def write(target: str) -> str:
        return f"target={target if column.name is None else {column.name: target}!r}"

    warn_of_assumption(
        f"'y' {column.where}holds {n_values:,} different whole numbers in "
        f"{len(column.values):,} rows: they are kept even as numbers, by total and quantile bins. "
        f"Pass {write('numbers')} if this is meant, {write('classes')} if each is a class."
    )


def _to_floats(
    values: NDArray[Any] | Sequence[Any], may_be_flags: bool = False
) -> NDArray[np.float64] | None:
    """Return numbers as floats, NaN where missing; None if there are none, or other values."""
    if isinstance(values, np.ndarray):
        is_number = values.dtype.kind in ("biuf" if may_be_flags else "iuf")
        return values.astype(np.float64) if is_number else None
    floats = np.full(len(values), np.nan)
    for row, value in enumerate(values):
        if is_missing(value):
            continue
        is_flag = isinstance(value, bool | np.bool_)
        if (is_flag and not may_be_flags) or not isinstance(value, Real | Decimal | np.bool_):
            return None
        floats[row] = float(value)
    return None if np.isnan(floats).all() else floats


def _are_whole(values: NDArray[Any] | Sequence[Any]) -> bool:
    """Tell whether values are whole numbers by their type, which may be too large for floats."""
    if isinstance(values, np.ndarray):
        return values.dtype.kind in "iu"
    return all(isinstance(value, Integral) or is_missing(value) for value in values)


def _no_numbers(column: TargetColumn) -> InputError:
    numbers = (Real, Decimal, np.bool_)
    others = (own for own in column.values if not isinstance(own, numbers) and not is_missing(own))
    odd = next(others, None)
    found = "missing values only" if odd is None else f"{show_value(odd)}, a {type(odd).__name__}"
    return InputError(
        f"{column.where}must hold numbers with target='numbers', got {found}. "
        "Leave out the target, or pass numbers.",
        parameter="y",
    )


def _code_values(column: TargetColumn) -> CodedColumn:
    """Number the values by their sorted order; missing ones are the last value."""
    numbers = None if _are_whole(column.values) else _to_floats(column.values)
    if numbers is not None:
        known = ~np.isnan(numbers)
        found, own_code = np.unique(numbers[known], return_inverse=True)
        code = np.full(len(numbers), -1, np.int64)
        code[known] = own_code
        names = [int(own) if own.is_integer() else own for own in found.tolist()]
    else:
        coded = code_column(_name_objects(column.values), Subject("y", column.where))
        code, names = coded.code_of_row, list(coded.values)
    if (code < 0).any():
        code, names = np.where(code < 0, len(names), code), [*names, None]
    return CodedColumn(code, names)


def _name_objects(values: NDArray[Any] | list[Any]) -> NDArray[Any] | list[Any]:
    """Return intervals, dates and other objects as text."""
    if isinstance(values, np.ndarray):
        return values
    plain = (str, bytes, Real, np.bool_)
    return [
        own if is_missing(own) or isinstance(own, plain) or own.__hash__ is None else str(own)
        for own in values
    ]


def _check_names(target: Mapping[Any, str], columns: Sequence[TargetColumn]) -> None:
    names = [column.name for column in columns]
    unknown = next((name for name in target if name not in names), None)
    if unknown is None:
        return
    if names == [None]:
        raise InputError(
            f"must be text where there is one target, got {show_value(target)}. "
            "Try target='numbers'.",
            parameter="target",
        )
    shown = [str(name) for name in names]
    raise InputError(
        f"must name columns of 'y' ({show_some(shown, 8)}), got {unknown!r}. "
        f"{suggest(str(unknown), shown, 'Take one of these.')}",
        parameter="target",
    )
