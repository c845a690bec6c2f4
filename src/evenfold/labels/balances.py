"""`balance`, what is to be even besides labels → categories, bins and amounts per row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from .._checks.values import show_some, show_value
from .._tables.table import shorten
from ..exceptions import InputError, InputTypeError
from .column_rules import is_missing
from .hugging_face import is_dataset
from .tensors import to_array, unpack_tensors
from .wrapping import is_column, to_narwhals

# A numeric column with no more values than this is balanced value by value; one with more, in this
# many bins of equal rows.
N_BINS = 5
MISSING = "missing"
_MOST_SHOWN, _MAX_WIDTH = 8, 40


class Balance(NamedTuple):
    """One thing to keep even: a category of each row, or a number with its bin and its amount.

    Attributes
    ----------
    name : str
        The name of the column.
    code : ndarray of int64
        (n_rows,) the category or bin of each row.
    amount : ndarray of float64 or None
        (n_rows,) an amount of each row, 0 or more; None for categories.
    values : sequence
        What each code stands for.
    lowest : float
        What was subtracted from the amounts so that none is below 0.
    """

    name: str
    code: NDArray[np.int64]
    amount: NDArray[np.float64] | None
    values: Sequence[Any] = ()
    lowest: float = 0.0

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.code)


def check_balance(balance: Any, n_rows: int | None) -> list[Balance]:
    """Read a mapping or frame of columns, one column, or a matrix of amounts.

    Parameters
    ----------
    balance : mapping, frame, column or array
        The columns by name, or (n_rows, n_amounts) amounts; None for nothing.
    n_rows : int or None
        The number of rows that it must have; None where it is not known.

    Returns
    -------
    list of Balance
        One for each column.
    """
    if balance is None:
        return []
    if isinstance(balance, Mapping) and not is_dataset(balance):
        return [_read_column(str(name), values, n_rows) for name, values in balance.items()]
    balance = to_array(balance, "balance")
    if not isinstance(balance, np.ndarray) and scipy.sparse.issparse(balance):
        balance = balance.toarray()  # type: ignore[attr-defined]
    wrapped = to_narwhals(balance, "balance")
    if wrapped is not None and is_column(wrapped):
        return [_read_column(str(wrapped.name or "balance"), wrapped, n_rows)]
    if wrapped is not None:
        return [_read_column(str(column.name), column, n_rows) for column in wrapped.iter_columns()]
    if not isinstance(balance, np.ndarray | list | tuple) and not hasattr(balance, "__array__"):
        raise InputTypeError(
            "must be a mapping of columns, a frame, or a matrix of amounts, "
            f"got {type(balance).__name__}. Try balance={{'age': age}}.",
            parameter="balance",
        )
    try:
        array = np.asarray(balance)
    except ValueError:
        raise InputError(
            "must have rows of one length, got lists of several. "
            "Pass an (n_rows, n_amounts) matrix.",
            parameter="balance",
        ) from None
    if array.ndim == 1:
        return [_read_column("balance", balance, n_rows)]
    if array.ndim != 2 or array.dtype.kind not in "buif":
        raise InputError(
            "must be an (n_rows, n_amounts) matrix of numbers, "
            f"got {array.ndim} dimension(s) of {array.dtype}. Pass columns by name.",
            parameter="balance",
        )
    _check_length(len(array), n_rows, "")
    return [_read_column(f"amount {at}", column, n_rows) for at, column in enumerate(array.T)]


def describe_balance(names: Sequence[str]) -> list[str]:
    """Say which columns are balanced, for results that do not show how even they are.

    Examples
    --------
    >>> describe_balance(["age", "sex"]), describe_balance([])
    (['Balanced besides labels: age, sex.'], [])
    """
    shown = show_some((shorten(name, _MAX_WIDTH) for name in names), _MOST_SHOWN)
    return [f"Balanced besides labels: {shown}."] if names else []


def _read_column(name: str, values: Any, n_rows: int | None) -> Balance:
    where = f"column {name!r} "
    values = to_array(values, "balance")
    if isinstance(values, np.ndarray) and values.dtype.kind in "iuf" and values.ndim == 1:
        _check_length(len(values), n_rows, where)
        numbers = values.astype(np.float64)
        if not np.isnan(numbers).all():
            return read_numbers(name, numbers, where)
    listed = _list_values(values, where)
    _check_length(len(listed), n_rows, where)
    missing = np.array([is_missing(value) for value in listed], bool)
    known = [value for value, gone in zip(listed, missing, strict=True) if not gone]
    is_number = known and all(
        isinstance(value, int | float | np.number) and not isinstance(value, bool)
        for value in known
    )
    if not is_number:
        return _read_categories(name, listed, where)
    numbers = np.full(len(listed), np.nan)
    numbers[~missing] = np.array(known, dtype=np.float64)
    return read_numbers(name, numbers, where)


def _list_values(values: Any, where: str) -> list[Any]:
    """Return the values of a column as a list."""
    if isinstance(values, np.ndarray):
        listed: list[Any] = values.astype(object).tolist()
        return listed
    if isinstance(values, list | tuple):
        return list(unpack_tensors(values))
    wrapped = values if is_column(values) else to_narwhals(values, "balance")
    if is_column(wrapped):
        return wrapped.to_list()
    if not hasattr(values, "__len__"):
        raise InputTypeError(
            f"{where}must have one entry per row, got {type(values).__name__}. "
            "Pass a list or a column.",
            parameter="balance",
        )
    return list(values)


def _read_categories(name: str, listed: list[Any], where: str) -> Balance:
    """Number the values by first appearance; missing ones are a category of their own."""
    number_of: dict[Any, int] = {}
    try:
        code = [
            number_of.setdefault(None if is_missing(value) else value, len(number_of))
            for value in listed
        ]
    except TypeError:
        odd = next(value for value in listed if getattr(value, "__hash__", None) is None)
        raise InputTypeError(
            f"{where}must hold numbers or categories, got {show_value(odd)}, "
            f"a {type(odd).__name__}. Pass one value per row.",
            parameter="balance",
        ) from None
    values = [MISSING if value is None else value for value in number_of]
    return Balance(name, np.array(code, dtype=np.int64), None, values)


def read_numbers(
    name: str, numbers: NDArray[np.float64], where: str, parameter: str = "balance"
) -> Balance:
    """Keep the total even, and the distribution in bins.

    Missing numbers are a bin of their own, the last one, and count as the mean in the total.
    """
    infinite = np.flatnonzero(np.isinf(numbers))
    if len(infinite):
        raise InputError(
            f"{where}must hold finite numbers, got {numbers[infinite[0]]} at row {infinite[0]}. "
            "Fill it, or leave out the row.",
            parameter=parameter,
        )
    known = ~np.isnan(numbers)
    own = numbers[known]
    found = np.unique(own)
    if len(found) <= N_BINS:
        code_of_known = np.searchsorted(found, own)
        values = [f"{value:g}" for value in found]
    else:
        edges = np.quantile(own, np.arange(1, N_BINS) / N_BINS, method="nearest")
        code_of_known = np.searchsorted(edges, own, side="left")
        values = [
            f"up to {edges[0]:g}",
            *(f"over {low:g}, up to {high:g}" for low, high in pairwise(edges)),
            f"over {edges[-1]:g}",
        ]
    code = np.full(len(numbers), N_BINS, np.int64)
    code[known] = code_of_known
    # A constant more or less for all rows changes nothing in parts of exact sizes.
    lowest = min(0.0, float(own.min()))
    amount = np.full(len(numbers), (own - lowest).mean())
    amount[known] = own - lowest
    values = [*values, *[""] * (N_BINS - len(values)), MISSING]
    return Balance(name, code, amount, values, lowest)


def _check_length(length: int, n_rows: int | None, where: str) -> None:
    if n_rows is not None and length != n_rows:
        raise InputError(
            f"{where}must have one entry for each of the {n_rows:,} rows, got {length:,}. "
            "Check that both come from the same data.",
            parameter="balance",
        )
