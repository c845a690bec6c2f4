"""`y` of one target or several → columns, each with one value per row, as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from .._checks.values import show_value
from ..exceptions import InputError, InputTypeError
from .column_rules import is_missing
from .entries import check_has_rows
from .hugging_face import is_dataset
from .input_forms import unmask
from .lists import is_collection
from .tensors import to_array, unpack_tensors
from .wrapping import is_column, to_narwhals

_FORMS = "one value for each row, or a frame, mapping or matrix of such columns"
_LABELS = "Use MultilabelStratifiedKFold for rows of several labels."


class TargetColumn(NamedTuple):
    """One target.

    Attributes
    ----------
    name : Any
        Its name; None if there are no others.
    values : ndarray or list
        (n_rows,) its values.
    is_category : bool
        Whether its type says that it holds classes.
    """

    name: Any
    values: NDArray[Any] | list[Any]
    is_category: bool = False

    @property
    def where(self) -> str:
        """What errors about the column begin with, with a blank after it."""
        return _say_where(self.name)


def list_columns(y: Any) -> list[TargetColumn]:
    """Return the columns of `y`: the values of all rows, or those of each column."""
    columns = _read_columns(y)
    if not columns:
        raise InputError(
            "must have at least one column, got none. Check how the columns were chosen.",
            parameter="y",
        )
    check_has_rows(len(columns[0].values))
    for column in columns:
        if len(column.values) != len(columns[0].values):
            raise InputError(
                "must have columns of one length, "
                f"got {len(columns[0].values):,} and {len(column.values):,} rows. "
                "Check that they come from the same data.",
                parameter="y",
            )
    if len(columns) == 1:
        return [columns[0]._replace(name=None)]
    return columns


def _read_columns(y: Any) -> list[TargetColumn]:
    if isinstance(y, Mapping) and not is_dataset(y):
        return [_read_column(name, values) for name, values in y.items()]
    if isinstance(y, list | tuple):
        return _read_sequence(list(unpack_tensors(y)))
    y = to_array(y, "y")
    if scipy.sparse.issparse(y):
        raise InputTypeError(f"must be {_FORMS}, got a sparse matrix. {_LABELS}", parameter="y")
    wrapped = to_narwhals(y)
    if wrapped is not None and not is_column(wrapped):
        return [_read_column(column.name, column) for column in wrapped.iter_columns()]
    if wrapped is None and hasattr(y, "__array__") and np.ndim(y) == 2:
        return [_read_column(name, column) for name, column in enumerate(np.asarray(y).T)]
    return [_read_column(None, y)]


def _read_sequence(y: list[Any]) -> list[TargetColumn]:
    """Read a list of values, of rows, or of columns: arrays or columns longer than the list."""
    first: Any = next((value for value in y if not is_missing(value)), None)
    if first is not None and all(_is_long_column(value, len(y)) for value in y):
        return [_read_column(name, values) for name, values in enumerate(y)]
    if not is_collection(first):
        return [_read_column(None, y)]
    is_row = isinstance(first, list | tuple | np.ndarray)
    if not is_row or any(not is_collection(row) or len(row) != len(first) for row in y):
        raise InputError(f"must be {_FORMS}, got lists of labels. {_LABELS}", parameter="y")
    return [_read_column(name, list(values)) for name, values in enumerate(zip(*y, strict=True))]


def _is_long_column(value: Any, n_columns: int) -> bool:
    if isinstance(value, np.ndarray):
        return value.ndim == 1 and len(value) > n_columns
    wrapped = None if isinstance(value, Sequence) else to_narwhals(value)
    return is_column(wrapped) and len(wrapped) > n_columns


def _read_column(name: Any, values: Any) -> TargetColumn:
    values = to_array(values, "y")
    if isinstance(values, list | tuple):
        return TargetColumn(name, _check_values(name, list(unpack_tensors(values))))
    wrapped = values if is_column(values) else to_narwhals(values)
    if is_column(wrapped):
        import narwhals as nw

        is_category = wrapped.dtype in (nw.Categorical, nw.Enum)
        is_plain = wrapped.dtype.is_numeric() and not wrapped.dtype.is_decimal()
        if is_plain and not is_category and not wrapped.null_count():
            return TargetColumn(name, wrapped.to_numpy())
        return TargetColumn(name, _check_values(name, wrapped.to_list()), is_category)
    if wrapped is None and not isinstance(values, str | bytes) and hasattr(values, "__array__"):
        array = unmask(np.asanyarray(values))
        if array.ndim == 1:
            plain = array.dtype.kind in "biuf"
            return TargetColumn(name, array if plain else _check_values(name, array.tolist()))
    raise InputTypeError(
        f"{_say_where(name)}must be {_FORMS}, got {show_value(values)}. "
        "Pass a list, a column or an array.",
        parameter="y",
    )


def _check_values(name: Any, values: list[Any]) -> list[Any]:
    """Refuse lists in the place of values."""
    row = next((row for row, value in enumerate(values) if is_collection(value)), None)
    if row is None:
        return values
    raise InputError(
        f"{_say_where(name)}must hold one value for each row, "
        f"got {show_value(values[row])} at row {row}. {_LABELS}",
        parameter="y",
    )


def _say_where(name: Any) -> str:
    return "" if name is None else f"column {name!r} "
