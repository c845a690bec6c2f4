"""Predictions: what a fitted learner says about test rows, and predictions of folds joined."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

# Labels or scores of rows, (n_rows, n_labels): an array or a csr_array; None if there are none.
Cells = Any


@dataclass(frozen=True, eq=False, repr=False)
class Prediction:
    """What learners predict for rows that they were not fitted on.

    Attributes
    ----------
    rows : ndarray
        The row numbers, (n,).
    fold : ndarray
        The number of the fold in which each row was a test row, (n,).
    labels : ndarray, csr_array or None
        The predicted labels, (n, n_labels) of 0 and 1. None if no metric needs them.
    scores : ndarray, csr_array or None
        The scores, (n, n_labels). None if no metric needs them, or the learner has none.
    has_probabilities : bool
        Whether the scores are probabilities.
    """

    rows: NDArray[np.int64]
    fold: NDArray[np.int64]
    labels: Cells
    scores: Cells
    has_probabilities: bool

    def __repr__(self) -> str:
        return f"<Prediction for {len(self.rows):,} rows>"

    def give(self, needs: str) -> Cells:
        """Return what a metric needs: labels, scores or probabilities; None without them."""
        if needs == "labels":
            return self.labels
        return self.scores if needs == "scores" or self.has_probabilities else None


def predict(
    learner: Any,
    features: Any,
    rows: NDArray[np.int64],
    fold: int,
    n_labels: int,
    needs: Collection[str],
) -> Prediction:
    """Return the predictions of a fitted learner: labels and scores, as far as needed."""
    labels = _to_cells(learner.predict(features)) if "labels" in needs else None
    scores, has_probabilities = (
        _read_scores(learner, features, n_labels) if set(needs) - {"labels"} else (None, False)
    )
    return Prediction(rows, np.full(len(rows), fold), labels, scores, has_probabilities)


def join_folds(predictions: Sequence[Prediction]) -> Prediction:
    """Return the predictions of all folds as one, in the order of the rows."""
    rows = np.concatenate([own.rows for own in predictions])
    order = np.argsort(rows, kind="stable")
    return Prediction(
        rows[order],
        np.concatenate([own.fold for own in predictions])[order],
        _stack([own.labels for own in predictions], order),
        _stack([own.scores for own in predictions], order),
        all(own.has_probabilities for own in predictions),
    )


def _stack(cells: Sequence[Cells], order: NDArray[np.int64]) -> Cells:
    if any(own is None for own in cells):
        return None
    if any(sparse.issparse(own) for own in cells):
        return sparse.csr_array(sparse.vstack(cells, format="csr"))[order]
    return np.concatenate(cells)[order]


def _read_scores(learner: Any, features: Any, n_labels: int) -> tuple[Cells, bool]:
    """Return probabilities, else decisions, else None; and whether they are probabilities."""
    if hasattr(learner, "predict_proba"):
        return _read_probabilities(learner.predict_proba(features), learner, n_labels), True
    if hasattr(learner, "decision_function"):
        return _to_cells(learner.decision_function(features)), False
    return None, False


def _read_probabilities(probabilities: Any, learner: Any, n_labels: int) -> Cells:
    """Return the probability of each label as one table.

    scikit-learn's own learners return the probabilities of the classes 0 and 1 for each label. A
    class that no training row has is missing there, and has probability 0.
    """
    if isinstance(probabilities, list):
        return np.column_stack(
            [
                _read_class_1(own, classes)
                for own, classes in zip(probabilities, learner.classes_, strict=True)
            ]
        )
    if n_labels == 1 and probabilities.shape[1] == len(learner.classes_) == 2:
        return _to_cells(_read_class_1(probabilities, learner.classes_))
    return _to_cells(probabilities)


def _read_class_1(probabilities: NDArray[Any], classes: Any) -> NDArray[Any]:
    place = np.flatnonzero(np.asarray(classes) == 1)
    return probabilities[:, place[0]] if len(place) else np.zeros(len(probabilities))


def _to_cells(values: Any) -> Cells:
    """Return an array or sparse matrix; a single label is a table of one column."""
    if hasattr(values, "tocsr"):
        return sparse.csr_array(values)
    array = np.asarray(values)
    return array.reshape(-1, 1) if array.ndim == 1 else array
