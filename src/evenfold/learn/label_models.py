"""One label alone: a base learner fitted to it, or a constant where all rows agree and there is nothing to learn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Scores = NDArray[np.float64]
Column = NDArray[np.int64]


@dataclass(frozen=True)
class Constant:
    """A label that all rows of the training part have, or none."""

    value: int


def read_column(labels: sparse.csc_array, label: int) -> Column:
    """Return one label of all rows, 0 or 1, (n_rows,)."""
    column = np.zeros(labels.shape[0], np.int64)
    column[labels.indices[labels.indptr[label] : labels.indptr[label + 1]]] = 1
    return column


def fit_label(model: Any, X: Any, column: Column) -> Any:
    """Fit the model to one label, unless it is constant."""
    if column.min() == column.max():
        return Constant(int(column[0]))
    return model.fit(X, column)


def gives_probabilities(base: Any) -> bool:
    """Say whether a base learner has probabilities."""
    return hasattr(base, "predict_proba")


def score_label(model: Any, X: Any, *, probabilities: bool) -> Scores:
    """Return a score for each row, (n_rows,): the label's probability, or else a decision that is above 0 where it is predicted.

    A constant has probability 0 or 1, decision -1 or 1. A base learner with neither probabilities nor decisions has decisions of -1 and 1.
    """
    if isinstance(model, Constant):
        return np.full(X.shape[0], float(model.value) if probabilities else 2.0 * model.value - 1)
    if probabilities:
        return np.asarray(model.predict_proba(X), np.float64)[:, 1]
    if hasattr(model, "decision_function"):
        return np.asarray(model.decision_function(X), np.float64)
    return 2.0 * np.asarray(model.predict(X), np.float64) - 1
