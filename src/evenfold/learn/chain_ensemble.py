"""Ensemble of classifier chains: chains of different orders and different samples of rows vote."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from .._checks.numbers import check_whole
from .._checks.seeds import make_rng
from .base_fits import Weights
from .classifier_chain import ClassifierChain
from .features import count_rows
from .label_models import Scores
from .meta_classifier import MetaClassifier
from .row_samples import draw_rows
from .seeds import copy_seeded, make_seeder
from .voting import cast_votes, find_voting, fit_members


class ChainEnsemble(MetaClassifier):
    """Classifier chains in random orders that vote for each label.

    The method is that of Read et al. (2009). Each chain is fitted to its own sample of the rows.

    Parameters
    ----------
    base : str or estimator, default="random-forest"
        The base learner: a classifier, or a name of `evenfold.learn.BASES`.
    n_chains : int, default=10
        The number of chains.
    voting : {"auto", "hard", "soft"}, default="auto"
        `"soft"`: a label is predicted if the mean of its probabilities is above one half.
        `"hard"`: if more than half of the chains predict it. `"auto"`: soft, or hard if the base
        learner has no probabilities.
    bagging : bool, default=True
        Whether each chain is fitted to its own sample of the rows.
    max_samples : float or int, default=1.0
        The size of each sample: a share of the rows, rounded down but never to 0, or a whole
        number of rows.
    bootstrap : bool, default=True
        Whether the rows of a sample are drawn with replacement, so that a row can be in it more
        than once.
    n_jobs : int, default=None
        How many chains are fitted at once, as in scikit-learn.
    random_state : int, Generator or RandomState, default=None
        Seeds the orders, the samples, and every model unless the base learner has a seed of its
        own. None draws new orders and samples each time and sets no seeds.

    Attributes
    ----------
    chains_ : list of ClassifierChain
        The fitted chains.

    Notes
    -----
    The probability of a label is the mean of its probabilities in the chains (soft), or the
    share of the chains that predict it (hard).

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
        max_samples: float = 1.0,
        bootstrap: bool = True,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.base = base
        self.n_chains = n_chains
        self.voting = voting
        self.bagging = bagging
        self.max_samples = max_samples
        self.bootstrap = bootstrap
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _fit_labels(self, X: Any, labels: sparse.csc_array, weights: Weights) -> None:
        n_chains = check_whole(self.n_chains, "n_chains", "Try n_chains=10.")
        base, seeder = self._base(), make_seeder(self.random_state)
        self.voting_ = find_voting(self.voting, [base])
        chain = ClassifierChain(base, order="random")
        chains = [copy_seeded(chain, seeder) for _ in range(n_chains)]
        rows = draw_rows(
            count_rows(X),
            n_chains,
            make_rng(self.random_state),
            bagging=self.bagging,
            max_samples=self.max_samples,
            bootstrap=self.bootstrap,
        )
        self.chains_ = fit_members(chains, X, [labels] * n_chains, self.n_jobs, rows, weights)

    def _score_labels(self, X: Any) -> Scores:
        return np.mean([cast_votes(chain, X, self.voting_) for chain in self.chains_], axis=0)

    def _gives_probabilities(self) -> bool:
        return True
