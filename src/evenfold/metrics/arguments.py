"""Arguments of metrics: labels → CSR of 0 and 1; scores stay dense or become CSR."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ..exceptions import InputError, InputTypeError
from ..labels.entries import make_positions
from ..labels.tensors import to_array

Scores = NDArray[np.floating[Any]] | sparse.csr_array


def check_labels(y_true: Any, y_pred: Any) -> tuple[sparse.csr_array, sparse.csr_array]:
    """Check true and predicted labels; return both as CSR, each entry once."""
    truth = _read_labels(y_true, "y_true")
    predicted = _read_labels(y_pred, "y_pred")
    _check_shapes(truth.shape, predicted.shape, "y_pred")
    return truth, predicted


def check_scores(y_true: Any, scores: Any) -> tuple[sparse.csr_array, Scores]:
    """Check labels and scores; return the labels as CSR, and the scores as an array or CSR."""
    truth = _read_labels(y_true, "y_true")
    given = _read_table(scores, "scores")
    _check_shapes(truth.shape, given.shape, "scores")
    numbers: Scores = given.astype(
        np.float32 if given.dtype == np.float32 else np.float64, copy=False
    )
    if not isinstance(numbers, np.ndarray):
        numbers = sparse.csr_array(numbers)
        if not numbers.has_canonical_format:
            numbers = numbers.copy()  # do not change the user's matrix
            numbers.sum_duplicates()
    stored = _stored_values(numbers)
    n_missing = int(np.isnan(stored).sum())
    if n_missing:
        raise InputError(
            f"must be numbers, got NaN in {n_missing:,} of {stored.size:,} places. "
            "Fill them, or correct the model.",
            parameter="scores",
        )
    return truth, numbers


def check_probabilities(y_true: Any, probabilities: Any) -> tuple[sparse.csr_array, Scores]:
    """Check labels and probabilities, as `check_scores` does."""
    truth, numbers = check_scores(y_true, probabilities)
    stored = _stored_values(numbers)
    low, high = (float(stored.min()), float(stored.max())) if stored.size else (0.0, 0.0)
    if low < 0 or high > 1:
        raise InputError(
            f"must be probabilities between 0 and 1, got {low:.4g} to {high:.4g}. "
            "Pass what predict_proba returns.",
            parameter="scores",
        )
    return truth, numbers


def check_sample_weight(sample_weight: Any, n_rows: int) -> NDArray[np.float64] | None:
    """Check weights of rows, and return them as floats, (n_rows,); None if there are none."""
    if sample_weight is None:
        return None
    weights = np.asarray(sample_weight)
    if weights.dtype.kind not in "buif":
        raise InputTypeError(
            f"must be numbers, got an array of {weights.dtype}. Pass one number for each row.",
            parameter="sample_weight",
        )
    if weights.shape != (n_rows,):
        raise InputError(
            f"must be one number for each of the {n_rows:,} rows, got {_show(weights.shape)}. "
            "Pass the weights of these rows.",
            parameter="sample_weight",
        )
    weights = weights.astype(np.float64)
    wrong = np.flatnonzero(~np.isfinite(weights) | (weights < 0))
    if wrong.size or not weights.any():
        got = f"{weights[wrong[0]]} at row {wrong[0]}" if wrong.size else "0 in all rows"
        raise InputError(
            f"must be finite numbers of 0 or more, not all zero, got {got}. "
            "Leave them out to count all rows the same.",
            parameter="sample_weight",
        )
    return weights


def leave_out_unweighted(
    truth: sparse.csr_array, given: Any, sample_weight: Any
) -> tuple[sparse.csr_array, Any, NDArray[np.float64] | None]:
    """Check weights of rows; leave out rows that do not count, also from the weights."""
    weights = check_sample_weight(sample_weight, truth.shape[0])
    if weights is None or weights.all():
        return truth, given, weights
    rows = np.flatnonzero(weights)
    return sparse.csr_array(truth[rows]), given[rows], weights[rows]


def _stored_values(numbers: Scores) -> NDArray[Any]:
    return numbers if isinstance(numbers, np.ndarray) else numbers.data


def _read_labels(y: Any, parameter: str) -> sparse.csr_array:
    table = _read_table(y, parameter)
    if isinstance(table, sparse.csr_array) and _is_canonical(table):
        return table.astype(np.int8, copy=False)
    if not isinstance(table, np.ndarray):
        # Conversion to CSR would add up repeated entries: 1 and 1 would be 2.
        entries = table.tocoo()
        row, label, value = entries.row, entries.col, entries.data
    else:
        # Much faster than the nonzero cells of a table of numbers.
        cell = np.flatnonzero(table != 0)
        row, label = np.divmod(cell, table.shape[1])
        value = table.ravel()[cell]
    wrong = np.flatnonzero((value != 0) & (value != 1))
    if wrong.size:
        first = wrong[0]
        of_scores = ", and scores to the metrics of scores" if parameter == "y_pred" else ""
        raise InputError(
            f"must hold 0 and 1 alone, got {wrong.size:,} other values, "
            f"first {value[first].item()!r} at row {row[first]}, label {label[first]}. "
            f"Pass one column per label{of_scores}.",
            parameter=parameter,
        )
    held = value == 1
    indptr, indices = make_positions(row[held], label[held], *table.shape)
    return sparse.csr_array((np.ones(len(indices), np.int8), indices, indptr), shape=table.shape)


def _is_canonical(table: sparse.csr_array) -> bool:
    """Tell whether a matrix has its entries in order, each once, and all of them are 1."""
    return bool(table.has_canonical_format and (table.data == 1).all())


def _read_table(values: Any, parameter: str) -> Any:
    table: Any
    try:
        table = values if sparse.issparse(values) else np.asarray(to_array(values, parameter))
    except ValueError:
        raise InputError(
            "must have rows of one length, got lists of several. Pass rows × labels of numbers.",
            parameter=parameter,
        ) from None
    if table.dtype.kind not in "buif":
        raise InputTypeError(
            f"must hold numbers or booleans, got an array of {table.dtype}. "
            "Pass rows × labels of 0 and 1, or scores.",
            parameter=parameter,
        )
    if table.ndim != 2:
        raise InputError(
            f"must have two dimensions, rows × labels, got {table.ndim}. "
            "Reshape a single label to (-1, 1).",
            parameter=parameter,
        )
    if 0 in table.shape:
        raise InputError(
            f"must have at least one row and one label, got {_show(table.shape)}. "
            "Check how the rows were chosen.",
            parameter=parameter,
        )
    return table


def _check_shapes(truth: tuple[int, ...], given: tuple[int, ...], parameter: str) -> None:
    if given != truth:
        raise InputError(
            f"must have the shape of 'y_true', {_show(truth)}, got {_show(given)}. "
            "Pass the same rows and labels to both.",
            parameter=parameter,
        )


def _show(shape: tuple[int, ...]) -> str:
    return " × ".join(f"{length:,}" for length in shape)
