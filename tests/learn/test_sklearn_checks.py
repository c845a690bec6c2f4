"""scikit-learn's own checks of estimators."""

from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.utils.estimator_checks import parametrize_with_checks

from evenfold.learn import (
    LEARNERS,
    AveragingRegressor,
    BinaryRelevance,
    MLkNN,
    VotingEnsemble,
    make_learner,
)

# The checks need probabilities other than 0 and 1, which trees and hard votes do not promise.
BASE = LogisticRegression(tol=0.1)
SETTINGS = {
    "cc": {"order": "information-gain"},
    "ecc": {"n_chains": 2},
    "mlknn": {"k": 3},
    "tuned": {"learner": BinaryRelevance(BASE), "cv": 2},
}


def make(name):
    """Make the learner of that name over logistic regression, small enough for many checks."""
    learner = make_learner(name).set_params(**SETTINGS.get(name, {}))
    return learner.set_params(base=BASE) if hasattr(learner, "base") else learner


@parametrize_with_checks(
    [
        *map(make, LEARNERS),
        VotingEnsemble([MLkNN(k=3), BinaryRelevance(BASE)], voting="soft"),
        AveragingRegressor([("line", LinearRegression()), ("ridge", Ridge())], weights=[1, 2]),
    ]
)
def test_learners_pass_the_checks_of_scikit_learn(estimator, check):
    """Every check passes for every learner that has a name, and for the ensembles."""
    check(estimator)
