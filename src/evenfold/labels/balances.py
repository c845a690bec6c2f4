"""`balance`: what besides labels is to be even → categories, bins and amounts per row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import narwhals as nw
import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from .._checks.values import shorten
from ..exceptions import InputError, InputTypeError
from .classes import is_missing
from .frames import to_narwhals

# A numeric column with no more values than this is balanced value by value; one with more, in this many bins of equal rows.
_N_BINS = 5
_MISSING = "missing"


class Balance(NamedTuple):
    """One thing to keep even: the category or bin of each row, an amount of each row that is 0 or more, or both.

    `values` says what each code stands for; `lowest` is what was taken off the amounts so that none is below 0.
    """

    name: str
    code: NDArray[np.int64] | None
    amount: NDArray[np.float64] | None
    values: Sequence[Any] = ()
    lowest: float = 0.0


def check_balance(balance: Any, n_rows: int | None) -> list[Balance]:
    """Read a mapping or frame of columns, one column, or an (n_rows, n_amounts) matrix of amounts."""
    if balance is None:
        return []
    if isinstance(balance, Mapping):
        return [_read_column(str(name), values, n_rows) for name, values in balance.items()]
    if sparse.issparse(balance):
        balance = balance.toarray()  # type: ignore[attr-defined]
    wrapped = (
        None if isinstance(balance, np.ndarray | list | tuple) else to_narwhals(balance, "balance")
    )
    if isinstance(wrapped, nw.DataFrame):
        return [_read_column(str(column.name), column, n_rows) for column in wrapped.iter_columns()]
    if isinstance(wrapped, nw.Series):
        return [_read_column(str(wrapped.name or "balance"), wrapped, n_rows)]
    if not isinstance(balance, np.ndarray | list | tuple) and not hasattr(balance, "__array__"):
        raise InputTypeError(
            f"must be a mapping of columns, a frame, or a matrix of amounts, got {type(balance).__name__}. Try balance={{'age': age}}.",
            parameter="balance",
        )
    try:
        array = np.asarray(balance)
    except ValueError:
        raise InputError(
            "must have rows of one length, got lists of several. Pass an (n_rows, n_amounts) matrix.",
            parameter="balance",
        ) from None
    if array.ndim == 1:
        return [_read_column("balance", balance, n_rows)]
    if array.ndim != 2 or array.dtype.kind not in "buif":
        raise InputError(
            f"must be an (n_rows, n_amounts) matrix of numbers, got {array.ndim} dimension(s) of {array.dtype}. Pass columns by name.",
            parameter="balance",
        )
    _check_length(len(array), n_rows, "")
    return [
        Balance(f"amount {at}", None, _check_amounts(column.astype(np.float64), at))
        for at, column in enumerate(array.T)
    ]


def _check_amounts(amount: NDArray[np.float64], column: int) -> NDArray[np.float64]:
    wrong = np.flatnonzero(~(amount >= 0) | np.isinf(amount))
    if len(wrong):
        raise InputError(
            f"must hold amounts of 0 or more, got {amount[wrong[0]]} at row {wrong[0]}, column {column}. "
            "Shift the column, or pass it by name to have it balanced as a numeric column.",
            parameter="balance",
        )
    return amount


def _read_column(name: str, values: Any, n_rows: int | None) -> Balance:
    where = f"column {name!r} "
    wrapped = values if isinstance(values, nw.Series) else None
    if wrapped is None and not isinstance(values, np.ndarray | list | tuple):
        read = to_narwhals(values, "balance")
        wrapped = read if isinstance(read, nw.Series) else None
    if wrapped is None and not hasattr(values, "__len__"):
        raise InputTypeError(
            f"{where}must have one entry per row, got {type(values).__name__}. Pass a list or a column.",
            parameter="balance",
        )
    listed = (
        wrapped.to_list()
        if wrapped is not None
        else np.asarray(values, dtype=object).tolist()
        if isinstance(values, np.ndarray)
        else list(values)
    )
    _check_length(len(listed), n_rows, where)
    missing = np.array([is_missing(value) for value in listed], bool)
    known = [value for value, gone in zip(listed, missing, strict=True) if not gone]
    if known and all(
        isinstance(value, int | float | np.number) and not isinstance(value, bool)
        for value in known
    ):
        numbers = np.full(len(listed), np.nan)
        numbers[~missing] = np.array(known, dtype=np.float64)
        if np.isinf(numbers).any():
            raise InputError(
                f"{where}must hold finite numbers, got {numbers[np.isinf(numbers)][0]} at row {np.flatnonzero(np.isinf(numbers))[0]}.",
                parameter="balance",
            )
        return _read_numbers(name, numbers)
    number_of: dict[Any, int] = {}
    try:
        code = [
            number_of.setdefault(None if gone else value, len(number_of))
            for value, gone in zip(listed, missing, strict=True)
        ]
    except TypeError:
        odd = next(value for value in known if getattr(value, "__hash__", None) is None)
        raise InputTypeError(
            f"{where}must hold numbers or categories, got {shorten(odd)}, a {type(odd).__name__}. Pass one value per row.",
            parameter="balance",
        ) from None
    return Balance(
        name,
        np.array(code, dtype=np.int64),
        None,
        [_MISSING if value is None else value for value in number_of],
    )


def _read_numbers(name: str, numbers: NDArray[np.float64]) -> Balance:
    """Keep the total even, and the distribution in bins; a missing number is a bin of its own and weighs as the mean."""
    known = ~np.isnan(numbers)
    own = numbers[known]
    found, code_of_known = np.unique(own, return_inverse=True)
    values = [f"{value:g}" for value in found]
    if len(found) > _N_BINS:
        edges = np.quantile(own, np.arange(1, _N_BINS) / _N_BINS, method="nearest")
        code_of_known = np.searchsorted(edges, own, side="left")
        values = [
            f"up to {edges[0]:g}",
            *(f"over {low:g}, up to {high:g}" for low, high in pairwise(edges)),
            f"over {edges[-1]:g}",
        ]
    code = np.full(len(numbers), _N_BINS, np.int64)
    code[known] = code_of_known
    amount = np.full(len(numbers), (own - own.min()).mean())
    amount[known] = own - own.min()
    return Balance(
        name, code, amount, [*values, *[""] * (_N_BINS - len(values)), _MISSING], float(own.min())
    )


def _check_length(length: int, n_rows: int | None, where: str) -> None:
    if n_rows is not None and length != n_rows:
        raise InputError(
            f"{where}must have one entry for each of the {n_rows:,} rows, got {length:,}. Check that both come from the same data.",
            parameter="balance",
        )
