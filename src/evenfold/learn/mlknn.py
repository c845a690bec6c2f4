"""MLkNN: how many of a row's neighbours have a label says how probable the label is."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.neighbors import NearestNeighbors

from .label_models import Scores
from .multilabel import MultilabelClassifier
from .settings import check_number, check_whole


class MLkNN(MultilabelClassifier):
    """Nearest neighbours of several labels, by Bayes' rule (Zhang and Zhou 2007).

    For each label, the training rows show how often a row that has it, and one that has not, has c neighbours with it among its k nearest. For a new row, c is
    counted, and the label's probability follows from these and from how common the label is.

    Parameters
    ----------
    k : how many neighbours; all other rows where there are fewer.
    s : how much counts are smoothed: what is added to each.
    threshold : a label is predicted where its probability is above it.
    metric : distance of two rows, one that `sklearn.neighbors.NearestNeighbors` knows.
    n_jobs : how many searches for neighbours run at once, as in scikit-learn.

    Attributes
    ----------
    neighbours_ : the fitted `NearestNeighbors`.
    probability_of_label_ : (n_labels,), before neighbours are looked at: P(H1) in the paper.
    probability_of_count_ : (2, n_labels, k + 1), of c neighbours with the label, for rows without and with it: P(E | H0) and P(E | H1) in the paper.

    Notes
    -----
    A training row is not its own neighbour. Features are taken as they come: scale them first where their units differ.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [7.0], [8.0], [9.0]], [[0, 1], [0, 1], [0, 1], [1, 1], [1, 1], [1, 1]]
    >>> learner = evenfold.learn.MLkNN(k=2).fit(X, y)
    >>> learner.predict_proba([[0.5], [8.5]]).round(2)
    array([[0.2 , 0.94],
           [0.8 , 0.94]])
    """

    _least_rows = 2  # a row and its neighbour

    def __init__(
        self,
        k: int = 10,
        *,
        s: float = 1.0,
        threshold: float = 0.5,
        metric: str = "euclidean",
        n_jobs: int | None = None,
    ) -> None:
        self.k = k
        self.s = s
        self.threshold = threshold
        self.metric = metric
        self.n_jobs = n_jobs

    def _fit_labels(self, X: Any, labels: sparse.csc_array) -> None:
        n_rows, n_labels = labels.shape
        k = min(check_whole(self.k, "k", 10), n_rows - 1)
        smoothing = check_number(self.s, "s", math.inf, 1.0)
        check_number(self.threshold, "threshold", 1, 0.5)
        self.neighbours_ = NearestNeighbors(
            n_neighbors=k, metric=self.metric, n_jobs=self.n_jobs
        ).fit(X)
        self._labels = sparse.csr_array(labels.astype(np.int64))
        self.probability_of_label_ = (smoothing + np.diff(labels.indptr)) / (2 * smoothing + n_rows)
        has_label = self._labels.toarray()
        count = self._count_neighbours(None)
        place = (has_label * n_labels + np.arange(n_labels)) * (k + 1) + count
        n_rows_of_count = np.bincount(place.ravel(), minlength=2 * n_labels * (k + 1)).reshape(
            2, n_labels, k + 1
        )
        self.probability_of_count_ = (smoothing + n_rows_of_count) / (
            smoothing * (k + 1) + n_rows_of_count.sum(axis=2, keepdims=True)
        )

    def _score_labels(self, X: Any) -> Scores:
        count, label = self._count_neighbours(X), np.arange(len(self.probability_of_label_))
        without, with_label = self.probability_of_count_[:, label, count]
        having = self.probability_of_label_ * with_label
        return np.asarray(
            having / (having + (1 - self.probability_of_label_) * without), np.float64
        )

    def _count_neighbours(self, X: Any) -> NDArray[np.int64]:
        """Return how many of each row's neighbours have each label, (n_rows, n_labels); None stands for the training rows."""
        is_neighbour = sparse.csr_array(self.neighbours_.kneighbors_graph(X), dtype=np.int64)
        return np.asarray((is_neighbour @ self._labels).toarray())

    def _cut(self) -> float:
        return self.threshold

    def _made_of(self) -> list[Any]:
        return [NearestNeighbors(metric=self.metric)]

    def _gives_probabilities(self) -> bool:
        return True
