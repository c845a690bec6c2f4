"""RAkEL: label powersets of a few labels each, drawn at random, vote."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from .._checks.numbers import check_whole
from .._checks.seeds import make_rng
from ..exceptions import InputError
from .base_fits import Weights
from .features import count_rows
from .label_models import Scores
from .label_powerset import LabelPowerset
from .meta_classifier import MetaClassifier
from .seeds import copy_seeded, make_seeder
from .voting import cast_votes, find_voting, fit_members


class RAkEL(MetaClassifier):
    """Label powersets of k labels each, drawn at random, that vote for each label.

    The method is that of Tsoumakas and Vlahavas (2007).

    Parameters
    ----------
    base : str or estimator, default="random-forest"
        The base learner: a classifier of several classes, or a name of `evenfold.learn.BASES`.
    k : int, default=3
        The number of labels of each model; all labels if there are fewer.
    n_models : int, default=None
        The number of models. None: twice the number of labels. There are never more models than
        there are sets of k labels.
    disjoint : bool, default=False
        Whether each label belongs to exactly one model; `n_models` must then be None.
    voting : {"auto", "hard", "soft"}, default="auto"
        `"hard"`: a label is predicted if more than half of its models predict it, as published.
        `"soft"`: if the mean of its probabilities is above one half, which ranks labels better.
        `"auto"`: soft, or hard if the base learner has no probabilities.
    n_jobs : int, default=None
        How many models are fitted at once, as in scikit-learn.
    random_state : int, Generator or RandomState, default=None
        Seeds the labels of each model, and every model unless the base learner has a seed of its
        own. None draws new labels each time and sets no seeds.

    Attributes
    ----------
    labels_of_model_ : list of ndarray
        The numbers of the labels of each model.
    models_ : list of LabelPowerset
        The fitted label powersets.

    Notes
    -----
    Every label belongs to at least one model: in each round the labels are shuffled and divided
    into sets of k. No two models have the same labels.
    If k does not divide the number of labels, the last set of a round has fewer labels
    (disjoint), or gets further labels from the first set of the round.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0]]
    >>> y = [[0, 1, 0, 0], [0, 1, 0, 1], [1, 1, 0, 1], [1, 0, 0, 1]]
    >>> learner = evenfold.learn.RAkEL("tree", k=2, n_models=4, random_state=0).fit(X, y)
    >>> [len(labels) for labels in learner.labels_of_model_]
    [2, 2, 2, 2]
    >>> learner.predict([[0.2], [2.9]])
    array([[0, 1, 0, 0],
           [1, 0, 0, 1]])
    """

    def __init__(
        self,
        base: Any = "random-forest",
        *,
        k: int = 3,
        n_models: int | None = None,
        disjoint: bool = False,
        voting: str = "auto",
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.base = base
        self.k = k
        self.n_models = n_models
        self.disjoint = disjoint
        self.voting = voting
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _fit_labels(self, X: Any, labels: sparse.csc_array, weights: Weights) -> None:
        base, seeder = self._base(), make_seeder(self.random_state)
        self.voting_ = find_voting(self.voting, [base])
        self.labels_of_model_ = self._draw_labels(labels.shape[1])
        models = [copy_seeded(LabelPowerset(base), seeder) for _ in self.labels_of_model_]
        own_labels = [labels[:, own] for own in self.labels_of_model_]
        self.models_ = fit_members(models, X, own_labels, self.n_jobs, weights=weights)

    def _draw_labels(self, n_labels: int) -> list[NDArray[np.int64]]:
        """Return the numbers of the labels of each model."""
        k = min(check_whole(self.k, "k", "Try k=3."), n_labels)
        rng = make_rng(self.random_state)
        if self.disjoint:
            if self.n_models is not None:
                raise InputError(
                    f"must be None where labels are disjoint, got {self.n_models}. "
                    "Leave it out, or pass disjoint=False.",
                    parameter="n_models",
                )
            return _divide_labels(n_labels, k, rng)
        n_models = self._find_number(n_labels, k)
        if math.comb(n_labels, k) <= n_models:
            return [np.array(own) for own in combinations(range(n_labels), k)]
        drawn: dict[tuple[int, ...], None] = {}
        while len(drawn) < n_models:
            sets = _divide_labels(n_labels, k, rng)
            sets[-1] = np.concatenate((sets[-1], sets[0][: k - len(sets[-1])]))
            drawn |= dict.fromkeys(tuple(sorted(own.tolist())) for own in sets)
        return [np.array(own) for own in list(drawn)[:n_models]]

    def _find_number(self, n_labels: int, k: int) -> int:
        """Return how many models there are, if there are that many sets of k labels."""
        if self.n_models is None:
            return 2 * n_labels
        n_models = check_whole(self.n_models, "n_models", f"Try n_models={2 * n_labels}.")
        least = -(-n_labels // k)
        if n_models < min(least, math.comb(n_labels, k)):
            raise InputError(
                f"must be {least} or more, so that models of {k} labels hold all {n_labels} "
                f"labels, got {n_models}. Leave it out for {2 * n_labels}.",
                parameter="n_models",
            )
        return n_models

    def _score_labels(self, X: Any) -> Scores:
        n_labels = len(self.classes_)
        votes, n_voters = np.zeros((count_rows(X), n_labels)), np.zeros(n_labels)
        for own, model in zip(self.labels_of_model_, self.models_, strict=True):
            votes[:, own] += cast_votes(model, X, self.voting_)
            n_voters[own] += 1
        return votes / n_voters

    def _gives_probabilities(self) -> bool:
        return True


def _divide_labels(n_labels: int, k: int, rng: np.random.Generator) -> list[NDArray[np.int64]]:
    """Shuffle the labels and divide them into sets of k; the last set has the rest."""
    shuffled = rng.permutation(n_labels)
    return [shuffled[start : start + k] for start in range(0, n_labels, k)]
