"""Classifier chain: one model for each label, which sees the labels before it."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from .base_fits import Weights
from .chain_orders import Order, find_order
from .features import append_columns, count_rows
from .label_models import Scores, fit_label, read_column, score_label
from .meta_classifier import MetaClassifier


class ClassifierChain(MetaClassifier):
    """One model for each label, which sees the features and the labels before it in the chain.

    The method is that of Read et al. (2009).

    Parameters
    ----------
    base : str or estimator, default="random-forest"
        The base learner: a classifier, or a name of `evenfold.learn.BASES`.
    order : {"random", "information-gain"} or sequence of int, default=None
        The order of the labels. None: the order of the columns. A sequence: the numbers of the
        labels. `"random"`: a random order. `"information-gain"`: the label first that has the
        largest sum of mutual information with the other labels.
    random_state : int, Generator or RandomState, default=None
        Seeds the random order, and every model unless the base learner has a seed of its own.
        None sets no seeds.

    Attributes
    ----------
    order_ : ndarray
        The numbers of the labels in the order of the chain, (n_labels,).
    models_ : list
        The fitted models in the order of the chain; a constant if all training rows agree.

    Notes
    -----
    Each model is fitted to the true labels before it. To predict, it takes the predictions, 0 or
    1, of the labels before it.
    A label that all training rows have, or none, is always or never predicted.

    Examples
    --------
    The second model has two features: the given one, and label 1.

    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [[0, 0], [0, 0], [1, 1], [1, 1]]
    >>> learner = evenfold.learn.ClassifierChain("tree", order=[1, 0]).fit(X, y)
    >>> learner.order_, learner.models_[1].n_features_in_
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

    def _fit_labels(self, X: Any, labels: sparse.csc_array, weights: Weights) -> None:
        models = self._make_models()
        self.order_ = find_order(self.order, labels, self.random_state, weights)
        self.models_ = [
            fit_label(
                next(models),
                self._append(X, labels[:, self.order_[:place]]),
                read_column(labels, label),
                weights,
            )
            for place, label in enumerate(self.order_)
        ]

    def _score_labels(self, X: Any) -> Scores:
        scores = np.empty((count_rows(X), len(self.order_)))
        for place, (label, model) in enumerate(zip(self.order_, self.models_, strict=True)):
            before = scores[:, self.order_[:place]] > self._threshold()
            scores[:, label] = score_label(
                model,
                self._append(X, sparse.csc_array(before)),
                probabilities=self._gives_probabilities(),
            )
        return scores

    def _append(self, X: Any, labels: sparse.csc_array) -> Any:
        """Return the features with these labels as further features, in the form of X."""
        return append_columns(X, labels, type(self).__name__)
