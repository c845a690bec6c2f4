"""MLkNN: the number of neighbours that have a label decides how probable the label is."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.neighbors import NearestNeighbors

from .._checks.numbers import check_number, check_whole
from .base_fits import Weights
from .label_models import Scores
from .multilabel import MultilabelClassifier


class MLkNN(MultilabelClassifier):
    """Nearest neighbours for several labels, by Bayes' rule.

    The method is that of Zhang and Zhou (2007). For each label, the training rows show how often
    a row with the label, and a row without it, has c neighbours with the label among its k
    nearest. For a new row, c is counted. The probability of the label follows from these
    frequencies and from how common the label is.

    Parameters
    ----------
    k : int, default=10
        The number of neighbours; all other rows if there are fewer.
    s : float, default=1.0
        The smoothing: what is added to each count.
    threshold : float, default=0.5
        A label is predicted if its probability is above it.
    metric : str, default="euclidean"
        The distance between two rows, as in `sklearn.neighbors.NearestNeighbors`.
    n_jobs : int, default=None
        How many searches for neighbours run at once, as in scikit-learn.

    Attributes
    ----------
    neighbours_ : NearestNeighbors
        The fitted search for neighbours.
    probability_of_label_ : ndarray
        The probability of each label before neighbours are counted, (n_labels,): P(H1) in the
        paper.
    probability_of_count_ : ndarray
        The probability of c neighbours with the label, for rows without and with it,
        (2, n_labels, k + 1): P(E | H0) and P(E | H1) in the paper.

    Notes
    -----
    A training row is not its own neighbour. Features are not scaled: scale them first if their
    units differ.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [7.0], [8.0], [9.0]]
    >>> y = [[0, 1], [0, 1], [0, 1], [1, 1], [1, 1], [1, 1]]
    >>> learner = evenfold.learn.MLkNN(k=2).fit(X, y)
    >>> learner.predict_proba([[0.5], [8.5]]).round(2)
    array([[0.2 , 0.94],
           [0.8 , 0.94]])
    """

    _min_rows = 2  # a row and its neighbour
    _needs_numbers = True

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

    def _fit_labels(self, X: Any, labels: sparse.csc_array, weights: Weights) -> None:
        n_rows, n_labels = labels.shape
        k = min(check_whole(self.k, "k", "Try k=10."), n_rows - 1)
        smoothing = check_number(self.s, "s", "Try s=1.0.", above=True)
        check_number(self.threshold, "threshold", "Try threshold=0.5.", most=1, above=True)
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
        without_label, with_label = self.probability_of_count_[:, label, count]
        held = self.probability_of_label_ * with_label
        not_held = (1 - self.probability_of_label_) * without_label
        return np.asarray(held / (held + not_held), np.float64)

    def _count_neighbours(self, X: Any) -> NDArray[np.int64]:
        """Return how many neighbours of each row have each label; None: of the training rows."""
        is_neighbour = sparse.csr_array(self.neighbours_.kneighbors_graph(X), dtype=np.int64)
        return np.asarray((is_neighbour @ self._labels).toarray())

    def _threshold(self) -> float:
        return self.threshold

    def _parts(self) -> list[Any]:
        return [NearestNeighbors(metric=self.metric)]

    def _gives_probabilities(self) -> bool:
        return True
