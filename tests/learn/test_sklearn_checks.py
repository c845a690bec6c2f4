"""scikit-learn's own checks of an estimator, for every learner."""

from sklearn.linear_model import LogisticRegression
from sklearn.utils.estimator_checks import parametrize_with_checks

from evenfold.learn import (
    BinaryRelevance,
    CalibratedLabelRanking,
    ChainEnsemble,
    ClassifierChain,
    LabelPowerset,
    MLkNN,
    RAkEL,
    VotingEnsemble,
)

# The checks ask for probabilities other than 0 and 1, which trees and votes do not promise: a base learner that has none, and soft votes.
BASE = LogisticRegression(tol=0.1)

LEARNERS = [
    BinaryRelevance(BASE),
    ClassifierChain(BASE, order="information-gain"),
    LabelPowerset(BASE),
    CalibratedLabelRanking(BASE),
    MLkNN(k=3),
    RAkEL(BASE),
    ChainEnsemble(BASE, n_chains=2),
    VotingEnsemble([MLkNN(k=3), BinaryRelevance(BASE)], voting="soft"),
]


@parametrize_with_checks(LEARNERS)
def test_a_learner_is_an_estimator(estimator, check):
    """As scikit-learn's own are."""
    check(estimator)
