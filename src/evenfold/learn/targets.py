"""`y` as scikit-learn hands it over → one column of 0 and 1 for each label."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import column_or_1d

from .._checks.values import shorten
from ..exceptions import InputError


def read_targets(
    y: NDArray[Any] | sparse.csr_array,
) -> tuple[sparse.csc_array, NDArray[Any] | None]:
    """Return the labels (n_rows, n_labels), and the classes they stand for where `y` had one class per row, else None.

    A single dense column is, as everywhere in scikit-learn, one class per row; a sparse one is a label.
    """
    if not isinstance(y, np.ndarray):
        labels = sparse.csc_array(y)
        labels.sum_duplicates()
        labels.eliminate_zeros()
        _check_zeros_and_ones(labels.data)
        return _keep_places(labels), None
    if y.ndim == 2 and y.shape[1] != 1:
        _check_zeros_and_ones(y)
        return _keep_places(sparse.csc_array(y.astype(bool))), None
    class_of_row = column_or_1d(y, warn=True)
    check_classification_targets(class_of_row)
    classes, code_of_row = np.unique(class_of_row, return_inverse=True)
    return _keep_places(sparse.csc_array(code_of_row[:, None] == np.arange(len(classes)))), classes


def _check_zeros_and_ones(values: NDArray[Any]) -> None:
    strange = values[(values != 0) & (values != 1)]
    if len(strange):
        raise InputError(
            f"must be 0 or 1 where it has several columns, got {len(strange):,} other values, first {shorten(strange.tolist()[0])}. "
            "Pass classes as a 1-D array, or one column per class.",
            parameter="y",
        )


def _keep_places(labels: sparse.csc_array) -> sparse.csc_array:
    """Return ones of one byte at the same places, rows in order within each label."""
    labels.sort_indices()
    return sparse.csc_array(
        (np.ones(labels.nnz, np.int8), labels.indices, labels.indptr), shape=labels.shape
    )
