"""Models of one label: a fitted base learner, or a constant if all training rows agree."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.parallel import Parallel, delayed

from .base_fits import Weights, fit_base
from .features import count_rows

Scores = NDArray[np.float64]
Column = NDArray[np.int64]


@dataclass(frozen=True)
class Constant:
    """The model of a label that all training rows have, or none."""

    value: int


def read_column(labels: sparse.csc_array, label: int) -> Column:
    """Return one label of all rows, 0 or 1, (n_rows,)."""
    column = np.zeros(labels.shape[0], np.int64)
    column[labels.indices[labels.indptr[label] : labels.indptr[label + 1]]] = 1
    return column


def fit_label(model: Any, X: Any, column: Column, weights: Weights) -> Any:
    """Fit the model to one label; return a constant if all rows agree."""
    if column.min() == column.max():
        return Constant(int(column[0]))
    return fit_base(model, X, column, weights)


def fit_each_label(
    models: Iterable[Any],
    X: Any,
    labels: sparse.csc_array,
    weights: Weights,
    n_jobs: int | None,
) -> list[Any]:
    """Fit one model to each label, taking the models in order; there may be more than needed."""
    columns = (read_column(labels, label) for label in range(labels.shape[1]))
    fitted: list[Any] = Parallel(n_jobs=n_jobs)(
        delayed(fit_label)(model, X, column, weights)
        for column, model in zip(columns, models, strict=False)
    )
    return fitted


def gives_probabilities(base: Any) -> bool:
    """Tell whether a base learner has probabilities."""
    return hasattr(base, "predict_proba")


def score_label(model: Any, X: Any, *, probabilities: bool) -> Scores:
    """Return the score of one label for each row, (n_rows,).

    The score is the probability of the label, or else a decision, above 0 where the label is
    predicted. A constant has probability 0 or 1, decision -1 or 1. A base learner with neither
    probabilities nor decisions has decisions of -1 and 1.
    """
    if isinstance(model, Constant):
        return np.full(
            count_rows(X), float(model.value) if probabilities else 2.0 * model.value - 1
        )
    if probabilities:
        return np.asarray(model.predict_proba(X), np.float64)[:, 1]
    if hasattr(model, "decision_function"):
        return np.asarray(model.decision_function(X), np.float64)
    return 2.0 * np.asarray(model.predict(X), np.float64) - 1
