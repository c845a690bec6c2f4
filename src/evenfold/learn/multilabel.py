"""What all learners share: how they take X and y, and how scores become predictions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted, validate_data

from .label_models import Scores
from .targets import read_targets

Predictions = NDArray[np.int64]


def _has_probabilities(learner: MultilabelClassifier) -> bool:
    return learner._gives_probabilities()


def _predicts_by_score(learner: MultilabelClassifier) -> bool:
    return learner._predicts_by_score()


class MultilabelClassifier(ClassifierMixin, BaseEstimator, ABC):
    """A learner of several labels a row; of one class a row too, as a label for each class of which the most probable is taken."""

    _least_rows = 1

    def fit(self, X: Any, y: Any) -> Self:
        """Learn from rows and their labels.

        Parameters
        ----------
        X : (n_rows, n_features), dense or sparse where the base learner takes that.
        y : (n_rows, n_labels) of 0 and 1, dense or sparse; or (n_rows,), one class per row.
        """
        X, y = validate_data(
            self,
            X,
            y,
            multi_output=True,
            ensure_min_samples=self._least_rows,
            **self._wanted_rows(),
        )
        labels, classes = read_targets(y)
        self.multilabel_ = classes is None
        self.classes_ = np.tile([0, 1], (labels.shape[1], 1)) if classes is None else classes
        self._fit_labels(X, labels)
        return self

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the labels of each row, (n_rows, n_labels) of 0 and 1, dense; or its class, if it was fitted to classes."""
        X = self._read_rows(X)
        if self.multilabel_:
            return self._predict_labels(X)
        scores = (
            self._score_labels(X)
            if self._gives_probabilities() or self._predicts_by_score()
            else self._predict_labels(X)
        )
        return self.classes_[self._share_among_classes(scores).argmax(axis=1)]

    @available_if(_has_probabilities)
    def predict_proba(self, X: Any) -> Scores:
        """Return the probability of each label in each row, (n_rows, n_labels); of each class, summing to 1, if it was fitted to classes."""
        scores = self._score_labels(self._read_rows(X))
        # A sum of shares may end a hair above 1.
        return np.minimum(scores, 1) if self.multilabel_ else self._share_among_classes(scores)

    @available_if(_predicts_by_score)
    def decision_function(self, X: Any) -> Scores:
        """Return by how much each label of each row is above (if negative: below) the score from which it is predicted, (n_rows, n_labels)."""
        scores = self._score_labels(self._read_rows(X))
        if self.multilabel_:
            return scores - self._cut()
        scores = self._share_among_classes(scores)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    def __sklearn_tags__(self) -> Any:
        """Say what it takes: what all that it is made of take."""
        tags = super().__sklearn_tags__()
        made_of = [get_tags(model) for model in self._made_of()]
        tags.classifier_tags.multi_label = True
        tags.input_tags.sparse = all(own.input_tags.sparse for own in made_of)
        tags.input_tags.allow_nan = bool(made_of) and all(
            own.input_tags.allow_nan for own in made_of
        )
        return tags

    @abstractmethod
    def _fit_labels(self, X: Any, labels: sparse.csc_array) -> None:
        """Learn; X is an array or csr, labels are ones (n_rows, n_labels)."""

    @abstractmethod
    def _score_labels(self, X: Any) -> Scores:
        """Return a score for each label of each row: a probability, if it `_gives_probabilities`."""

    @abstractmethod
    def _made_of(self) -> list[Any]:
        """Return the learners this one is made of, unfitted."""

    @abstractmethod
    def _gives_probabilities(self) -> bool:
        """Say whether scores are probabilities."""

    def _predicts_by_score(self) -> bool:
        """Say whether labels are predicted where their scores are above a cut."""
        return True

    def _cut(self) -> float:
        """Return the score above which a label is predicted."""
        return 0.5 if self._gives_probabilities() else 0.0

    def _predict_labels(self, X: Any) -> Predictions:
        return (self._score_labels(X) > self._cut()).astype(np.int64)

    def _share_among_classes(self, scores: Any) -> Any:
        """Make probabilities of labels into those of classes, of which each row has one; leave other scores as they are."""
        if not self._gives_probabilities():
            return scores
        total = scores.sum(axis=1, keepdims=True)
        return np.where(total > 0, scores, 1) / np.where(total > 0, total, scores.shape[1])

    def _read_rows(self, X: Any) -> Any:
        check_is_fitted(self)
        return validate_data(self, X, reset=False, **self._wanted_rows())

    def _wanted_rows(self) -> dict[str, Any]:
        """Return what scikit-learn is to check of X; what kind of sparse or missing values it takes is up to the base learner."""
        return {
            "accept_sparse": ["csr"],
            "ensure_all_finite": "allow-nan" if get_tags(self).input_tags.allow_nan else True,
        }
