"""Rows, labels and learners that tests of evaluations share."""

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.neighbors import KNeighborsClassifier

RNG = np.random.default_rng(0)
X = RNG.normal(size=(90, 4))
Y = (X[:, [0, 1, 2]] + 0.5 * RNG.normal(size=(90, 3)) > 0.4).astype(int)
KNN = KNeighborsClassifier(3)


class Counting(BaseEstimator):
    """Predicts every label for every row, counts fits, and fails from a given fit on."""

    n_fits = 0

    def __init__(self, tag="", fails_from=None):
        self.tag = tag
        self.fails_from = fails_from

    def fit(self, X, y):
        """Count this fit."""
        Counting.n_fits += 1
        if self.fails_from is not None and Counting.n_fits >= self.fails_from:
            raise RuntimeError(f"no more\nthan {self.fails_from}")
        self.shape_ = y.shape
        self.is_sparse_ = sparse.issparse(y)
        return self

    def predict(self, X):
        """Return ones, dense or sparse as the labels were."""
        return (
            sparse.csr_array(np.ones((len(X), self.shape_[1])))
            if self.is_sparse_
            else np.ones((len(X), self.shape_[1]))
        )


class Lookup(BaseEstimator):
    """Predicts the scores that it was made with; X has one column, the number of each row."""

    def __init__(self, scores, shift=0.0):
        self.scores = scores
        self.shift = shift

    def fit(self, X, y):
        """Move the scores by the number of the first training row."""
        self.moved_ = self.shift * X[0, 0]
        return self

    def predict_proba(self, X):
        """Return the scores of the rows."""
        return self.scores[X[:, 0]] + self.moved_

    def predict(self, X):
        """Return the labels with scores above a half."""
        return (self.predict_proba(X) > 0.5).astype(int)
