"""Tell the forms of `y` apart and hand each to its reader."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
from scipy import sparse

from .._checks.values import shorten
from ..exceptions import InputError, InputTypeError
from .classes import is_missing, read_class_columns, read_class_vector
from .entries import Entries, check_has_rows
from .frames import read_frame, read_series, to_narwhals
from .lists import is_collection, read_rows
from .matrices import read_dense, read_sparse

_FORMS = "a 0/1 array, a sparse matrix, a list of label lists, a frame, or a 1-D array of classes"


def read_labels(y: Any) -> Entries:
    """Read labels in any form evenfold takes; the input is left as it was."""
    if sparse.issparse(y):
        return read_sparse(y)
    if isinstance(y, list | tuple):
        return _read_sequence(y)
    if isinstance(y, np.ma.MaskedArray):
        # A masked entry is one of which nobody knows.
        plain = y.data.astype(object)
        plain[np.ma.getmaskarray(y)] = None
        return _read_array(plain)
    if isinstance(y, np.ndarray):
        return _read_array(np.asarray(y))
    wrapped = (
        None if y is None or isinstance(y, str | bytes | dict | set | frozenset) else to_narwhals(y)
    )
    if wrapped is not None:
        return (
            read_series(wrapped)
            if isinstance(wrapped, nw.Series)
            else read_frame(wrapped, classes=False)
        )
    if hasattr(y, "__array__"):
        return _read_array(np.asarray(y))
    raise InputTypeError(f"must be {_FORMS}, got {type(y).__name__}. {_advice(y)}", parameter="y")


def read_classes(classes: Any) -> Entries:
    """Read class codes or names, one column or several, whatever their values: a label per column and value."""
    wrapped = None if isinstance(classes, list | tuple | np.ndarray) else to_narwhals(classes)
    if wrapped is not None:
        return (
            read_class_vector(wrapped.to_list())
            if isinstance(wrapped, nw.Series)
            else read_frame(wrapped, classes=True)
        )
    if not isinstance(classes, list | tuple | np.ndarray) and not hasattr(classes, "__array__"):
        raise InputTypeError(
            f"must be an array, a list or a frame of classes, got {type(classes).__name__}. {_advice(classes)}",
            parameter="classes",
        )
    try:
        values = (
            np.asarray(classes)
            if isinstance(classes, np.ndarray) or not _holds_objects(classes)
            else np.array(classes, dtype=object)
        )
    except ValueError as error:
        raise InputError(
            f"must have rows of one length, got lists of several ({error}). Pass label lists to split() as they are.",
            parameter="classes",
        ) from None
    if values.ndim == 1:
        return read_class_vector(values)
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
    return read_class_columns(list(values.T), range(values.shape[1]))


def _read_sequence(y: list[Any] | tuple[Any, ...]) -> Entries:
    check_has_rows(len(y))
    first = next((row for row in y if not is_missing(row)), None)
    if is_collection(first):
        return read_rows(y)
    at = next((at for at, row in enumerate(y) if is_collection(row)), None)
    if at is not None:
        raise InputTypeError(
            f"must hold one class per row or one collection of labels per row, got both: {shorten(first)} and, at row {at}, {shorten(y[at])}. "
            "Write a single label as a list of one.",
            parameter="y",
        )
    return read_class_vector(y)


def _read_array(y: np.ndarray[Any, Any]) -> Entries:
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
        return _read_sequence(y.tolist()) if y.dtype.kind == "O" else read_class_vector(y)
    if y.dtype.kind in "buif":
        return read_dense(y)
    if y.dtype.kind == "O" and not any(isinstance(value, str) for value in y.flat):
        try:
            return read_dense(
                np.array(
                    [[np.nan if is_missing(value) else value for value in row] for row in y],
                    dtype=np.float64,
                )
            )
        except (TypeError, ValueError):
            odd = next(
                value
                for value in y.flat
                if not isinstance(value, int | float | np.number) and not is_missing(value)
            )
            raise InputTypeError(
                f"must hold 0 and 1, or strings, got {shorten(odd)}, a {type(odd).__name__}. Pass {_FORMS}.",
                parameter="y",
            ) from None
    return read_class_columns(list(y.T), range(y.shape[1]))


def _holds_objects(classes: Any) -> bool:
    """Tell whether NumPy would turn mixed values into strings if left to itself."""
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
