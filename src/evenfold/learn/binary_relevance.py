"""Binary relevance: one model for each label, independent of the other labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from .base_fits import Weights
from .label_models import Scores, fit_each_label, score_label
from .meta_classifier import MetaClassifier


class BinaryRelevance(MetaClassifier):
    """One model for each label, independent of the other labels.

    Parameters
    ----------
    base : str or estimator, default="random-forest"
        The base learner: a classifier, or a name of `evenfold.learn.BASES`.
    n_jobs : int, default=None
        How many models are fitted at once, as in scikit-learn.
    random_state : int, Generator or RandomState, default=None
        Seeds every model, unless the base learner has a seed of its own. None sets no seeds.

    Attributes
    ----------
    models_ : list
        The fitted model of each label; a constant if all training rows agree.

    Notes
    -----
    A label that all training rows have, or none, is always or never predicted, and no model is
    fitted to it.
    The result does not depend on `n_jobs`.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [[0, 1, 0], [0, 1, 0], [1, 1, 0], [1, 0, 0]]
    >>> learner = evenfold.learn.BinaryRelevance("tree").fit(X, y)
    >>> learner.predict([[0.2], [2.9]])
    array([[0, 1, 0],
           [1, 0, 0]])
    """

    def __init__(
        self, base: Any = "random-forest", *, n_jobs: int | None = None, random_state: Any = None
    ) -> None:
        self.base = base
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _fit_labels(self, X: Any, labels: sparse.csc_array, weights: Weights) -> None:
        self.models_ = fit_each_label(self._make_models(), X, labels, weights, self.n_jobs)

    def _score_labels(self, X: Any) -> Scores:
        probabilities = self._gives_probabilities()
        return np.column_stack(
            [score_label(model, X, probabilities=probabilities) for model in self.models_]
        )
