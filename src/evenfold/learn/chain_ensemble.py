"""Ensemble of classifier chains: chains in different orders, fitted to different draws of the rows, vote."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from .._checks.seeds import make_rng
from .bases import find_base
from .classifier_chain import ClassifierChain
from .label_models import Scores
from .multilabel import MultilabelClassifier
from .seeds import copy_seeded, make_seeder
from .settings import check_whole
from .voting import cast_votes, draw_rows, find_voting, fit_members


class ChainEnsemble(MultilabelClassifier):
    """Classifier chains in random orders, fitted to different draws of the rows, that vote label by label (Read et al. 2009).

    Parameters
    ----------
    base : a classifier or a name of `evenfold.learn.BASES`.
    n_chains : how many chains.
    voting : `"soft"`: a label is predicted where the mean of its probabilities is above one half; `"hard"`: where more than half of the chains predict it;
        `"auto"`: soft, or hard where the base learner has no probabilities.
    bagging : whether each chain gets its own training set, as many rows as there are, drawn with replacement.
    n_jobs : how many chains are fitted at once, as in scikit-learn.
    random_state : seeds the orders, the rows drawn and every model; None leaves the base learner's own, and draws the rest afresh.

    Attributes
    ----------
    chains_ : the fitted chains.

    Notes
    -----
    The probability of a label is the mean of its probabilities in the chains (soft), or the share of the chains that predict it (hard).

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [[0, 1], [0, 1], [1, 1], [1, 0]]
    >>> learner = evenfold.learn.ChainEnsemble("tree", n_chains=5, random_state=0).fit(X, y)
    >>> learner.predict([[0.2], [2.9]])
    array([[0, 1],
           [1, 0]])
    """

    def __init__(
        self,
        base: Any = "random-forest",
        *,
        n_chains: int = 10,
        voting: str = "auto",
        bagging: bool = True,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.base = base
        self.n_chains = n_chains
        self.voting = voting
        self.bagging = bagging
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _fit_labels(self, X: Any, labels: sparse.csc_array) -> None:
        n_chains = check_whole(self.n_chains, "n_chains", 10)
        base, seeder = find_base(self.base), make_seeder(self.random_state)
        self.voting_ = find_voting(self.voting, [base])
        chains = [
            copy_seeded(ClassifierChain(base, order="random"), seeder) for _ in range(n_chains)
        ]
        rows = draw_rows(X.shape[0], n_chains, self.bagging, make_rng(self.random_state))
        self.chains_ = fit_members(chains, X, [labels] * n_chains, rows, self.n_jobs)

    def _score_labels(self, X: Any) -> Scores:
        return np.mean([cast_votes(chain, X, self.voting_) for chain in self.chains_], axis=0)

    def _made_of(self) -> list[Any]:
        return [find_base(self.base)]

    def _gives_probabilities(self) -> bool:
        return True
