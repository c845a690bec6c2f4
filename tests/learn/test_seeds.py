"""Seeds of the models inside learners."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from evenfold.learn import (
    BinaryRelevance,
    CalibratedLabelRanking,
    ChainEnsemble,
    ClassifierChain,
    LabelPowerset,
    RAkEL,
    VotingEnsemble,
)

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3))
Y = (X + 0.5 * RNG.normal(size=(40, 3)) > 0.2).astype(int)

MAKERS = {
    "BinaryRelevance": BinaryRelevance,
    "ClassifierChain": ClassifierChain,
    "LabelPowerset": LabelPowerset,
    "CalibratedLabelRanking": CalibratedLabelRanking,
    "RAkEL": RAkEL,
    "ChainEnsemble": ChainEnsemble,
    "VotingEnsemble": lambda base, random_state: VotingEnsemble(
        [BinaryRelevance(base), ClassifierChain(base)], random_state=random_state
    ),
    "pipeline": lambda base, random_state: BinaryRelevance(
        make_pipeline(StandardScaler(), base), random_state=random_state
    ),
}
every_maker = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)


@pytest.fixture
def seeds(monkeypatch):
    """Return the list that collects the seed of each decision tree when it is fitted."""
    fit, fitted = DecisionTreeClassifier.fit, []

    def record(self, X, y, **more):
        fitted.append(self.random_state)
        return fit(self, X, y, **more)

    monkeypatch.setattr(DecisionTreeClassifier, "fit", record)
    return fitted


@every_maker
def test_a_base_learner_without_a_seed_gets_one_for_each_model(make, seeds):
    """Models have different seeds, and the seed of the learner decides them."""
    for random_state in (5, 5, 6):
        make(DecisionTreeClassifier(), random_state=random_state).fit(X, Y)
    first, again, other = np.array_split(np.array(seeds), 3)
    assert len(set(first.tolist())) == len(first)
    assert first.tolist() == again.tolist()
    assert not set(first.tolist()) & set(other.tolist())


@every_maker
@pytest.mark.parametrize("random_state", [None, 5])
def test_the_seed_of_a_base_learner_is_kept(make, random_state, seeds):
    """Every model has the seed that the user gave, also if the learner has a seed."""
    make(DecisionTreeClassifier(random_state=3), random_state=random_state).fit(X, Y)
    assert set(seeds) == {3}


def test_a_learner_without_a_seed_leaves_its_models_without_one(seeds):
    """They are then random, as in scikit-learn."""
    BinaryRelevance(DecisionTreeClassifier()).fit(X, Y)
    assert seeds == [None] * 3


def test_the_seed_of_a_member_is_kept(seeds):
    """A member with a seed gives the same models inside and outside the ensemble."""
    member = BinaryRelevance(DecisionTreeClassifier(), random_state=7)
    member.fit(X, Y)
    VotingEnsemble([member], random_state=0).fit(X, Y)
    assert seeds[:3] == seeds[3:]


def test_a_seed_in_one_place_changes_no_other_seed(seeds):
    """The other members of an ensemble get the seeds that they had before."""
    for seed in (None, 1):
        linear = BinaryRelevance(LogisticRegression(random_state=seed))
        members = [linear, BinaryRelevance(DecisionTreeClassifier())]
        VotingEnsemble([*members, *members], random_state=0).fit(X, Y)
    assert seeds[:6] == seeds[6:]
