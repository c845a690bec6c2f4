"""Calibrated label ranking: labels are compared two by two, and with a virtual label that stands between relevant and irrelevant."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils.parallel import Parallel, delayed

from ..exceptions import InputError
from .bases import find_base
from .label_models import Scores, fit_label, gives_probabilities, read_column, score_label
from .multilabel import MultilabelClassifier
from .seeds import copy_seeded, make_seeder
from .settings import check_whole
from .voting import find_voting


class CalibratedLabelRanking(MultilabelClassifier):
    """A model for each pair of labels and one for each label alone, which vote (Fürnkranz et al. 2008).

    The model of a pair learns from the rows that have exactly one of the two, and votes for one of them. The model of a label alone, which is that of binary
    relevance, votes for it or for the virtual label. A label is predicted where it has more votes than the virtual label.

    Parameters
    ----------
    base : a classifier or a name of `evenfold.learn.BASES`.
    voting : `"hard"`: one vote a model, as published; `"soft"`: the model's probability as a vote shared between both labels, which ranks labels better;
        `"auto"`: soft, or hard where the base learner has no probabilities.
    max_models : the most models to fit; q labels take q (q + 1) / 2.
    max_memory : the most bytes that all models may take.
    n_jobs : how many models are fitted at once, as in scikit-learn.
    random_state : seeds every model; None leaves the base learner's own.

    Attributes
    ----------
    label_models_ : the model of each label alone.
    pair_models_ : the model of each pair (i, j), i < j, or None where no row has exactly one of the two: it does not vote.

    Notes
    -----
    The probability of a label is (v + 1) / (v + v0 + 2), its votes v beside those of the virtual label v0: above one half where it is predicted, never quite
    0 or 1. Within a row it ranks the labels by their votes.
    Past `max_models` nothing is fitted. Past `max_memory` only the models of single labels are: they see all rows, so what all models take is estimated from
    them, and rather too high.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [[0, 1], [0, 1], [1, 1], [1, 0]]
    >>> learner = evenfold.learn.CalibratedLabelRanking("tree").fit(X, y)
    >>> learner.votes([[0.2], [2.9]])                                       # of label 0, of label 1, of the virtual label
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
        """Return the votes of each label in each row, and in the last column those of the virtual label, (n_rows, n_labels + 1)."""
        return self._count_votes(self._read_rows(X))

    def _fit_labels(self, X: Any, labels: sparse.csc_array) -> None:
        base, seeder = find_base(self.base), make_seeder(self.random_state)
        self.voting_ = find_voting(self.voting, [base])
        n_labels = labels.shape[1]
        n_models = n_labels * (n_labels + 1) // 2
        if n_models > check_whole(self.max_models, "max_models", 5_000):
            raise InputError(
                f"must be at least {n_models:,} for {n_labels:,} labels, got {self.max_models:,}. "
                "Raise it if there is memory for them, or take BinaryRelevance, which needs one model a label.",
                parameter="max_models",
            )
        fit = Parallel(n_jobs=self.n_jobs)
        self.label_models_ = fit(
            delayed(fit_label)(copy_seeded(base, seeder), X, read_column(labels, j))
            for j in range(n_labels)
        )
        self._check_memory(n_models)
        pairs = (
            delayed(_fit_pair)(copy_seeded(base, seeder), X, *columns)
            for columns in _walk_pairs(labels)
        )
        self.pair_models_ = dict(zip(combinations(range(n_labels), 2), fit(pairs), strict=True))

    def _check_memory(self, n_models: int) -> None:
        # Pickled: the one measure of a model's size that every base learner has.
        needed = (
            n_models
            * sum(len(pickle.dumps(model)) for model in self.label_models_)
            // len(self.label_models_)
        )
        if needed > check_whole(self.max_memory, "max_memory", 2 * 1024**3):
            raise InputError(
                f"must be about {needed:,} bytes for {n_models:,} models, got {self.max_memory:,}. "
                "Raise it, take a smaller base learner, or BinaryRelevance, which needs one model a label.",
                parameter="max_memory",
            )

    def _count_votes(self, X: Any) -> Scores:
        n_labels = len(self.label_models_)
        votes = np.zeros((X.shape[0], n_labels + 1))
        for label, model in enumerate(self.label_models_):
            self._share_vote(votes, model, X, label, n_labels)
        for (first, second), model in self.pair_models_.items():
            if model is not None:
                self._share_vote(votes, model, X, first, second)
        return votes

    def _share_vote(self, votes: Scores, model: Any, X: Any, label: int, other: int) -> None:
        """Add a model's vote, in place: to the label it is the model of where its score is above the cut, to the other where it is not."""
        probabilities = gives_probabilities(find_base(self.base))
        vote = score_label(model, X, probabilities=probabilities)
        if self.voting_ == "hard":
            vote = (vote > (0.5 if probabilities else 0)).astype(np.float64)
        votes[:, label] += vote
        votes[:, other] += 1 - vote

    def _score_labels(self, X: Any) -> Scores:
        votes = self._count_votes(X)
        own, virtual = votes[:, :-1], votes[:, -1:]
        return (own + 1) / (own + virtual + 2)

    def _made_of(self) -> list[Any]:
        return [find_base(self.base)]

    def _gives_probabilities(self) -> bool:
        return True


def _walk_pairs(labels: sparse.csc_array) -> Iterator[tuple[Any, Any]]:
    for first in range(labels.shape[1] - 1):
        column = read_column(labels, first)
        for second in range(first + 1, labels.shape[1]):
            yield column, read_column(labels, second)


def _fit_pair(model: Any, X: Any, first: Any, second: Any) -> Any:
    """Fit the model to the rows that have exactly one of two labels; it says where that is the first."""
    rows = np.flatnonzero(first != second)
    return fit_label(model, X[rows], first[rows]) if len(rows) else None
