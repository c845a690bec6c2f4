"""scikit-learn's own checks of estimators."""

from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.utils.estimator_checks import parametrize_with_checks

from evenfold.learn import (
    LEARNERS,
    AveragingRegressor,
    BinaryRelevance,
    ChainEnsemble,
    LabelPowerset,
    TunedThreshold,
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


def find_other_samples(learner):
    """Return the checks that compare whole weights with repeated rows, if these are other rows."""
    reason = {
        ChainEnsemble: "samples of rows are drawn from all rows, repeated or not",
        TunedThreshold: "folds of repeated rows are other folds",
    }.get(type(learner))
    if reason is None or not getattr(learner, "bagging", True):
        return {}
    return {
        f"check_sample_weight_equivalence_on_{form}_data": reason for form in ("dense", "sparse")
    }


@parametrize_with_checks(
    [
        *map(make, LEARNERS),
        ChainEnsemble(BASE, n_chains=2, bagging=False),
        VotingEnsemble([LabelPowerset(BASE), BinaryRelevance(BASE)], voting="soft"),
        AveragingRegressor([("line", LinearRegression()), ("ridge", Ridge())], weights=[1, 2]),
    ],
    expected_failed_checks=find_other_samples,
)
def test_learners_pass_the_checks_of_scikit_learn(estimator, check):
    """Every check passes for every learner that has a name, and for the ensembles."""
    check(estimator)
