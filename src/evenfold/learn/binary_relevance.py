"""Binary relevance: a model for each label, as if the others did not exist."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.parallel import Parallel, delayed

from .bases import find_base
from .label_models import Scores, fit_label, gives_probabilities, read_column, score_label
from .multilabel import MultilabelClassifier
from .seeds import copy_seeded, make_seeder


class BinaryRelevance(MultilabelClassifier):
    """A model for each label, as if the others did not exist.

    Parameters
    ----------
    base : a classifier or a name of `evenfold.learn.BASES`.
    n_jobs : how many models are fitted at once, as in scikit-learn.
    random_state : seeds every model; None leaves the base learner's own.

    Attributes
    ----------
    models_ : a fitted model for each label; a constant where all training rows agree.

    Notes
    -----
    A label that all training rows have, or none, is always or never predicted, and no model is fitted to it.
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

    def _fit_labels(self, X: Any, labels: sparse.csc_array) -> None:
        base, seeder = find_base(self.base), make_seeder(self.random_state)
        models = [copy_seeded(base, seeder) for _ in range(labels.shape[1])]
        self.models_ = Parallel(n_jobs=self.n_jobs)(
            delayed(fit_label)(model, X, read_column(labels, j)) for j, model in enumerate(models)
        )

    def _score_labels(self, X: Any) -> Scores:
        return np.column_stack(
            [
                score_label(model, X, probabilities=self._gives_probabilities())
                for model in self.models_
            ]
        )

    def _made_of(self) -> list[Any]:
        return [find_base(self.base)]

    def _gives_probabilities(self) -> bool:
        return gives_probabilities(find_base(self.base))
