"""Different multi-label learners that vote."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scipy import sparse

from .._checks.seeds import make_rng
from .._checks.values import show_value
from ..exceptions import InputTypeError
from .base_fits import Weights
from .bases import is_estimator
from .features import count_rows
from .label_models import Scores
from .multilabel import WeightedClassifier
from .row_samples import draw_rows
from .seeds import copy_seeded, make_seeder
from .voting import cast_votes, check_weights, find_voting, fit_members


class VotingEnsemble(WeightedClassifier):
    """Different multi-label learners that vote for each label.

    Parameters
    ----------
    learners : sequence of str or estimator, default=("br:random-forest", …, "mlknn")
        Multi-label classifiers of this package or others, or names that
        `evenfold.learn.make_learner` takes. The default is binary relevance and label powerset
        over random forests, and MLkNN.
    voting : {"auto", "hard", "soft"}, default="hard"
        `"hard"`: a label is predicted if more than half of the learners predict it. `"soft"`: if
        the mean of their probabilities is above one half. `"auto"`: soft, or hard if one of them
        has no probabilities.
    weights : sequence of float, default=None
        How much the vote of each learner counts. None: all the same.
    bagging : bool, default=False
        Whether each learner is fitted to its own sample of the rows.
    max_samples : float or int, default=1.0
        The size of each sample: a share of the rows, rounded down but never to 0, or a whole
        number of rows.
    bootstrap : bool, default=True
        Whether the rows of a sample are drawn with replacement, so that a row can be in it more
        than once.
    n_jobs : int, default=None
        How many learners are fitted at once, as in scikit-learn.
    random_state : int, Generator or RandomState, default=None
        Seeds the samples, and every learner that has no seed of its own. None draws new samples
        each time and sets no seeds.

    Attributes
    ----------
    learners_ : list
        The fitted learners.

    Notes
    -----
    The probability of a label is the weighted share of the learners that predict it (hard), or
    the weighted mean of their probabilities (soft).

    The same learner several times, with bagging, is a bagging ensemble of that learner: each copy
    has its own rows and, with a seed, its own seeds.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [[0, 1], [0, 1], [1, 1], [1, 0]]
    >>> learners = ["br:tree", "lp:tree", evenfold.learn.MLkNN(k=1)]
    >>> learner = evenfold.learn.VotingEnsemble(learners, weights=[2, 1, 1]).fit(X, y)
    >>> learner.predict([[0.2], [2.9]])
    array([[0, 1],
           [1, 0]])

    Bagging: ten copies of one learner, each fitted to three rows drawn without replacement.

    >>> learner = evenfold.learn.VotingEnsemble(
    ...     ["lp:tree"] * 10, bagging=True, max_samples=3, bootstrap=False, random_state=0
    ... ).fit(X, y)
    >>> learner.predict([[0.2], [2.9]])
    array([[0, 1],
           [1, 0]])
    """

    def __init__(
        self,
        learners: Sequence[Any] = ("br:random-forest", "lp:random-forest", "mlknn"),
        *,
        voting: str = "hard",
        weights: Sequence[float] | None = None,
        bagging: bool = False,
        max_samples: float = 1.0,
        bootstrap: bool = True,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.learners = learners
        self.voting = voting
        self.weights = weights
        self.bagging = bagging
        self.max_samples = max_samples
        self.bootstrap = bootstrap
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _fit_labels(self, X: Any, labels: sparse.csc_array, weights: Weights) -> None:
        members = self._parts()
        self.voting_ = find_voting(self.voting, members)
        check_weights(self.weights, len(members), "learner")
        seeder = make_seeder(self.random_state)
        members = [copy_seeded(member, seeder) for member in members]
        rows = draw_rows(
            count_rows(X),
            len(members),
            make_rng(self.random_state),
            bagging=self.bagging,
            max_samples=self.max_samples,
            bootstrap=self.bootstrap,
        )
        own_labels = [labels] * len(members)
        self.learners_ = fit_members(members, X, own_labels, self.n_jobs, rows, weights)

    def _score_labels(self, X: Any) -> Scores:
        weights = check_weights(self.weights, len(self.learners_), "learner")
        votes = sum(
            weight * cast_votes(member, X, self.voting_)
            for weight, member in zip(weights, self.learners_, strict=True)
        )
        return votes / weights.sum()

    def _parts(self) -> list[Any]:
        # names.py lists this class, so it cannot be imported at the top.
        from .names import make_learner

        given = self.learners if isinstance(self.learners, list | tuple) else []
        learners = [
            make_learner(learner) if isinstance(learner, str) else learner for learner in given
        ]
        if not learners or not all(is_estimator(learner) for learner in learners):
            raise InputTypeError(
                f"must be a list of learners or their names, got {show_value(self.learners)}. "
                "Try learners=['br:tree', 'mlknn'].",
                parameter="learners",
            )
        return learners

    def _gives_probabilities(self) -> bool:
        return True
