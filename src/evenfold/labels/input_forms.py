"""The forms of `y`: recognise each and pass it to its reader."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from .._checks.values import show_value
from ..exceptions import InputError, InputTypeError
from .classes import Subject, code_column, make_class_entries
from .column_rules import is_missing
from .entries import Entries, check_has_rows, join_columns
from .hugging_face import read_columns
from .lists import is_collection, read_rows
from .matrices import read_dense, read_sparse
from .several_columns import NamedColumn, join_named_columns, read_named_column
from .tensors import to_array, unpack_tensors
from .text_columns import read_single_column, read_text_lists
from .wrapping import is_column, to_narwhals

_FORMS = "a 0/1 array, a sparse matrix, a list of label lists, a frame, or a 1-D array of classes"


def read_labels(y: Any) -> Entries:
    """Read labels in any form evenfold takes; the input is left as it was."""
    if isinstance(y, list | tuple):
        return _read_sequence(unpack_tensors(y))
    y = to_array(y, "y")
    if isinstance(y, np.ndarray):
        return _read_array(unmask(y))
    if scipy.sparse.issparse(y):
        return read_sparse(y)
    columns = read_columns(y, "y")
    if columns is not None:
        from .dataset_labels import read_dataset

        return read_dataset(columns)
    wrapped = to_narwhals(y)
    if wrapped is not None:
        from .frames import read_frame, read_series

        return read_series(wrapped) if is_column(wrapped) else read_frame(wrapped)
    if hasattr(y, "__array__"):
        return _read_array(np.asarray(y))
    raise InputTypeError(f"must be {_FORMS}, got {type(y).__name__}. {_advice(y)}", parameter="y")


def read_classes(classes: Any) -> Entries:
    """Read class codes or names, one column or several, whatever their values."""
    subject = Subject("classes")
    if isinstance(classes, list | tuple):
        classes = unpack_tensors(classes)
    classes = to_array(classes, "classes")
    wrapped = to_narwhals(classes)
    if wrapped is not None:
        from .frames import read_class_frame

        if is_column(wrapped):
            return make_class_entries(code_column(wrapped.to_list(), subject))
        return read_class_frame(wrapped)
    values = _as_class_array(classes)
    if values.ndim == 1:
        return make_class_entries(code_column(values, subject))
    if values.ndim == 2 and values.shape[1] == 0:
        raise InputError(
            "must have at least one column, got none. Check how the columns were chosen.",
            parameter="classes",
        )
    if values.ndim != 2:
        raise InputError(
            f"must have one or two dimensions, got {values.ndim}. Pass rows × columns of classes.",
            parameter="classes",
        )
    return join_columns(
        [
            make_class_entries(code_column(column, Subject("classes", f"column {name} ")), name)
            for name, column in enumerate(values.T)
        ]
    )


def read_text(y: Any, separator: str | None) -> Entries:
    """Read one column of text whose cells hold several labels each."""
    values = y
    wrapped = to_narwhals(y)
    if wrapped is not None:
        from .frames import plain_values

        if not is_column(wrapped) and len(wrapped.columns) == 1:
            wrapped = wrapped[wrapped.columns[0]]
        values = plain_values(wrapped) if is_column(wrapped) else y
    if not isinstance(values, list | tuple | np.ndarray) or np.ndim(values) != 1:
        raise InputTypeError(
            f"must be one column of text, got {show_value(y)}, a {type(y).__name__}. "
            "Pass a list of strings or a column.",
            parameter="y",
        )
    column = code_column(unmask(values) if isinstance(values, np.ndarray) else values, Subject())
    if column.values and not column.holds_text:
        raise InputTypeError(
            f"must be one column of text, got {show_value(column.values[0])}, "
            f"a {type(column.values[0]).__name__}. Pass classes to from_classes.",
            parameter="y",
        )
    return read_text_lists(column, separator)


def _as_class_array(classes: Any) -> NDArray[Any]:
    if not isinstance(classes, list | tuple | np.ndarray) and not hasattr(classes, "__array__"):
        raise InputTypeError(
            "must be an array, a list or a frame of classes, "
            f"got {type(classes).__name__}. {_advice(classes)}",
            parameter="classes",
        )
    try:
        if isinstance(classes, np.ndarray) or not _holds_objects(classes):
            return np.asarray(classes)
        return np.array(classes, dtype=object)
    except ValueError as error:
        raise InputError(
            f"must have rows of one length, got lists of several ({error}). "
            "Pass label lists to split() as they are.",
            parameter="classes",
        ) from None


def unmask(y: NDArray[Any]) -> NDArray[Any]:
    """Return a plain array; a masked entry becomes None."""
    if not isinstance(y, np.ma.MaskedArray):
        return np.asarray(y)
    plain: NDArray[Any] = y.data.astype(object)
    plain[np.ma.getmaskarray(y)] = None
    return plain


def _read_sequence(y: Sequence[Any]) -> Entries:
    check_has_rows(len(y))
    first = next((row for row in y if not is_missing(row)), None)
    if is_collection(first):
        return read_rows(y)
    at = next((at for at, row in enumerate(y) if is_collection(row)), None)
    if at is not None:
        raise InputTypeError(
            "must hold one class per row or one collection of labels per row, "
            f"got both: {show_value(first)} and, at row {at}, {show_value(y[at])}. "
            "Write a single label as a list of one.",
            parameter="y",
        )
    return read_single_column(code_column(y, Subject()))


def _read_array(y: NDArray[Any]) -> Entries:
    if y.ndim not in (1, 2):
        raise InputError(
            f"must have one dimension (classes) or two (rows × labels), got {y.ndim}. Reshape it.",
            parameter="y",
        )
    check_has_rows(len(y))
    if y.dtype.kind == "T":
        y = y.astype(object)
    if y.dtype.kind not in "buifOSU":
        raise InputTypeError(
            f"must hold numbers, booleans or strings, got an array of {y.dtype}. Convert it first.",
            parameter="y",
        )
    if y.ndim == 1:
        if y.dtype.kind == "O":
            return _read_sequence(y.tolist())
        return read_single_column(code_column(y, Subject()))
    if y.dtype.kind in "buif":
        return read_dense(y)
    if not _holds_text(y):
        return read_dense(_as_numbers(y))
    is_single = y.shape[1] == 1
    return join_named_columns(
        [_read_array_column(column, at, is_single) for at, column in enumerate(y.T)]
    )


def _read_array_column(values: NDArray[Any], name: int, is_single: bool) -> NamedColumn:
    """Read one column of a 2-D array of strings or objects."""
    if not _holds_text(values):
        entries = read_dense(_as_numbers(values.reshape(-1, 1)), [name])
        return NamedColumn(name, entries, holds_flags=True)
    column = code_column(values, Subject(prefix=f"column {name} "))
    return read_named_column(column, name, is_single=is_single)


def _holds_text(y: NDArray[Any]) -> bool:
    return y.dtype.kind in "SU" or any(isinstance(value, str | bytes) for value in y.flat)


def _as_numbers(y: NDArray[Any]) -> NDArray[np.float64]:
    try:
        return np.array(
            [[np.nan if is_missing(value) else value for value in row] for row in y], np.float64
        )
    except (TypeError, ValueError):
        odd = next(
            value
            for value in y.flat
            if not isinstance(value, int | float | np.number) and not is_missing(value)
        )
        raise InputTypeError(
            f"must hold 0 and 1, or strings, got {show_value(odd)}, a {type(odd).__name__}. "
            f"Pass {_FORMS}.",
            parameter="y",
        ) from None


def _holds_objects(classes: Any) -> bool:
    """Tell whether NumPy would turn mixed values into strings by itself."""
    rows = classes if isinstance(classes, list | tuple) else []
    return any(
        value is None or isinstance(value, str)
        for row in rows
        for value in (row if isinstance(row, list | tuple) else [row])
    )


def _advice(y: Any) -> str:
    if y is None:
        return "Pass the labels of the rows."
    if hasattr(y, "__next__"):
        return "Pass list(y)."
    if isinstance(y, set | frozenset):
        return "A set has no order of rows; pass a list."
    if isinstance(y, dict):
        return "Pass its values as a list, or a frame made of it."
    return "Convert it to one of these."
