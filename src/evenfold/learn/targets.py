"""`y` as scikit-learn passes it → one column of 0 and 1 for each label."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from .._checks.values import show_value
from ..exceptions import InputError


def read_targets(
    y: NDArray[Any] | sparse.csr_array,
) -> tuple[sparse.csc_array, NDArray[Any] | None]:
    """Return the labels (n_rows, n_labels), and their classes if `y` is one class per row.

    A single dense column is one class per row, as everywhere in scikit-learn. A single sparse
    column is a label.
    """
    if not isinstance(y, np.ndarray):
        labels = sparse.csc_array(y)
        labels.sum_duplicates()
        labels.eliminate_zeros()
        _check_zeros_and_ones(labels.data)
        return _make_ones(labels), None
    if y.ndim == 2 and y.shape[1] != 1:
        _check_zeros_and_ones(y)
        return _make_ones(sparse.csc_array(y.astype(bool))), None
    class_of_row = column_or_1d(y, warn=True)
    check_classification_targets(class_of_row)
    classes, code_of_row = np.unique(class_of_row, return_inverse=True)
    return _make_ones(sparse.csc_array(code_of_row[:, None] == np.arange(len(classes)))), classes


def _check_zeros_and_ones(values: NDArray[Any]) -> None:
    wrong = values[(values != 0) & (values != 1)]
    if len(wrong):
        raise InputError(
            f"must be 0 or 1 where it has several columns, got {len(wrong):,} other values, "
            f"first {show_value(wrong.tolist()[0])}. "
            "Pass classes as a 1-D array, or one column per class.",
            parameter="y",
        )


def _make_ones(labels: sparse.csc_array) -> sparse.csc_array:
    """Return a matrix of ones (one byte each) at the same positions, rows in order."""
    labels.sort_indices()
    return sparse.csc_array(
        (np.ones(labels.nnz, np.int8), labels.indices, labels.indptr), shape=labels.shape
    )
