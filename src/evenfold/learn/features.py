"""Features: tables of numbers, which are checked, and what base learners read, which is not."""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import check_consistent_length, validate_data

from ..exceptions import InputTypeError
from ..labels.wrapping import compute_lazy, is_column, to_narwhals

# In the place of y: there is none to check, as in scikit-learn.
NO_Y = "no_validation"
# Kinds of NumPy types of text and records; "O" may hold anything.
_KINDS_OF_TEXT = "USTV"
_NUMBERS = numbers.Number | np.number | np.bool_ | np.ndarray


def is_table_of_numbers(X: Any) -> bool:
    """Tell whether X is an array, sparse matrix or list of numbers.

    Frames are none, whatever they hold: base learners may select columns by name.
    """
    if sparse.issparse(X):
        return True
    if isinstance(X, np.ndarray) and X.dtype.kind == "O" and X.ndim > 1:
        return not any(isinstance(cell, str | bytes) for cell in X.flat)
    if isinstance(X, np.ndarray) and X.dtype.kind != "O":
        return X.dtype.kind not in _KINDS_OF_TEXT
    if isinstance(X, list | tuple | np.ndarray):
        first = X[0] if len(X) else 0
        cells = first if isinstance(first, list | tuple) else [first]
        return all(cell is None or isinstance(cell, _NUMBERS) for cell in cells)
    frame = to_narwhals(X, "X")
    if frame is None:
        return True
    return is_column(frame) and frame.dtype.is_numeric()


def is_text(X: Any) -> bool:
    """Tell whether X is one text, or another object, for each row, without columns."""
    if is_table_of_numbers(X):
        return False
    if isinstance(X, list | tuple):
        return not isinstance(X[0], Sequence) or isinstance(X[0], str | bytes)
    return len(X.shape) == 1


def check_features(
    learner: Any, X: Any, y: Any = NO_Y, *, reset: bool, needs_numbers: bool, **checks: Any
) -> Any:
    """Return X, and y if it is given, checked; X as it is if it is not a table of numbers.

    `checks` are those of scikit-learn's `check_array`. The learner gets the number of features and
    their names.
    """
    X = compute_lazy(X, "X")
    is_checked = needs_numbers or is_table_of_numbers(X)
    if needs_numbers and is_text(X):
        raise InputTypeError(
            f"must be numbers for {type(learner).__name__}, rows × features, "
            f"got {type(X).__name__} of text. Turn it into numbers first: "
            f"make_pipeline(TfidfVectorizer(), {type(learner).__name__}()).",
            parameter="X",
        )
    has_y = not isinstance(y, str)
    if is_checked and not has_y:
        return validate_data(learner, X, reset=reset, **checks)
    if is_checked:
        return validate_data(learner, X, y, reset=reset, multi_output=True, **checks)
    if has_y:
        # Before X, because without X it removes the names of features.
        is_numeric = bool(checks.get("y_numeric", False))
        y = validate_data(learner, y=y, multi_output=True, y_numeric=is_numeric)
    validate_data(learner, X, reset=reset, skip_check_array=True)
    if not has_y:
        return X
    check_consistent_length(X, y)
    return X, y


def count_rows(X: Any) -> int:
    """Return the number of rows of an array, matrix, frame or list."""
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def count_features(X: Any) -> int | None:
    """Return the number of columns; None for text."""
    if is_text(X):
        return None
    return int(X.shape[1]) if hasattr(X, "shape") else len(X[0])


def take_rows(X: Any, rows: NDArray[np.int64]) -> Any:
    """Return some rows, in the form of X."""
    if type(X).__module__.startswith("pyarrow."):
        return X.take(rows)  # scikit-learn does so from version 1.7 on
    has_rows: bool = isinstance(X, np.ndarray) or sparse.issparse(X)
    return X[rows] if has_rows else _safe_indexing(X, rows)


def append_columns(X: Any, columns: sparse.csc_array, what: str) -> Any:
    """Return the features with further columns of whole numbers, in the form of X."""
    is_sparse: bool = sparse.issparse(X)
    if is_sparse:
        # hstack makes an array of a matrix, which some learners do not take.
        return type(X)(sparse.hstack([X, columns], format="csr", dtype=X.dtype))
    if is_text(X):
        raise InputTypeError(
            f"must have columns, because {what} adds columns, got {type(X).__name__} of text. "
            f"Turn it into numbers first: make_pipeline(TfidfVectorizer(), {what}()).",
            parameter="X",
        )
    dense = columns.toarray()
    frame: Any = None if isinstance(X, list | tuple) else to_narwhals(X, "X")
    if frame is None:
        return np.hstack([np.asarray(X, None if hasattr(X, "dtype") else object), dense])
    import narwhals as nw

    names = _make_names(list(frame.columns), dense.shape[1])
    added = [
        nw.new_series(name, column, backend=frame.implementation)
        for name, column in zip(names, dense.T, strict=True)
    ]
    return frame.with_columns(*added).to_native()


def _make_names(names: list[Any], n_new: int) -> list[Any]:
    """Return new names for columns: text, or whole numbers if all names are."""
    if names and all(isinstance(name, numbers.Integral) for name in names):
        return list(range(max(names) + 1, max(names) + 1 + n_new))
    prefix = "label_"
    while any(str(name).startswith(prefix) for name in names):
        prefix = f"_{prefix}"
    return [f"{prefix}{place}" for place in range(n_new)]
