"""RAkEL: label powersets of a few labels each, drawn at random, vote."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from .._checks.seeds import make_rng
from ..exceptions import InputError
from .bases import find_base
from .label_models import Scores
from .label_powerset import LabelPowerset
from .multilabel import MultilabelClassifier
from .seeds import copy_seeded, make_seeder
from .settings import check_whole
from .voting import cast_votes, find_voting, fit_members


class RAkEL(MultilabelClassifier):
    """Label powersets of k labels each, drawn at random, that vote label by label (Tsoumakas and Vlahavas 2007).

    Parameters
    ----------
    base : a classifier of several classes, or a name of `evenfold.learn.BASES`.
    k : how many labels each model has; all of them where there are fewer.
    n_models : how many models; None: twice as many as there are labels. Never more than there are sets of k labels.
    disjoint : whether the labels are dealt out once, so that each is in one model; `n_models` must then be None.
    voting : `"hard"`: a label is predicted where more than half of its models predict it, as published; `"soft"`: where the mean of its probabilities is
        above one half, which ranks labels better; `"auto"`: soft, or hard where the base learner has no probabilities.
    n_jobs : how many models are fitted at once, as in scikit-learn.
    random_state : seeds the draws and every model; None leaves the base learner's own, and draws the labels afresh.

    Attributes
    ----------
    labels_of_model_ : the labels of each model, by number.
    models_ : the fitted label powersets.

    Notes
    -----
    Every label is in some model: labels are shuffled and dealt k at a time, again and again. No two models have the same labels.
    Where k does not divide the labels, the last of a deal has fewer if they are disjoint, and is filled up from the first otherwise.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [[0, 1, 0, 0], [0, 1, 0, 1], [1, 1, 0, 1], [1, 0, 0, 1]]
    >>> learner = evenfold.learn.RAkEL("tree", k=2, n_models=4, random_state=0).fit(X, y)
    >>> len(learner.labels_of_model_), sorted(set(np.concatenate(learner.labels_of_model_).tolist()))
    (4, [0, 1, 2, 3])
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

    def _fit_labels(self, X: Any, labels: sparse.csc_array) -> None:
        base, seeder = find_base(self.base), make_seeder(self.random_state)
        self.voting_ = find_voting(self.voting, [base])
        self.labels_of_model_ = self._draw_labels(labels.shape[1])
        models = [copy_seeded(LabelPowerset(base), seeder) for _ in self.labels_of_model_]
        self.models_ = fit_members(
            models,
            X,
            [labels[:, own] for own in self.labels_of_model_],
            [None] * len(models),
            self.n_jobs,
        )

    def _draw_labels(self, n_labels: int) -> list[NDArray[np.int64]]:
        k = min(check_whole(self.k, "k", 3), n_labels)
        rng = make_rng(self.random_state)
        if self.disjoint:
            if self.n_models is not None:
                raise InputError(
                    f"must be None where labels are disjoint, got {self.n_models}. Leave it out, or ask for disjoint=False.",
                    parameter="n_models",
                )
            return deal_labels(n_labels, k, rng)
        n_models = (
            2 * n_labels
            if self.n_models is None
            else check_whole(self.n_models, "n_models", 2 * n_labels)
        )
        if math.comb(n_labels, k) <= n_models:
            return [np.array(own) for own in combinations(range(n_labels), k)]
        least = -(-n_labels // k)
        if n_models < least:
            raise InputError(
                f"must be {least} or more, so that {k} labels a model reach all {n_labels}, got {n_models}. Leave it out for {2 * n_labels}.",
                parameter="n_models",
            )
        drawn: dict[tuple[int, ...], None] = {}
        while len(drawn) < n_models:
            dealt = deal_labels(n_labels, k, rng)
            dealt[-1] = np.concatenate((dealt[-1], dealt[0][: k - len(dealt[-1])]))
            drawn |= dict.fromkeys(tuple(sorted(own.tolist())) for own in dealt)
        return [np.array(own) for own in list(drawn)[:n_models]]

    def _score_labels(self, X: Any) -> Scores:
        n_labels = len(self.classes_)
        votes, n_voters = np.zeros((X.shape[0], n_labels)), np.zeros(n_labels)
        for own, model in zip(self.labels_of_model_, self.models_, strict=True):
            votes[:, own] += cast_votes(model, X, self.voting_)
            n_voters[own] += 1
        return votes / n_voters

    def _made_of(self) -> list[Any]:
        return [find_base(self.base)]

    def _gives_probabilities(self) -> bool:
        return True


def deal_labels(n_labels: int, k: int, rng: np.random.Generator) -> list[NDArray[np.int64]]:
    """Shuffle the labels and deal them k at a time; the last gets what is left."""
    shuffled = rng.permutation(n_labels)
    return [shuffled[start : start + k] for start in range(0, n_labels, k)]
