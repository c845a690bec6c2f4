"""Calibrated label ranking: pairs of labels are compared, and each label with a virtual label."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.parallel import Parallel, delayed

from .._checks.numbers import check_whole
from ..exceptions import InputError
from .base_fits import Weights
from .features import count_rows, take_rows
from .label_models import Column, Scores, fit_each_label, fit_label, read_column, score_label
from .meta_classifier import MetaClassifier
from .voting import find_voting


class CalibratedLabelRanking(MetaClassifier):
    """One model for each pair of labels and one for each single label; the models vote.

    The method is that of Fürnkranz et al. (2008). The model of a pair learns from the rows that
    have exactly one of the two labels, and votes for one of them. The model of a single label is
    that of binary relevance; it votes for the label or for the virtual label. A label is
    predicted if it has more votes than the virtual label.

    Parameters
    ----------
    base : str or estimator, default="random-forest"
        The base learner: a classifier, or a name of `evenfold.learn.BASES`.
    voting : {"auto", "hard", "soft"}, default="hard"
        `"hard"`: one vote per model, as published. `"soft"`: the two labels share the vote by
        the probability of the model, which ranks labels better. `"auto"`: soft, or hard if the
        base learner has no probabilities.
    max_models : int, default=5000
        The largest number of models to fit; q labels need q (q + 1) / 2.
    max_memory : int, default=2147483648
        The largest size of all models together, in bytes.
    n_jobs : int, default=None
        How many models are fitted at once, as in scikit-learn.
    random_state : int, Generator or RandomState, default=None
        Seeds every model, unless the base learner has a seed of its own. None sets no seeds.

    Attributes
    ----------
    label_models_ : list
        The model of each single label.
    pair_models_ : dict
        The model of each pair (i, j), i < j. None if no row has exactly one of the two labels:
        the pair then has no vote.

    Notes
    -----
    The probability of a label is (v + 1) / (v + v0 + 2), with its votes v and the votes v0 of
    the virtual label: above one half if the label is predicted, never exactly 0 or 1. In each
    row it ranks the labels by their votes.
    Above `max_models` nothing is fitted. Above `max_memory` only the models of single labels are
    fitted. They see all rows, so the size of all models is estimated from them, rather too high.

    Examples
    --------
    The votes of label 0, of label 1, and of the virtual label:

    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [[0, 1], [0, 1], [1, 1], [1, 0]]
    >>> learner = evenfold.learn.CalibratedLabelRanking("tree").fit(X, y)
    >>> learner.votes([[0.2], [2.9]])
    array([[0., 2., 1.],
           [2., 0., 1.]])
    >>> learner.predict([[0.2], [2.9]])
    array([[0, 1],
           [1, 0]])
    """

    def __init__(
        self,
        base: Any = "random-forest",
        *,
        voting: str = "hard",
        max_models: int = 5_000,
        max_memory: int = 2 * 1024**3,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.base = base
        self.voting = voting
        self.max_models = max_models
        self.max_memory = max_memory
        self.n_jobs = n_jobs
        self.random_state = random_state

    def votes(self, X: Any) -> Scores:
        """Count the votes of each label in each row.

        Parameters
        ----------
        X : array-like, sparse matrix or frame
            The rows, (n_rows, n_features).

        Returns
        -------
        ndarray
            The votes, (n_rows, n_labels + 1); the last column is the virtual label.
        """
        return self._count_votes(self._check_rows(X))

    def _fit_labels(self, X: Any, labels: sparse.csc_array, weights: Weights) -> None:
        self.voting_ = find_voting(self.voting, [self._base()])
        n_labels = labels.shape[1]
        n_models = n_labels * (n_labels + 1) // 2
        self._check_number(n_models, n_labels)
        models = self._make_models()
        self.label_models_ = fit_each_label(models, X, labels, weights, self.n_jobs)
        self._check_memory(n_models)
        pair_models = Parallel(n_jobs=self.n_jobs)(
            delayed(_fit_pair)(next(models), X, *columns, weights)
            for columns in _pair_columns(labels)
        )
        self.pair_models_ = dict(zip(combinations(range(n_labels), 2), pair_models, strict=True))

    def _check_number(self, n_models: int, n_labels: int) -> None:
        if n_models > check_whole(self.max_models, "max_models", "Try max_models=5_000."):
            raise InputError(
                f"must be at least {n_models:,} for {n_labels:,} labels, "
                f"got {self.max_models:,}. Raise it if there is memory for them, or take "
                "BinaryRelevance, which needs one model per label.",
                parameter="max_models",
            )

    def _check_memory(self, n_models: int) -> None:
        # The size of a pickle is the one measure of size that every base learner has.
        n_bytes = sum(len(pickle.dumps(model)) for model in self.label_models_)
        needed = n_models * n_bytes // len(self.label_models_)
        if needed > check_whole(self.max_memory, "max_memory", "Try max_memory=2 * 1024**3."):
            raise InputError(
                f"must be about {needed:,} bytes for {n_models:,} models, "
                f"got {self.max_memory:,}. Raise it, take a smaller base learner, or "
                "BinaryRelevance, which needs one model per label.",
                parameter="max_memory",
            )

    def _count_votes(self, X: Any) -> Scores:
        n_labels = len(self.label_models_)
        votes = np.zeros((count_rows(X), n_labels + 1))
        for label, model in enumerate(self.label_models_):
            self._add_vote(votes, model, X, label, n_labels)
        for (first, second), model in self.pair_models_.items():
            if model is not None:
                self._add_vote(votes, model, X, first, second)
        return votes

    def _add_vote(self, votes: Scores, model: Any, X: Any, label: int, other: int) -> None:
        """Add a model's vote, in place: to the label if the model predicts it, else to the other.

        A soft vote is shared between the two.
        """
        probabilities = super()._gives_probabilities()
        vote = score_label(model, X, probabilities=probabilities)
        if self.voting_ == "hard":
            vote = (vote > (0.5 if probabilities else 0)).astype(np.float64)
        votes[:, label] += vote
        votes[:, other] += 1 - vote

    def _score_labels(self, X: Any) -> Scores:
        votes = self._count_votes(X)
        own, virtual = votes[:, :-1], votes[:, -1:]
        return (own + 1) / (own + virtual + 2)

    def _gives_probabilities(self) -> bool:
        return True


def _pair_columns(labels: sparse.csc_array) -> Iterator[tuple[Column, Column]]:
    """Yield the two columns of each pair of labels, in the order of `combinations`."""
    for first in range(labels.shape[1] - 1):
        column = read_column(labels, first)
        for second in range(first + 1, labels.shape[1]):
            yield column, read_column(labels, second)


def _fit_pair(model: Any, X: Any, first: Column, second: Column, weights: Weights) -> Any:
    """Fit the model to the rows that have exactly one of two labels; it predicts the first."""
    rows = np.flatnonzero(first != second)
    if not len(rows):
        return None
    own_weights = None if weights is None else weights[rows]
    return fit_label(model, take_rows(X, rows), first[rows], own_weights)
