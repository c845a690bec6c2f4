"""What all learners share: checks of X and y, and predictions from scores."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from ..metrics.arguments import check_sample_weight
from .base_fits import Weights, find_weight_parameter
from .features import NO_Y, check_features, take_rows
from .label_models import Scores
from .targets import read_targets

Predictions = NDArray[np.int64]


def _has_probabilities(learner: MultilabelClassifier) -> bool:
    return learner._gives_probabilities()


def _predicts_by_score(learner: MultilabelClassifier) -> bool:
    return learner._predicts_by_score()


class MultilabelClassifier(ClassifierMixin, BaseEstimator, ABC):
    """A learner of several labels per row.

    It learns one class per row as well: one label per class, of which it predicts the most
    probable.
    """

    _min_rows = 1
    # Whether X must be numbers; else it is what the base learner takes.
    _needs_numbers = False

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from rows and their labels.

        Parameters
        ----------
        X : array-like, sparse matrix or frame
            The rows, (n_rows, n_features). Frames, text and other objects are not changed: the
            base learner must take them.
        y : array-like or sparse matrix
            The labels, (n_rows, n_labels) of 0 and 1; or one class per row, (n_rows,).

        Returns
        -------
        Self
            The fitted learner.
        """
        return self._learn(X, y, None)

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the labels of each row.

        Parameters
        ----------
        X : array-like, sparse matrix or frame
            The rows, (n_rows, n_features).

        Returns
        -------
        ndarray
            The labels, (n_rows, n_labels) of 0 and 1, dense; or the class of each row,
            (n_rows,), if the learner was fitted to classes.
        """
        X = self._check_rows(X)
        if self.multilabel_:
            return self._predict_labels(X)
        scores = (
            self._score_labels(X)
            if self._gives_probabilities() or self._predicts_by_score()
            else self._predict_labels(X)
        )
        return self.classes_[self._normalise_classes(scores).argmax(axis=1)]

    @available_if(_has_probabilities)
    def predict_proba(self, X: Any) -> Scores:
        """Predict the probability of each label in each row.

        Parameters
        ----------
        X : array-like, sparse matrix or frame
            The rows, (n_rows, n_features).

        Returns
        -------
        ndarray
            The probabilities, (n_rows, n_labels); of classes, with a sum of 1 in each row, if
            the learner was fitted to classes.
        """
        scores = self._score_labels(self._check_rows(X))
        # Rounding can make a sum of shares larger than 1.
        return np.minimum(scores, 1) if self.multilabel_ else self._normalise_classes(scores)

    @available_if(_predicts_by_score)
    def decision_function(self, X: Any) -> Scores:
        """Return how far the score of each label is above the score from which it is predicted.

        Parameters
        ----------
        X : array-like, sparse matrix or frame
            The rows, (n_rows, n_features).

        Returns
        -------
        ndarray
            The differences, (n_rows, n_labels), negative where a label is not predicted. If the
            learner was fitted to classes, their scores as in scikit-learn: (n_rows, n_classes),
            or (n_rows,) for two classes.
        """
        scores = self._score_labels(self._check_rows(X))
        if self.multilabel_:
            return scores - self._threshold()
        scores = self._normalise_classes(scores)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    def __sklearn_tags__(self) -> Any:
        """Return what the learner takes: what all its parts take."""
        tags = super().__sklearn_tags__()
        parts = [get_tags(part) for part in self._parts()]
        tags.classifier_tags.multi_label = True
        tags.input_tags.sparse = all(own.input_tags.sparse for own in parts)
        tags.input_tags.allow_nan = bool(parts) and all(own.input_tags.allow_nan for own in parts)
        return tags

    def _learn(self, X: Any, y: Any, sample_weight: Any) -> Self:
        """Check X, y and the weights of rows, and learn from the rows that count."""
        min_rows = self._min_rows
        X, y = self._check_features(X, y, reset=True, ensure_min_samples=min_rows)
        labels, classes = read_targets(y)
        weights = check_sample_weight(sample_weight, labels.shape[0])
        if weights is not None:
            for part in self._parts():
                find_weight_parameter(part)
            if not weights.all():
                rows = np.flatnonzero(weights)
                X, labels, weights = take_rows(X, rows), labels[rows], weights[rows]
        self.multilabel_ = classes is None
        self.classes_ = np.tile([0, 1], (labels.shape[1], 1)) if classes is None else classes
        self._fit_labels(X, labels, weights)
        return self

    @abstractmethod
    def _fit_labels(self, X: Any, labels: sparse.csc_array, weights: Weights) -> None:
        """Learn from X and labels, ones at (n_rows, n_labels), with weights of rows above 0."""

    @abstractmethod
    def _score_labels(self, X: Any) -> Scores:
        """Return a score for each label of each row: a probability if `_gives_probabilities`."""

    @abstractmethod
    def _parts(self) -> list[Any]:
        """Return the learners that this one is made of, unfitted."""

    @abstractmethod
    def _gives_probabilities(self) -> bool:
        """Tell whether scores are probabilities."""

    def _predicts_by_score(self) -> bool:
        """Tell whether a label is predicted exactly where its score is above the threshold."""
        return True

    def _threshold(self) -> float:
        """Return the score above which a label is predicted."""
        return 0.5 if self._gives_probabilities() else 0.0

    def _predict_labels(self, X: Any) -> Predictions:
        return (self._score_labels(X) > self._threshold()).astype(np.int64)

    def _normalise_classes(self, scores: Any) -> Any:
        """Divide probabilities of classes by their sum in each row; leave other scores as is."""
        if not self._gives_probabilities():
            return scores
        total = scores.sum(axis=1, keepdims=True)
        return np.where(total > 0, scores, 1) / np.where(total > 0, total, scores.shape[1])

    def _check_rows(self, X: Any) -> Any:
        check_is_fitted(self)
        return self._check_features(X, reset=False)

    def _check_features(self, X: Any, y: Any = NO_Y, *, reset: bool, **checks: Any) -> Any:
        """Return X, and y if it is given, checked; base learners decide about missing values."""
        return check_features(
            self,
            X,
            y,
            reset=reset,
            needs_numbers=self._needs_numbers,
            accept_sparse=["csr"],
            ensure_all_finite="allow-nan" if get_tags(self).input_tags.allow_nan else True,
            **checks,
        )


class WeightedClassifier(MultilabelClassifier):
    """A learner of several labels per row, with weights of rows."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from rows and their labels.

        Parameters
        ----------
        X : array-like, sparse matrix or frame
            The rows, (n_rows, n_features). Frames, text and other objects are not changed: the
            base learner must take them.
        y : array-like or sparse matrix
            The labels, (n_rows, n_labels) of 0 and 1; or one class per row, (n_rows,).
        sample_weight : array-like, default=None
            How much each row counts, (n_rows,), for base learners whose `fit` takes it. Rows of
            weight 0 are left out. None: all the same.

        Returns
        -------
        Self
            The fitted learner.
        """
        return self._learn(X, y, sample_weight)
