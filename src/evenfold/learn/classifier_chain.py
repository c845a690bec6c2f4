"""Classifier chain: a model for each label, which sees the labels before it."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from .bases import find_base
from .chain_orders import Order, find_order
from .label_models import Scores, fit_label, gives_probabilities, read_column, score_label
from .multilabel import MultilabelClassifier
from .seeds import copy_seeded, make_seeder


class ClassifierChain(MultilabelClassifier):
    """A model for each label, which sees the features and the labels before it in the chain (Read et al. 2009).

    Parameters
    ----------
    base : a classifier or a name of `evenfold.learn.BASES`.
    order : None takes the labels as they come, a list of their numbers as it says, `"random"` at random; `"information-gain"` begins with the label that
        tells most about the others: the one with the largest sum of mutual information with each of them.
    random_state : seeds the random order and every model; None leaves the base learner's own.

    Attributes
    ----------
    order_ : the labels, by number, in the order of the chain.
    models_ : a fitted model for each label, in the order of the chain; a constant where all training rows agree.

    Notes
    -----
    Models are fitted to the true labels of those before; to predict, each is handed the predictions, 0 or 1, of those before.
    A label that all training rows have, or none, is always or never predicted.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [[0, 0], [0, 0], [1, 1], [1, 1]]
    >>> learner = evenfold.learn.ClassifierChain("tree", order=[1, 0]).fit(X, y)
    >>> learner.order_, learner.models_[1].n_features_in_              # the second model sees the feature and label 1
    (array([1, 0]), 2)
    >>> learner.predict([[0.2], [2.9]])
    array([[0, 0],
           [1, 1]])
    """

    def __init__(
        self, base: Any = "random-forest", *, order: Order = None, random_state: Any = None
    ) -> None:
        self.base = base
        self.order = order
        self.random_state = random_state

    def _fit_labels(self, X: Any, labels: sparse.csc_array) -> None:
        base, seeder = find_base(self.base), make_seeder(self.random_state)
        self.order_ = find_order(self.order, labels, self.random_state)
        self.models_ = [
            fit_label(
                copy_seeded(base, seeder),
                _append(X, labels[:, self.order_[:place]]),
                read_column(labels, label),
            )
            for place, label in enumerate(self.order_)
        ]

    def _score_labels(self, X: Any) -> Scores:
        scores = np.empty((X.shape[0], len(self.order_)))
        for place, (label, model) in enumerate(zip(self.order_, self.models_, strict=True)):
            before = scores[:, self.order_[:place]] > self._cut()
            scores[:, label] = score_label(
                model,
                _append(X, sparse.csc_array(before)),
                probabilities=self._gives_probabilities(),
            )
        return scores

    def _made_of(self) -> list[Any]:
        return [find_base(self.base)]

    def _gives_probabilities(self) -> bool:
        return gives_probabilities(find_base(self.base))


def _append(X: Any, labels: sparse.csc_array) -> Any:
    """Return the features, and after them these labels, in the form the features have."""
    if isinstance(X, np.ndarray):
        return np.hstack([X, labels.toarray()])
    return sparse.hstack([X, labels], format="csr", dtype=X.dtype)
