"""What metrics are given → CSR of 0 and 1, scores as they are; words the errors about it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ..exceptions import InputError, InputTypeError
from ..labels.entries import make_positions

Scores = NDArray[np.floating[Any]] | sparse.csr_array


def check_labels(y_true: Any, y_pred: Any) -> tuple[sparse.csr_array, sparse.csr_array]:
    """Return which row holds which label, in truth and as predicted, each entry once."""
    truth = _read_held(y_true, "y_true")
    predicted = _read_held(y_pred, "y_pred")
    _check_shapes(truth.shape, predicted.shape, "y_pred")
    return truth, predicted


def check_scores(y_true: Any, scores: Any) -> tuple[sparse.csr_array, Scores]:
    """Return which row holds which label, and the scores: a dense array, or CSR in which what is not stored is 0."""
    truth = _read_held(y_true, "y_true")
    given = _read_table(scores, "scores")
    _check_shapes(truth.shape, given.shape, "scores")
    numbers: Scores = given.astype(
        np.float32 if given.dtype == np.float32 else np.float64, copy=False
    )
    if not isinstance(numbers, np.ndarray):
        numbers = sparse.csr_array(numbers)
        if not numbers.has_canonical_format:
            numbers = numbers.copy()  # else the sums would appear in the user's matrix
            numbers.sum_duplicates()
    stored = _stored_values(numbers)
    n_missing = int(np.isnan(stored).sum())
    if n_missing:
        raise InputError(
            f"must be numbers, got NaN in {n_missing:,} of {stored.size:,} places. Fill them, or mend the model.",
            parameter="scores",
        )
    return truth, numbers


def check_probabilities(y_true: Any, probabilities: Any) -> tuple[sparse.csr_array, Scores]:
    """Return what `check_scores` does; refuse what is not between 0 and 1."""
    truth, numbers = check_scores(y_true, probabilities)
    stored = _stored_values(numbers)
    low, high = (float(stored.min()), float(stored.max())) if stored.size else (0.0, 0.0)
    if low < 0 or high > 1:
        raise InputError(
            f"must be probabilities between 0 and 1, got {low:.4g} to {high:.4g}. Pass what predict_proba returns.",
            parameter="scores",
        )
    return truth, numbers


def _stored_values(numbers: Scores) -> NDArray[Any]:
    return numbers if isinstance(numbers, np.ndarray) else numbers.data


def _read_held(y: Any, parameter: str) -> sparse.csr_array:
    table = _read_table(y, parameter)
    if not isinstance(table, np.ndarray):
        # A coordinate matrix keeps repeated entries apart; made CSR, 1 and 1 would be 2.
        entries = table.tocoo()
        row, label, value = entries.row, entries.col, entries.data
    else:
        row, label = np.nonzero(table)
        value = table[row, label]
    wrong = np.flatnonzero((value != 0) & (value != 1))
    if wrong.size:
        place = wrong[0]
        raise InputError(
            f"must hold 0 and 1 alone, got {wrong.size:,} other values, first {value[place].item()!r} at row {row[place]}, "
            f"label {label[place]}. Pass one column per label{', and scores to the metrics of scores' if parameter == 'y_pred' else ''}.",
            parameter=parameter,
        )
    held = value == 1
    indptr, indices = make_positions(row[held], label[held], *table.shape)
    return sparse.csr_array((np.ones(len(indices), np.int8), indices, indptr), shape=table.shape)


def _read_table(values: Any, parameter: str) -> Any:
    table: Any
    try:
        table = values if sparse.issparse(values) else np.asarray(values)
    except ValueError:
        raise InputError(
            "must have rows of one length, got lists of several. Pass rows × labels of numbers.",
            parameter=parameter,
        ) from None
    if table.dtype.kind not in "buif":
        raise InputTypeError(
            f"must hold numbers or booleans, got an array of {table.dtype}. Pass rows × labels of 0 and 1, or scores.",
            parameter=parameter,
        )
    if table.ndim != 2:
        raise InputError(
            f"must have two dimensions, rows × labels, got {table.ndim}. Reshape a single label to (-1, 1).",
            parameter=parameter,
        )
    if 0 in table.shape:
        raise InputError(
            f"must have at least one row and one label, got {_show(table.shape)}. Check how the rows were chosen.",
            parameter=parameter,
        )
    return table


def _check_shapes(truth: tuple[int, ...], given: tuple[int, ...], parameter: str) -> None:
    if given != truth:
        raise InputError(
            f"must have the shape of 'y_true', {_show(truth)}, got {_show(given)}. Pass the same rows and labels to both.",
            parameter=parameter,
        )


def _show(shape: tuple[int, ...]) -> str:
    return " × ".join(f"{length:,}" for length in shape)
